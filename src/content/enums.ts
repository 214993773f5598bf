import { builder } from '../graphql/builder.ts'

export const RecordStatus = builder.enumType('RecordStatus', {
  description: 'Status of a record.',
  values: {
    PUBLISH: { value: 'publish', description: 'Published: everybody may see it.' },
    FUTURE: { value: 'future', description: 'Scheduled: becomes published at its publication date.' },
    DRAFT: { value: 'draft', description: 'Draft.' },
    PENDING: { value: 'pending', description: 'Waits for the approval of a user who may publish.' },
    PRIVATE: { value: 'private', description: 'Visible only to its author and to users with the right EDIT_OTHERS.' },
    TRASH: { value: 'trash', description: 'In the trash; can be restored.' },
  } as const,
})

const SortDirection = builder.enumType('SortDirection', {
  description: 'Direction of an order.',
  values: {
    ASC: { value: 'asc', description: 'Ascending: smallest, earliest or alphabetically first value first.' },
    DESC: { value: 'desc', description: 'Descending: largest, latest or alphabetically last value first.' },
  } as const,
})

/** The `direction` field of every order input. */
export const direction = { type: SortDirection, defaultValue: 'asc', description: 'Sort direction.' } as const
