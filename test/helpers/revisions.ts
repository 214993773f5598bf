// Reads and restores revisions, and reads the content of a record from its rows.
import { expect } from 'vitest'
import type { Db } from '../../src/engine/postgres/client.ts'
import type { ApiClient } from './app.ts'

interface Revision {
  readonly id: string
  readonly action: string
  readonly source: string | null
  readonly user: { readonly name: string } | null
  readonly changes: readonly { field: string; language: string | null; before: unknown; after: unknown }[]
}

const capitalized = (text: string) => text.replace(/^./, (letter) => letter.toUpperCase())

/** Runs a mutation that must succeed, and returns the ID of its record. */
export async function write(client: ApiClient, mutation: string, input: object): Promise<number> {
  const [, verb, type = ''] = /^([a-z]+)(\w+)$/.exec(mutation) ?? []
  const isRecordInput = verb === 'trash' || verb === 'delete'
  const record =
    verb === 'delete' ? 'userErrors { message }' : `${type.toLowerCase()} { databaseId } userErrors { message path }`
  const { body } = await client.graphql(
    `mutation ($input: ${isRecordInput ? 'RecordInput' : `${capitalized(mutation)}Input`}!) { ${mutation}(input: $input) { ${record} } }`,
    { input },
  )
  expect(body.errors).toBeUndefined()
  expect(body.data[mutation].userErrors).toEqual([])
  return body.data[mutation][type.toLowerCase()]?.databaseId
}

/** The revisions of a record, newest first. */
export async function revisionsOf(client: ApiClient, kind: string, id: number): Promise<Revision[]> {
  const { body } = await client.graphql(
    `query ($id: ID!) { ${kind}(id: $id) { revisions(first: 50) { nodes {
      id action source createdAt user { name } changes { field language before after } } } } }`,
    { id: String(id) },
  )
  expect(body.errors).toBeUndefined()
  return body.data[kind].revisions.nodes
}

export async function restoreRevision(client: ApiClient, input: object) {
  const { body } = await client.graphql(
    `mutation ($input: RestoreRevisionInput!) { restoreRevision(input: $input) { userErrors { code message path }
      record { id ... on Post { databaseId } ... on Event { title } } } }`,
    { input },
  )
  expect(body.errors).toBeUndefined()
  return body.data.restoreRevision as {
    readonly record: object | null
    readonly userErrors: readonly { readonly code: string; readonly message: string }[]
  }
}

const computed = [
  'modified_at',
  'sequence',
  'password_key',
  'email',
  'folded_address',
  'folded_city',
  'trashed_from',
  'live',
]

/** The content of a record: its columns, its texts by language as written, and its links and tickets in their order. */
export async function stateOf(db: Db, kind: string, id: number): Promise<Record<string, unknown>> {
  const rows = async (sql: string) =>
    (await db.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(sql)).map(({ row }) => row)
  const [columns = {}] = await rows(`SELECT to_jsonb(r) AS row FROM "${kind}" r WHERE id = ${id}`)
  const texts = await rows(`SELECT to_jsonb(t) - 'stems' AS row FROM "${kind}_text" t WHERE ${kind}_id = ${id}`)
  const written = texts.flatMap((text) =>
    (text.written as string[]).map((name) => {
      return [`${name}@${text.language}`, text[name === 'altText' ? 'alt_text' : name]]
    }),
  )
  const links: [string, unknown][] = []
  if (kind === 'event') {
    for (const part of ['venue', 'organizer', 'category', 'tag'] as const) {
      const order = part === 'venue' || part === 'organizer' ? 'position' : `${part}_id`
      const linked = await rows(
        `SELECT to_jsonb(l) AS row FROM event_${part} l WHERE event_id = ${id} ORDER BY ${order}`,
      )
      links.push([part, linked.map((row) => row[`${part}_id`])])
    }
    const tickets = await rows(
      `SELECT to_jsonb(t) - 'id' AS row FROM ticket t WHERE event_id = ${id} ORDER BY position`,
    )
    links.push(['ticket', tickets])
  }
  const own = Object.entries(columns).filter(([column]) => !computed.includes(column))
  return Object.fromEntries([...own, ...written, ...links])
}
