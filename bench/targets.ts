// The measured requests: REST and GraphQL with and without the response cache, and the yardsticks.
import { isDeepStrictEqual } from 'node:util'
import { sendRequest, type Target } from './load.ts'
import { freePort, type Server, startServer } from './processes.ts'
import { connectionQuery, listQuery, singleQuery } from './queries.ts'
import { pageNumbers, withVariables } from './spread.ts'
import { site } from './write-texts.ts'
import type { Writer } from './writer.ts'
import { site as publicUrl } from './yardstick-rest.ts'

export const listPath = '/cal/events/v1/events'

/** Settings of the measured service. */
export const measured = {
  HOST: '127.0.0.1',
  PUBLIC_URL: publicUrl,
  LANGUAGES: site.languages.join(),
  DEFAULT_LANGUAGE: site.defaultLanguage,
  SEED: 'off',
  LOG_LEVEL: 'warn',
  RATE_LIMIT: '0',
} as const

export async function startService(
  database: string,
  settings: Readonly<Record<string, string>> = {},
  checkout?: string,
): Promise<Server> {
  const port = await freePort()
  const environment = { ...measured, DATABASE_URL: database, PORT: String(port), ...settings }
  return startServer('src/server.ts', port, { environment, path: listPath, checkout })
}

export async function startYardsticks(database: string, file: string, { id }: Writer): Promise<Server> {
  const port = await freePort()
  return startServer('bench/yardsticks.ts', port, { args: [database, file, String(port), String(id)] })
}

export interface Servers {
  readonly cached: Server
  readonly uncached: Server
  /** Without response cache and with LANGUAGE_FALLBACK=off. */
  readonly withoutFallback: Server
  readonly yardsticks: Server
}

/** Targets that are served from memory. */
export async function memoryTargets({ cached, yardsticks }: Servers): Promise<Target[]> {
  const rest = { name: 'REST list, cached', url: cached.root + listPath }
  const still = { name: 'static', url: `${yardsticks.root}/static` }
  const query = encodeURIComponent(JSON.parse(listQuery(new Date())).query)
  const variables = encodeURIComponent(JSON.stringify(JSON.parse(listQuery(new Date())).variables))
  const address = `${cached.root}/graphql?query=${query}&operationName=LegacyEvents&variables=${variables}`
  return [
    rest,
    still,
    { name: 'GraphQL list, cached', url: `${cached.root}/graphql`, body: listQuery(new Date()) },
    { name: 'static, by POST', url: `${yardsticks.root}/static`, body: listQuery(new Date()) },
    { name: 'GraphQL list by GET, cached', url: address },
    await unchanged('REST list, 304', rest),
    await unchanged('static, 304', still),
  ]
}

/** The same request with If-None-Match, which gets 304. */
async function unchanged(name: string, target: Target): Promise<Target> {
  const etag = (await sendRequest(target)).headers.get('etag')
  if (etag === null) throw new Error(`${target.name} has no ETag`)
  return { ...target, name, status: 304, headers: { 'if-none-match': etag } }
}

/** Targets that read the database: a single page and event again and again, and those of `spread` in turn. */
export async function readTargets(
  { uncached, withoutFallback, yardsticks }: Servers,
  ids: readonly number[],
): Promise<Target[]> {
  const now = new Date()
  const { root } = yardsticks
  const graphql = { url: `${uncached.root}/graphql` }
  const list = { name: 'REST list', url: uncached.root + listPath }
  const first = ids[0] ?? 0
  const listBody = listQuery(now)
  const pages = await pagesOf(list)
  const written = await pagesOf({ name: 'fallback off', url: withoutFallback.root + listPath })
  const cursors = await readCursors(graphql.url, now, pages.length)
  return [
    list,
    { name: 'GraphQL list', ...graphql, body: listBody },
    { name: 'SQL list', url: `${root}/list` },
    { ...list, name: 'REST list, spread', spread: pages.map((page) => ({ path: `${listPath}?page=${page}` })) },
    {
      name: 'GraphQL list, spread',
      ...graphql,
      body: listBody,
      spread: pages.map((page) => ({ body: withVariables(listBody, { page }) })),
    },
    { name: 'SQL list, spread', url: `${root}/list`, spread: pages.map((page) => ({ path: `/list?page=${page}` })) },
    {
      name: 'GraphQL connection, spread',
      ...graphql,
      body: connectionQuery(now, null),
      spread: cursors.map(({ cursor }) => ({ body: connectionQuery(now, cursor) })),
    },
    {
      name: 'SQL connection, spread',
      url: `${root}/after/${cursors[0]?.id}`,
      spread: cursors.map(({ id }) => ({ path: `/after/${id}` })),
    },
    {
      name: 'REST list, spread, fallback off',
      url: withoutFallback.root + listPath,
      spread: written.map((page) => ({ path: `${listPath}?page=${page}` })),
    },
    {
      name: 'GraphQL list, spread, fallback off',
      url: `${withoutFallback.root}/graphql`,
      body: listBody,
      spread: written.map((page) => ({ body: withVariables(listBody, { page }) })),
    },
    {
      name: 'SQL list, spread, fallback off',
      url: `${root}/list?fallback=off`,
      spread: written.map((page) => ({ path: `/list?fallback=off&page=${page}` })),
    },
    { name: 'REST event', url: `${uncached.root}${listPath}/${first}` },
    { name: 'GraphQL event', ...graphql, body: singleQuery(first) },
    { name: 'SQL event', url: `${root}/events/${first}` },
    {
      name: 'REST event, spread',
      url: `${uncached.root}${listPath}/${first}`,
      spread: ids.map((id) => ({ path: `${listPath}/${id}` })),
    },
    {
      name: 'GraphQL event, spread',
      ...graphql,
      body: singleQuery(first),
      spread: ids.map((id) => ({ body: singleQuery(id) })),
    },
    {
      name: 'SQL event, spread',
      url: `${root}/events/${first}`,
      spread: ids.map((id) => ({ path: `/events/${id}` })),
    },
  ]
}

async function pagesOf(list: Target): Promise<number[]> {
  const { total_pages } = JSON.parse((await sendRequest(list)).body.toString()) as { total_pages: number }
  return pageNumbers(total_pages)
}

interface Cursor {
  readonly cursor: string
  /** ID of the event at the cursor. */
  readonly id: number
}

interface ConnectionResponse {
  readonly data: {
    readonly events: {
      readonly nodes: readonly { readonly databaseId: number }[]
      readonly pageInfo: { readonly endCursor: string }
    }
  }
}

/** The ends of the first pages but the last. */
async function readCursors(url: string, now: Date, pages: number): Promise<Cursor[]> {
  const cursors: Cursor[] = []
  for (let page = 1; page < Math.max(2, pages); page += 1) {
    const body = connectionQuery(now, cursors.at(-1)?.cursor ?? null)
    const response = (await sendRequest({ name: 'GraphQL connection', url, body })).body.toString()
    const { nodes, pageInfo } = (JSON.parse(response) as ConnectionResponse).data.events
    cursors.push({ cursor: pageInfo.endCursor, id: nodes.at(-1)?.databaseId ?? 0 })
  }
  return cursors
}

export const writeTargets = ({ cached, yardsticks }: Servers, { headers, body }: Writer): Target[] => [
  { name: 'REST create', url: cached.root + listPath, headers, body },
  { name: 'SQL create', url: `${yardsticks.root}/create`, body },
]

/** Number of pages and events to compare. */
const samples = 20

/** Throws unless the hand-written routes send the same JSON as the REST API, and GraphQL the same events. */
export async function checkSame(
  { uncached, withoutFallback, yardsticks }: Servers,
  ids: readonly number[],
): Promise<void> {
  const read = async (url: string) => JSON.parse((await sendRequest({ name: url, url })).body.toString())
  const [pages, now] = [await pagesOf({ name: 'REST list', url: uncached.root + listPath }), new Date()]
  for (const page of some(pages)) {
    const expected = (await read(`${uncached.root}${listPath}?page=${page}`)) as List
    const sent = (await read(`${yardsticks.root}/list?page=${page}`)) as List
    if (expected.events.length === 0) throw new Error('The list is empty')
    // The hand-written route does not withhold what a password protects.
    for (const [index, event] of expected.events.entries()) {
      if (event.id !== sent.events[index]?.id || !(isLocked(event) || isDeepStrictEqual(event, sent.events[index])))
        throw new Error(`Event ${event.id} of page ${page} differs: ${difference(event, sent.events[index])}`)
    }
    const [{ events, ...links }, { events: _, ...sentLinks }] = [expected, sent]
    if (!isDeepStrictEqual(links, sentLinks)) throw new Error(`The links differ: ${difference(links, sentLinks)}`)
    const body = withVariables(listQuery(now), { page })
    const response = (
      await sendRequest({ name: 'GraphQL list', url: `${uncached.root}/graphql`, body })
    ).body.toString()
    const { items } = JSON.parse(response).data.page as { items: { databaseId: number }[] }
    if (items.map(({ databaseId }) => databaseId).join() !== idsOf(expected)) throw new Error('GraphQL lists others')
  }
  for (const id of some(ids)) {
    const [expected, sent] = [
      await read(`${uncached.root}${listPath}/${id}`),
      await read(`${yardsticks.root}/events/${id}`),
    ]
    if (!isDeepStrictEqual(expected, sent)) throw new Error(`Event ${id} differs: ${difference(expected, sent)}`)
  }
  const expected = (await read(`${withoutFallback.root}${listPath}`)) as List
  const sent = (await read(`${yardsticks.root}/list?fallback=off`)) as List
  if (idsOf(expected) !== idsOf(sent)) throw new Error('The lists without fallback differ')
}

interface List {
  readonly events: readonly { readonly id: number; readonly description: string }[]
}

const some = <Item>(items: readonly Item[]): Item[] =>
  items.filter((_, index) => index % Math.ceil(items.length / samples) === 0)

const idsOf = ({ events }: List): string => events.map(({ id }) => id).join()

const isLocked = ({ description }: List['events'][number]) => description === ''

function difference(expected: object, sent: object | undefined): string {
  const values = new Map(Object.entries(sent ?? {}))
  return Object.entries(expected)
    .filter(([name, value]) => !isDeepStrictEqual(value, values.get(name)))
    .map(([name, value]) => `${name}: ${JSON.stringify(value)} is ${JSON.stringify(values.get(name))}`)
    .join('; ')
}
