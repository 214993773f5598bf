// The measured requests: REST and GraphQL with and without the response cache, and the yardsticks.
import { sendRequest, type Target } from './load.ts'
import { freePort, type Server, startServer } from './processes.ts'
import { listQuery, singleQuery } from './queries.ts'
import { site } from './write-texts.ts'
import type { Writer } from './writer.ts'

export const listPath = '/cal/events/v1/events'

/** Settings of the measured service. */
export const measured = {
  HOST: '127.0.0.1',
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

interface Servers {
  readonly cached: Server
  readonly uncached: Server
  readonly yardsticks: Server
}

/** Targets that only read. */
export async function readTargets({ cached, uncached, yardsticks }: Servers): Promise<Target[]> {
  const rest = { name: 'REST list, cached', url: cached.root + listPath }
  const still = { name: 'static', url: `${yardsticks.root}/static` }
  const [first] = restList((await sendRequest(rest)).body.toString()).ids
  if (first === undefined) throw new Error('The list is empty')
  const list = listQuery(new Date())
  const event = singleQuery(first)
  return [
    rest,
    { name: 'GraphQL list, cached', url: `${cached.root}/graphql`, body: list },
    await unchanged('REST list, 304', rest),
    still,
    await unchanged('static, 304', still),
    { name: 'REST list', url: uncached.root + listPath },
    { name: 'GraphQL list', url: `${uncached.root}/graphql`, body: list },
    { name: 'SQL list', url: `${yardsticks.root}/list` },
    { name: 'SQL list, tuned', url: `${yardsticks.root}/tuned/list` },
    { name: 'REST event', url: `${uncached.root}${listPath}/${first}` },
    { name: 'GraphQL event', url: `${uncached.root}/graphql`, body: event },
    { name: 'SQL event', url: `${yardsticks.root}/events/${first}` },
    { name: 'SQL event, tuned', url: `${yardsticks.root}/tuned/events/${first}` },
  ]
}

/** The same request with If-None-Match, which gets 304. */
async function unchanged(name: string, target: Target): Promise<Target> {
  const etag = (await sendRequest(target)).headers.get('etag')
  if (etag === null) throw new Error(`${target.name} has no ETag`)
  return { ...target, name, status: 304, headers: { 'if-none-match': etag } }
}

export const writeTargets = ({ cached, yardsticks }: Servers, { headers, body }: Writer): Target[] => [
  { name: 'REST create', url: cached.root + listPath, headers, body },
  { name: 'SQL create', url: `${yardsticks.root}/create`, body },
]

/** Throws unless all targets return the same non-empty list, and its first event as the single event. */
export async function checkSame(targets: readonly Target[]): Promise<void> {
  const lists = new Set<string>()
  const events = new Set<number>()
  for (const target of targets) {
    const { list, event } = readers[target.name] ?? {}
    if (!list && !event) continue
    const response = (await sendRequest(target)).body.toString()
    if (event) events.add(event(response))
    const read = list?.(response)
    if (read?.ids.length === 0) throw new Error(`${target.name} is empty`)
    if (read) lists.add(JSON.stringify(read))
  }
  if (lists.size !== 1) throw new Error(`The lists differ: ${[...lists].join(' ')}`)
  if (events.size !== 1) throw new Error(`The events differ: ${[...events].join(' ')}`)
}

interface List {
  readonly total: number
  readonly ids: readonly number[]
}

interface Reader {
  readonly list?: (response: string) => List
  readonly event?: (response: string) => number
}

const readers: Readonly<Record<string, Reader>> = {
  'REST list, cached': { list: restList },
  'GraphQL list, cached': { list: graphqlList },
  static: { list: restList },
  'REST list': { list: restList },
  'GraphQL list': { list: graphqlList },
  'SQL list': { list: restList },
  'SQL list, tuned': { list: restList },
  'REST event': { event: idOf },
  'GraphQL event': { event: (response) => JSON.parse(response).data.event.databaseId },
  'SQL event': { event: idOf },
  'SQL event, tuned': { event: idOf },
}

function idOf(response: string): number {
  return (JSON.parse(response) as { id: number }).id
}

function graphqlList(response: string): List {
  const { data } = JSON.parse(response) as { data: { eventsPage: { items: { databaseId: number }[]; total: number } } }
  return { total: data.eventsPage.total, ids: data.eventsPage.items.map((event) => event.databaseId) }
}

function restList(response: string): List {
  const { events, total } = JSON.parse(response) as { events: { id: number }[]; total: number }
  return { total, ids: events.map((event) => event.id) }
}
