// Random searches of a few letters, and the requests that pass a search to each list of each API.
import type { Random } from '../../prisma/seed/random.ts'
import { ns } from './rest.ts'

/** Letters about as often as the texts of the sample have them, and what else people type. */
const letters = [...'eeeeeaaaaasssiiinnnttrrllooouuddccmmppbvgfhqyxjzkw', ...'éèàâçñóíúêœüß']
const others = [...'0123456789', ...`'"-–’.,;:!?/&%_*()\\|<>@#+€«»`, ...'日本音楽мир', 'القدس', '👍', '\u0301']

/** One to three words of one to three characters. */
export function shortSearch({ int, chance, pick }: Random): string {
  const word = () => Array.from({ length: int(1, 3) }, () => pick(chance(0.9) ? letters : others)).join('')
  const words = Array.from({ length: int(1, 3) }, () => {
    const plain = chance(0.1) ? word().toUpperCase() : word()
    const quoted = chance(0.1) ? `"${plain} ${word()}"` : plain
    return chance(0.1) ? `-${quoted}` : quoted
  })
  return words.join(chance(0.9) ? ' ' : ',')
}

const lists = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
const roots = ['', '/fr', '/es'] as const
const feeds = ['/events.ics', '/events.rss', '/events.json', '/feed/'] as const
const views = [
  '/',
  '/?view=list',
  '/?month=2026-12',
  '/?month=2026-11&view=list',
  '/?date=2026-12-05&view=list',
] as const

/** Addresses that pass the search on; each counts as a read of the same cost. */
export const searchedUrls: readonly ((search: string) => string)[] = [
  ...lists.flatMap((list) =>
    roots.map((root) => (search: string) => `${root}${ns}/${list}?search=${encodeURIComponent(search)}`),
  ),
  ...lists.map((list) => (search: string) => `${ns}/${list}?per_page=50&page=2&search=${encodeURIComponent(search)}`),
  ...[...feeds, ...views, '/embed/events', `${ns}/events?start_date=2000-01-01&end_date=2100-01-01`].map(
    (path) => (search: string) => `${path}${path.includes('?') ? '&' : '?'}search=${encodeURIComponent(search)}`,
  ),
  ...['/fr', '/es', '/en'].map(
    (root) => (search: string) => `${root}/suggestions?prefix=${encodeURIComponent(search)}`,
  ),
]

const filter = 'filter: { search: $search }'
const parts = 'filter: { search: $search, searchMode: SUBSTRING }'
const eventOrders = [
  'RELEVANCE',
  'START',
  'END',
  'PUBLICATION',
  'MODIFIED',
  'TITLE',
  'PRICE',
  'AUTHOR',
  'PLACE_NAME',
  'ALL_DAY',
]
const event = 'title url startsAt endsAt'

/** Selections of lists, with the variable `$search`. */
export const searchedFields: readonly string[] = [
  ...eventOrders.map((field) => `events(${filter}, orderBy: { field: ${field} }) { totalCount nodes { ${event} } }`),
  ...eventOrders.map(
    (field) => `eventsPage(${parts}, orderBy: { field: ${field}, direction: DESC }) { items { ${event} } }`,
  ),
  `events(first: 100, ${filter}) { nodes { ${event} } pageInfo { hasNextPage } }`,
  `eventsPage(page: 3, ${filter}) { total totalPages searchMatch items { ${event} venues { name } } }`,
  `events(filter: { not: { search: $search } }) { totalCount nodes { ${event} } }`,
  `events(filter: { any: [{ search: $search }, { placeName: $search }] }) { totalCount }`,
  `events(filter: { placeName: $search }) { totalCount nodes { ${event} } }`,
  `events(filter: { cities: [$search] }) { totalCount nodes { ${event} } }`,
  ...lists
    .slice(1)
    .flatMap((list) => [
      `${list}(${filter}) { totalCount nodes { name url } }`,
      `${list}Page(${parts}) { total items { name } }`,
      `${list}(${filter}) { nodes { name events(first: 3) { totalCount nodes { title } } } }`,
    ]),
  ...['venues', 'organizers'].map((list) => `${list}(${filter}, orderBy: { field: RELEVANCE }) { nodes { name } }`),
  `images(${filter}) { totalCount nodes { url } }`,
  `searchSuggestions(prefix: $search) { text kind url }`,
  `searchSuggestions(prefix: $search, first: 20) { text node { id } }`,
  `eventFacets(${filter}) { totalCount categories { count } tags { count } venues { count } organizers { count } cities { count } months { count } languages { count } prices { count } }`,
  `eventCalendar(from: "2026-11-01", to: "2026-12-31", ${filter}) { totalCount days { date totalCount events { title } } }`,
  `event(id: 748) { venues { events(${filter}) { totalCount } } }`,
  `venue(id: 335) { events(${filter}) { totalCount } }`,
  `venues(first: 3) { nodes { events(${filter}) { totalCount nodes { title } } } }`,
  `events(${filter}, first: 3) { nodes { title related(first: 3) { title } next { title } previous { title } } }`,
]

/** Each request costs 100, and a feed as much for each hundred events. */
export const readCost = ({ payload }: { readonly payload: string }): number =>
  100 * Math.max(1, Math.ceil((payload.match(/^BEGIN:VEVENT/gm)?.length ?? 0) / 100))
