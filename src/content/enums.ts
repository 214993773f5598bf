import { builder } from '../graphql/builder.ts'

/** Values of an enum type, with their descriptions: `editOthers` is `EDIT_OTHERS` in GraphQL. */
export function enumValues<Value extends string>(descriptions: Readonly<Record<Value, string>>) {
  const entries = Object.entries<string>(descriptions).map(([value, description]) => {
    const name = value.replace(/[A-Z]/g, '_$&').toUpperCase()
    return [name, { value: value as Value, description }] as const
  })
  return Object.fromEntries(entries)
}

export const RecordStatus = builder.enumType('RecordStatus', {
  description: 'Status of a record.',
  values: enumValues({
    publish: 'Published: everybody may see it.',
    future: 'Scheduled: becomes published at its publication date.',
    draft: 'Draft.',
    pending: 'Waits for the approval of a user who may publish.',
    private: 'Visible only to its author and to users with the right EDIT_OTHERS.',
    trash: 'In the trash; can be restored.',
  }),
})

const SortDirection = builder.enumType('SortDirection', {
  description: 'Sort direction.',
  values: enumValues({
    asc: 'Ascending: smallest, earliest or alphabetically first value first.',
    desc: 'Descending: largest, latest or alphabetically last value first.',
  }),
})

/** The `direction` field of every order input. */
export const direction = { type: SortDirection, defaultValue: 'asc', description: 'Sort direction.' } as const
