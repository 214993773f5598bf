// Clients that follow `changes` of GraphQL and `sync_token` of REST, with the rights of a reader, in a language.
import { expect } from 'vitest'

export interface Reader {
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
}

interface GraphqlPage extends Omit<Page, 'changes'> {
  readonly changes: readonly { type: string; kind: string; databaseId: number; record: object | null }[]
}

interface Written {
  readonly record?: { readonly databaseId: number } | null
  readonly userErrors: readonly unknown[]
}

/** What either API responds. */
export interface Body {
  readonly data: { readonly changes: GraphqlPage; readonly done: Written }
  readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[]
  readonly code: string
  readonly deleted: readonly number[]
  readonly sync_token: string
  readonly has_more: boolean
  readonly [resource: string]: unknown
}

/** Sends a request to an instance. Rejects or returns undefined if the instance or its database was lost. */
export type Send = (
  path: string,
  headers: Readonly<Record<string, string>>,
  query?: object,
) => Promise<Body | undefined>

export interface Follower {
  readonly reader: Reader
  readonly root: string
  /** What it follows, by GraphQL a filter, by REST a path with a query. */
  readonly list: object | string
  copy: Map<string, unknown>
  readonly told: Set<string>
  token: string | null
}

interface Page {
  /** The record by its key, or null for one to remove. */
  readonly changes: readonly (readonly [key: string, record: unknown])[]
  readonly token: string
  readonly hasMore: boolean
}

const document = `query ($after: String, $first: Int, $filter: ChangeFilter) {
  changes(after: $after, first: $first, filter: $filter) { token hasMore changes {
    type kind databaseId record {
      ... on Event { title status startsAt publishedAt author { name } venues { name city } organizers { name }
        categories { name url } tags { name } }
      ... on Venue { name city status }
      ... on Organizer { name status }
      ... on Category { name count url }
      ... on Tag { name count } } } } }`

async function readGraphql({ root, list, token, reader }: Follower, send: Send): Promise<Page | undefined> {
  const variables = { after: token, first: 40, filter: list }
  const body = await send(`${root}/graphql`, reader.headers, { query: document, variables })
  if (body === undefined) return undefined
  const { changes, ...page } = body.data.changes
  return {
    ...page,
    changes: changes.map(({ type, kind, databaseId, record }) => [
      `${kind} ${databaseId}`,
      type === 'REMOVED' ? null : record,
    ]),
  }
}

const kindOf: Readonly<Record<string, string>> = { events: 'EVENT', venues: 'VENUE', tags: 'TAG' }

async function readRest({ root, list, token, reader }: Follower, send: Send): Promise<Page | undefined> {
  const path = `${root}/cal/events/v1/${list}&per_page=40&sync_token=${token ?? ''}`
  const body = await send(path, reader.headers)
  if (body === undefined) return undefined
  const resource = /^\w+/.exec(String(list))?.[0] ?? ''
  const keyOf = (id: number) => `${kindOf[resource]} ${id}`
  const records = (body[resource] as { id: number }[]).map(
    (record) => [keyOf(record.id), withoutCounts(record)] as const,
  )
  const removed = body.deleted.map((id) => [keyOf(id), null] as const)
  return { changes: [...records, ...removed], token: body.sync_token, hasMore: body.has_more }
}

/** An event has the numbers of events in its categories and tags as they were when it was sent. */
function withoutCounts(record: object): object {
  if (!('categories' in record)) return record
  return JSON.parse(JSON.stringify(record, (key, value) => (key === 'count' ? undefined : value)))
}

/** Reads until there is nothing more, or an instance is lost. Returns whether all was read. */
export async function follow(follower: Follower, send: Send): Promise<boolean> {
  const read = typeof follower.list === 'string' ? readRest : readGraphql
  for (;;) {
    const page = await read(follower, send).catch(() => undefined)
    if (!page) return false
    for (const [key, record] of page.changes) {
      follower.told.add(key)
      if (record === null) follower.copy.delete(key)
      else follower.copy.set(key, record)
    }
    follower.token = page.token
    if (!page.hasMore) return true
  }
}

const sorted = (copy: Follower['copy']) => [...copy].sort(([a], [b]) => (a < b ? -1 : 1))

/** Expects that a follower has what a new one reads. */
export async function expectFresh(follower: Follower, send: Send): Promise<void> {
  const fresh = { ...follower, copy: new Map(), told: new Set<string>(), token: null }
  // A busy machine may refuse a request.
  for (const each of [follower, fresh]) await expect.poll(() => follow(each, send), { interval: 100 }).toBe(true)
  const who = [follower.reader.name, follower.root, follower.list]
  expect([...who, sorted(follower.copy)]).toEqual([...who, sorted(fresh.copy)])
}
