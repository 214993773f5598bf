// Helpers for tests of GraphQL mutations.
import type { TestApp } from './app.ts'

type Client = Pick<TestApp, 'graphql'>

export type Kind = 'event' | 'venue' | 'organizer' | 'category' | 'tag'
type Verb = 'create' | 'update' | 'trash' | 'restore' | 'delete'

/** The result of a mutation: the selected record, and each user error as its code, for BAD_INPUT with the field. */
export interface WriteResult {
  readonly record: Readonly<Record<string, unknown>> | null
  readonly errors: readonly string[]
}

export const capital = (kind: string) => `${kind.charAt(0).toUpperCase()}${kind.slice(1)}`

function inputType(verb: Verb, kind: Kind): string {
  if (verb === 'create' || verb === 'update') return `${capital(verb)}${capital(kind)}Input`
  return kind === 'category' || kind === 'tag' ? 'TermInput' : 'RecordInput'
}

/** Sends one mutation. Throws unless it has a payload. `root` is a language root such as `/fr`. */
export async function write(
  client: Client,
  verb: Verb,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
  selection = 'databaseId',
  root = '',
): Promise<WriteResult> {
  const payloadFields = verb === 'delete' ? 'databaseId' : `${kind} { ${selection} }`
  const query = `mutation ($input: ${inputType(verb, kind)}!) {
    result: ${verb}${capital(kind)}(input: $input) { ${payloadFields} userErrors { code path } } }`
  const { body } = await client.graphql(query, { input }, root)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  const { userErrors, ...payload } = body.data.result
  const errors = userErrors.map(({ code, path: [field] }: { code: string; path: readonly string[] }) =>
    code === 'BAD_INPUT' && field !== undefined ? `${code} ${field}` : code,
  )
  return { record: verb === 'delete' ? (payload.databaseId === null ? null : payload) : payload[kind], errors }
}

/** Sends a mutation that must succeed, and returns the ID of the record. */
export async function written(
  client: Client,
  verb: Verb,
  kind: Kind,
  input: Readonly<Record<string, unknown>>,
  root = '',
): Promise<number> {
  const { record, errors } = await write(client, verb, kind, input, 'databaseId', root)
  if (record === null) throw new Error(`${verb} ${kind}: ${errors.join(', ')}`)
  return record.databaseId as number
}

/** Reads a record by its ID. */
export async function read(
  client: Client,
  kind: Kind,
  id: number,
  selection: string,
  root = '',
): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await client.graphql(`{ result: ${kind}(id: ${id}) { ${selection} } }`, {}, root)
  if (body.errors) throw new Error(JSON.stringify(body.errors))
  return body.data.result
}

/** The required fields of an event. */
export const party = { title: 'Party', startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00' }

const tables = [
  ...['content', 'venue', 'organizer', 'category', 'tag'].flatMap((kind) => [kind, `${kind}_text`, `${kind}_slug`]),
  ...[
    'event',
    'content_venue',
    'content_organizer',
    'content_category',
    'content_tag',
    'category_path',
    'content_ticket',
    'image',
    'image_text',
    'user',
  ],
]

/** All rows of all content tables, by table. Equal results before and after mean that nothing was written. */
export async function allRows({ db }: Pick<TestApp, 'db'>): Promise<Readonly<Record<string, string>>> {
  const rowsOf = (table: string) =>
    `SELECT '${table}' AS name, string_agg(t::text, E'\\n' ORDER BY t::text) AS rows FROM "${table}" t`
  const found = await db.$queryRawUnsafe<{ name: string; rows: string | null }[]>(
    tables.map(rowsOf).join(' UNION ALL '),
  )
  return Object.fromEntries(found.map(({ name, rows }) => [name, rows ?? '']))
}
