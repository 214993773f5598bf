// A small legacy site: a WordPress calendar with its REST interface, on a free port of the loopback address.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'

/** A record as the site shows it. */
export type LegacyItem = Readonly<Record<string, unknown>>

export interface LegacyRecords {
  events: LegacyItem[]
  venues: LegacyItem[]
  organizers: LegacyItem[]
  categories: LegacyItem[]
  tags: LegacyItem[]
}

export interface LegacyReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Buffer
}

export interface LegacySite {
  /** Origin, such as `http://127.0.0.1:4711`. */
  readonly url: string
  /** The namespace of the first language. */
  readonly root: string
  /** The namespace of a language. */
  rootOf(language: string): string
  /** The records by language; tests may change them. */
  readonly records: Record<string, LegacyRecords>
  /** Paths with queries, in the order of the requests; tests may empty it. */
  readonly requests: string[]
  /** Headers of the requests, in the same order. */
  readonly requestHeaders: IncomingMessage['headers'][]
  /**
   * What is odd about the site: replaces a response, or resets its connection. Returns undefined for the usual response.
   * `count` is the number of requests so far with this path and query.
   */
  odd: (url: URL, count: number, usual: LegacyReply) => LegacyReply | 'reset' | undefined
  close(): Promise<void>
}

/** Credentials that the site accepts. */
export const legacyUser = { user: 'editor', password: 'abcd efgh ijkl' }

const namespace = '/tribe/events/v1'
const unpublished = ['future', 'draft', 'pending', 'private', 'trash']
const listNames = ['events', 'venues', 'organizers', 'categories', 'tags'] as const

/** `records` by language: the first has the root `/wp-json`, others `/fr/wp-json`. */
export async function startLegacySite(records: Record<string, Partial<LegacyRecords>>): Promise<LegacySite> {
  const all = Object.fromEntries(
    Object.entries(records).map(([language, lists]) => [language, { ...emptyRecords(), ...lists }]),
  )
  const [first = 'en'] = Object.keys(all)
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', site.url)
    const path = url.pathname + url.search
    const count = (counts.get(path) ?? 0) + 1
    counts.set(path, count)
    site.requests.push(path)
    site.requestHeaders.push(request.headers)
    const usual = answer(url, request.headers.authorization, all, first)
    const reply = site.odd(url, count, usual) ?? usual
    if (reply === 'reset') return void request.socket.destroy()
    response.writeHead(reply.status, reply.headers).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const rootOf = (language: string) => `${url}${language === first ? '' : `/${language}`}/wp-json${namespace}`
  const site: LegacySite = {
    url,
    root: rootOf(first),
    rootOf,
    records: all,
    requests: [],
    requestHeaders: [],
    odd: () => undefined,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return site
}

const emptyRecords = (): LegacyRecords => ({ events: [], venues: [], organizers: [], categories: [], tags: [] })

export const jsonReply = (body: unknown, status = 200, headers = {}): LegacyReply => ({
  status,
  headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
  body: JSON.stringify(body),
})

const failed = (status: number, code: string) => jsonReply({ code, message: 'No.', data: { status } }, status)

function answer(
  url: URL,
  authorization: string | undefined,
  all: Record<string, LegacyRecords>,
  first: string,
): LegacyReply {
  const { user, password } = legacyUser
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  if (authorization && authorization !== expected) return failed(401, 'incorrect_password')
  const [, prefix = '', path = ''] = /^(?:\/([a-z-]{2,5}))?\/wp-json(\/.*)?$/.exec(url.pathname) ?? []
  const route = (url.searchParams.get('rest_route') ?? path).replace(/\/$/, '')
  const records = all[prefix || first]
  if (url.pathname.startsWith('/uploads/'))
    return { status: 200, headers: { 'content-type': 'image/png' }, body: pixel }
  if (!records || (!url.pathname.includes('wp-json') && !url.searchParams.has('rest_route'))) return homePage(url)
  if (route === '') return jsonReply({ name: 'Legacy', namespaces: ['oembed/1.0', namespace.slice(1)], routes: {} })
  if (route === namespace) return jsonReply({ namespace: namespace.slice(1), routes: {} })
  const [list = '', id] = route.replace(`${namespace}/`, '').split('/')
  const name = listNames.find((each) => each === list)
  if (!name || !route.startsWith(namespace)) return failed(404, 'rest_no_route')
  const visible = records[name].filter(({ status }) => authorization || !unpublished.includes(String(status)))
  if (id !== undefined) return single(visible, id)
  return listReply(name, name === 'events' ? inWindow(visible, url) : visible, url)
}

function homePage(url: URL): LegacyReply {
  if (url.pathname !== '/') return { status: 404, headers: { 'content-type': 'text/html' }, body: '<h1>Not found</h1>' }
  const body = `<!doctype html><link rel="https://api.w.org/" href="${url.origin}/wp-json/"><h1>Legacy</h1>`
  return { status: 200, headers: { 'content-type': 'text/html' }, body }
}

function single(items: readonly LegacyItem[], id: string): LegacyReply {
  const item = items.find((each) => String(each.id) === id)
  return item ? jsonReply({ json_ld: { '@type': 'Event' }, ...item }) : failed(404, 'rest-event-not-found')
}

/** Without dates, past events are left out, and hidden events always. */
function inWindow(events: readonly LegacyItem[], url: URL): LegacyItem[] {
  const start = url.searchParams.get('start_date') ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const end = url.searchParams.get('end_date') ?? new Date(Date.now() + 730 * 86_400_000).toISOString().slice(0, 10)
  return events
    .filter(({ hide_from_listings }) => hide_from_listings !== true)
    .filter(
      ({ start_date }) => String(start_date ?? start) >= start && String(start_date ?? start) <= `${end} 23:59:59`,
    )
    .toSorted((a, b) => String(a.start_date).localeCompare(String(b.start_date)) || Number(a.id) - Number(b.id))
}

function listReply(name: (typeof listNames)[number], items: readonly LegacyItem[], url: URL): LegacyReply {
  const perPage = Math.min(Number(url.searchParams.get('per_page') ?? 10), 50)
  const page = Number(url.searchParams.get('page') ?? 1)
  const pages = Math.ceil(items.length / perPage)
  const shown = items.slice((page - 1) * perPage, page * perPage).map(({ json_ld: _, ...item }) => item)
  if (page > 1 && shown.length === 0) return failed(404, `${name.replace(/s$/, '')}-archive-page-not-found`)
  const next = new URL(url)
  next.searchParams.set('page', String(page + 1))
  const body = {
    [name]: shown,
    rest_url: url.href,
    ...(page < pages ? { next_rest_url: next.href } : {}),
    total: items.length,
    total_pages: pages,
  }
  return jsonReply(body, 200, { 'x-tec-total': String(items.length), 'x-tec-totalpages': String(pages) })
}

/** An event as the site shows it, with the given fields. */
export function legacyEvent(id: number, fields: LegacyItem = {}): LegacyItem {
  const day = `2031-05-${String((id % 28) + 1).padStart(2, '0')}`
  return {
    ...legacyPost(id),
    url: `https://legacy.example/event/event-${id}/`,
    rest_url: `https://legacy.example/wp-json${namespace}/events/${id}`,
    title: `Event ${id}`,
    slug: `event-${id}`,
    all_day: false,
    start_date: `${day} 19:00:00`,
    end_date: `${day} 21:00:00`,
    utc_start_date: `${day} 17:00:00`,
    utc_end_date: `${day} 19:00:00`,
    timezone: 'Europe/Paris',
    timezone_abbr: 'CEST',
    cost: '',
    cost_details: { currency_symbol: '', currency_code: '', currency_position: '', values: [] },
    website: `https://legacy.example/event/event-${id}/`,
    show_map: true,
    show_map_link: true,
    hide_from_listings: false,
    sticky: false,
    featured: false,
    image: false,
    excerpt: '',
    categories: [],
    tags: [],
    venue: [],
    organizer: [],
    custom_fields: [],
    ...fields,
  }
}

/** A date of the recurring event `course`, whose URL ends with the day. `time`: local start and end. */
export const legacyDate = (
  id: number,
  day: string,
  fields: LegacyItem = {},
  time = ['18:00', '20:00'],
): LegacyItem => ({
  ...legacyEvent(id),
  ...{ title: 'Course', slug: 'course', description: '<p>For everybody</p>', timezone: 'Europe/Paris' },
  url: `https://legacy.example/event/course/${day}/`,
  website: `https://legacy.example/event/course/${day}/`,
  ...{ start_date: `${day} ${time[0]}:00`, end_date: `${day} ${time[1]}:00` },
  ...{ utc_start_date: undefined, utc_end_date: undefined },
  ...fields,
})

/** A venue as the site shows it: without the fields that have no value. */
export const legacyVenue = (id: number, fields: LegacyItem = {}): LegacyItem => ({
  ...legacyPost(id),
  url: `https://legacy.example/venue/venue-${id}/`,
  venue: `Venue ${id}`,
  slug: `venue-${id}`,
  show_map: true,
  show_map_link: true,
  ...fields,
})

export const legacyOrganizer = (id: number, fields: LegacyItem = {}): LegacyItem => ({
  ...legacyPost(id),
  url: `https://legacy.example/organizer/organizer-${id}/`,
  organizer: `Organizer ${id}`,
  slug: `organizer-${id}`,
  ...fields,
})

export const legacyTerm = (id: number, fields: LegacyItem = {}): LegacyItem => ({
  id,
  name: `Term ${id}`,
  slug: `term-${id}`,
  description: '',
  taxonomy: 'tribe_events_cat',
  parent: 0,
  count: 1,
  meta: [],
  ...fields,
})

const legacyPost = (id: number): LegacyItem => ({
  id,
  global_id: `legacy.example?id=${id}`,
  global_id_lineage: [`legacy.example?id=${id}`],
  author: '2',
  status: 'publish',
  date: '2020-01-05 10:00:00',
  date_utc: '2020-01-05 09:00:00',
  modified: '2020-02-05 10:00:00',
  modified_utc: '2020-02-05 09:00:00',
  description: `<p>Description of ${id}</p>`,
})

/** A PNG image of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
