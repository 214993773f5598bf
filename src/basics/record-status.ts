// Converts the status of a record between its name in the database, REST and files, such as `publish`, and its name in GraphQL.
const names = {
  publish: 'PUBLISHED',
  future: 'SCHEDULED',
  draft: 'DRAFT',
  pending: 'PENDING',
  private: 'PRIVATE',
  trash: 'TRASH',
} as const

type Status = keyof typeof names

const statuses = new Map<string, string>(Object.entries(names).map(([status, name]) => [name, status]))

/** Converts the stored status, such as `publish`, to the status in GraphQL. */
export const toRecordStatus = (status: Status) => names[status]

/** Converts the status in GraphQL, such as `PUBLISHED`, to the stored status. */
export const fromRecordStatus = (name: string): string => statuses.get(name) ?? name
