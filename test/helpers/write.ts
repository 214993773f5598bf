// Writing through GraphQL, and what a test compares before and after.
import type { TestApp } from './app.ts'

type Doors = Pick<TestApp, 'graphql'>

export type Kind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'
type Verb = 'create' | 'update' | 'trash' | 'restore' | 'delete'

/** What came of a mutation: `record` as selected, and each error as `CODE field` or `CODE`. */
export interface Written {
  readonly record: Readonly<Record<string, unknown>> | null
  readonly errors: readonly string[]
}

export const capital = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

function inputType(verb: Verb, kind: Kind): string {
  if (verb === 'create' || verb === 'update') return `${capital(verb)}${capital(kind)}Input`
  return kind === 'category' || kind === 'tag' ? 'TermInput' : 'RecordInput'
}

/** Sends one mutation; anything but a typed answer is an error of the test. `root` is a language root such as `/fr`. */
export async function write(
  doors: Doors,
  verb: Verb,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
  selection = 'databaseId',
  root = '',
): Promise<Written> {
  const answer = verb === 'delete' ? 'databaseId' : `${kind} { ${selection} }`
  const query = `mutation ($input: ${inputType(verb, kind)}!) {
    answer: ${verb}${capital(kind)}(input: $input) { ${answer} userErrors { code field } } }`
  const { body } = await doors.graphql(query, { input }, root)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  const { userErrors, ...found } = body.data.answer
  const errors = userErrors.map(({ code, field }: { code: string; field: string | null }) =>
    field === null ? code : `${code} ${field}`,
  )
  return { record: verb === 'delete' ? (found.databaseId === null ? null : found) : found[kind], errors }
}

/** The number of a record that a mutation must have written. */
export async function written(
  doors: Doors,
  verb: Verb,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
  root = '',
): Promise<number> {
  const { record, errors } = await write(doors, verb, kind, input, 'databaseId', root)
  if (record === null) throw new Error(`${verb} ${kind}: ${errors.join(', ')}`)
  return record.databaseId as number
}

/** A record as it is read, by its number. */
export async function read(
  doors: Doors,
  kind: Kind,
  id: number,
  selection: string,
  root = '',
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await doors.graphql(`{ answer: ${kind}(id: ${id}) { ${selection} } }`, {}, root)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.answer
}

/** A valid event but for what the test adds. */
export const party = { title: 'Party', startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00' }

const tables = [
  ...['event', 'venue', 'organizer', 'category', 'tag'].flatMap((kind) => [kind, `${kind}_text`, `${kind}_slug`]),
  ...['event_venue', 'event_organizer', 'event_category', 'event_tag', 'category_path', 'ticket', 'image', 'user'],
]

/** Every row that content consists of: equal before and after means that nothing was written. */
export async function everything({ db }: Pick<TestApp, 'db'>): Promise<Readonly<Record<string, string>>> {
  const found: Record<string, string> = {}
  for (const table of tables) {
    const rows = await db.$queryRawUnsafe<{ row: string }[]>(`SELECT t::text AS row FROM "${table}" t ORDER BY 1`)
    found[table] = rows.map(({ row }) => row).join('\n')
  }
  return found
}
