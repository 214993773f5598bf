import { builder } from '../graphql/builder.ts'

export const RecordStatus = builder.enumType('RecordStatus', {
  description: 'Where a record stands in its life. A scheduled record becomes published by itself.',
  values: {
    PUBLISH: { value: 'publish', description: 'Everybody sees it.' },
    FUTURE: { value: 'future', description: 'Published once its publication date has come.' },
    DRAFT: { value: 'draft', description: 'Being written.' },
    PENDING: { value: 'pending', description: 'Waits for somebody who may publish.' },
    PRIVATE: { value: 'private', description: 'For those who may read private records.' },
    TRASH: { value: 'trash', description: 'Deleted, can be restored.' },
  } as const,
})

const SortDirection = builder.enumType('SortDirection', {
  description: 'Which end of an order comes first.',
  values: {
    ASC: { value: 'asc', description: 'Smallest, earliest or first in the alphabet first.' },
    DESC: { value: 'desc', description: 'Largest, latest or last in the alphabet first.' },
  } as const,
})

/** The field of every order that says which way round. */
export const direction = { type: SortDirection, defaultValue: 'asc', description: 'Which end comes first.' } as const
