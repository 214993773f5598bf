import type { RecordKind } from '../../kinds.ts'
import { builder } from '../../service/graphql/builder.ts'

/** Values of an enum type, with their descriptions: `editOthers` is `EDIT_OTHERS` in GraphQL. */
export function enumValues<Value extends string>(descriptions: Readonly<Record<Value, string>>) {
  const entries = Object.entries<string>(descriptions).map(([value, description]) => {
    const name = value.replace(/[A-Z]/g, '_$&').toUpperCase()
    return [name, { value: value as Value, description }] as const
  })
  return Object.fromEntries(entries)
}

/** Values of an enum of these kinds of records. */
export const kindEnumValues = <Kind extends RecordKind>(kinds: readonly Kind[], describe: (kind: Kind) => string) =>
  enumValues(Object.fromEntries(kinds.map((kind) => [kind, describe(kind)])) as Record<Kind, string>)

export const RecordStatus = builder.enumType('RecordStatus', {
  description:
    'Whether a record is published, and so who can see the record. `EventStatus` says whether an event takes place.',
  values: {
    // Outputs have the last name of a value.
    PUBLISH: { value: 'publish', description: 'Former name of PUBLISHED.', deprecationReason: 'Use `PUBLISHED`.' },
    FUTURE: { value: 'future', description: 'Former name of SCHEDULED.', deprecationReason: 'Use `SCHEDULED`.' },
    PUBLISHED: { value: 'publish', description: 'Everybody may see the record.' },
    SCHEDULED: { value: 'future', description: 'The record becomes visible to everybody at `publishedAt`.' },
    DRAFT: { value: 'draft', description: 'Draft.' },
    PENDING: { value: 'pending', description: 'The record waits for the approval of a user who may publish.' },
    PRIVATE: {
      value: 'private',
      description: 'Visible only to its author and to users with the right EDIT_OTHERS.',
    },
    TRASH: { value: 'trash', description: 'The record is in the trash and can be restored.' },
  },
})

const SortDirection = builder.enumType('SortDirection', {
  description: 'Sort direction.',
  values: enumValues({
    asc: 'Ascending: smallest, earliest or alphabetically first value first.',
    desc: 'Descending: largest, latest or alphabetically last value first.',
  }),
})

export const directionInput = { type: SortDirection, defaultValue: 'asc', description: 'Sort direction.' } as const
