// The requests that bench/growth.ts measures.

import { type BenchRequest, type Connection, maxSearchMs } from './bench-request.ts'
import { commonWord, phrase, place, type SampleRecords } from './sample-records.ts'
import { searchRequests } from './search-requests.ts'

const rest = '/cal/events/v1'
const day = (now: Date, days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
const fields = 'databaseId title startsLocal timeZone venues { name city } categories { name }'
const cursorPage = (after: string) => `{ events(first: 10${after}) { nodes { ${fields} } pageInfo { endCursor } } }`

/** The cursor after `count` events, which are at most 50 per page. */
async function cursorAfter(count: number, sendRequest: (query: string) => Promise<Connection>): Promise<string> {
  let after = ''
  for (let position = 0; position < count; position += 50) {
    const { events } = await sendRequest(`{ events(first: 50${after}) { pageInfo { endCursor } } }`)
    if (!events.pageInfo.endCursor) throw new Error(`There are no ${count} events`)
    after = `, after: "${events.pageInfo.endCursor}"`
  }
  return after
}

/** No order takes longer, in milliseconds. */
const maxOrderMs = 150

const searches = (...requests: readonly BenchRequest[]) =>
  requests.map((request) => ({ ...request, maxMs: maxSearchMs }))

export function benchRequests(named: SampleRecords, now: Date, events: number): readonly BenchRequest[] {
  const { startsAt, listed } = {
    startsAt: `startsAt: { gte: "${day(now, -1)}T00:00:00Z" }`,
    listed: `items { ${fields} }`,
  }
  const page = (filter: string, order: string, selection = listed) =>
    `{ eventsPage(filter: { ${filter} }, orderBy: { field: ${order} }) { ${selection} } }`
  const near = `near: { center: { latitude: ${place.latitude}, longitude: ${place.longitude} }, radius: 20 }`
  const geoloc = `geoloc_lat=${place.latitude}&geoloc_lng=${place.longitude}&geoloc_radius=20`
  const list = (name: string, query: string, resource = 'events'): BenchRequest => ({
    name,
    url: `${rest}/${resource}?${query}`,
  })
  const month = (filter: string) =>
    `{ eventCalendar(from: "${day(now, 2)}", to: "${day(now, 43)}", filter: { ${filter} }) {
      totalCount days { date totalCount events { databaseId title startsLocal allDay } } } }`
  const facets = (filter: string) =>
    `eventFacets(filter: { ${filter} }) {
      totalCount categories { category { name } count } tags { tag { name } count } venues { venue { name } count }
      organizers { organizer { name } count } cities { city count } months { month count }
      languages { language count } prices { price count } }`
  const lastPage = Math.min(1000, Math.floor((events * 0.8) / 10))
  return [
    { ...list('default list', ''), isEssential: true },
    list('default list, page 30', 'page=30'),
    { name: 'by number, REST', url: `${rest}/events/${named.event}`, isEssential: true },
    { name: 'by number', query: `{ event(id: "${named.event}") { ${fields} } }`, isEssential: true },
    { name: 'by slug, REST', url: `${rest}/events/by-slug/${encodeURIComponent(named.slug)}`, isEssential: true },
    { name: 'by slug', query: `{ event(slug: "${named.slug}") { ${fields} } }`, isEssential: true },
    { name: 'list without total', query: page(startsAt, 'START_LOCAL') },
    { name: 'count apart', query: page(startsAt, 'START_LOCAL', 'total') },
    ...searches(
      list('search, common word', `search=${commonWord}`),
      list('search, common word, page 3', `search=${commonWord}&page=3`),
    ),
    { ...list('search, rare word', `search=${named.rareWord}`), isEssential: true },
    {
      name: 'search, other forms',
      query: page(`search: "${named.rareWord}"`, 'START', `total ${listed}`),
      isEssential: true,
    },
    ...searches(
      { name: 'search, other forms, common', query: page(`search: "${commonWord}"`, 'START', `total ${listed}`) },
      { name: 'search, near matches', query: page('search: "exhibtion"', 'START', `searchMatch total ${listed}`) },
      list('search, phrase', `search=${encodeURIComponent(phrase)}`),
    ),
    list('category', `categories=${named.category}`),
    list('tag', `tags=${named.tag}`),
    list('venue', `venue=${named.venue}`),
    list('organizer', `organizer=${named.organizer}`),
    list('frequent category', `categories=${named.frequent.category}`),
    list('frequent tag', `tags=${named.frequent.tag}`),
    list('frequent venue', `venue=${named.frequent.venue}`),
    list('frequent organizer', `organizer=${named.frequent.organizer}`),
    { name: 'author', query: page(`authors: [${named.author}]`, 'START') },
    { name: 'frequent author', query: page(`authors: [${named.frequent.author}]`, 'START') },
    list('within 20 km', geoloc),
    list('featured', 'featured=1'),
    list('ticketed', 'ticketed=1'),
    list('include', `include=${named.events.join()}`),
    list('dates far ahead', `start_date=${day(now, 500)}&end_date=${day(now, 510)}`),
    list('venues', '', 'venues'),
    list('venues, search', `search=${named.venueWord}`, 'venues'),
    list('venues with upcoming', 'only_with_upcoming=1', 'venues'),
    list('categories', '', 'categories'),
    list('tags', '', 'tags'),
    ...[
      { name: 'by title', query: page('when: UPCOMING', 'TITLE') },
      ...['PRICE', 'AUTHOR', 'PLACE_NAME', 'ALL_DAY'].map((order) => ({ name: `by ${order}`, query: page('', order) })),
      { name: 'by title, no match', query: page('categories: ["no-such-category"]', 'TITLE') },
      { name: 'by distance', query: page(near, 'DISTANCE') },
    ].map((request) => ({ ...request, maxMs: maxOrderMs })),
    { name: 'by relevance, rare', query: page(`search: "${named.rareWord}"`, 'RELEVANCE') },
    ...searches({ name: 'by relevance, common', query: page(`search: "${commonWord}"`, 'RELEVANCE') }),
    { name: 'month view', query: month(''), isEssential: true },
    { name: 'month view, category', query: month(`categories: ["${named.category}"]`) },
    {
      name: 'facets of a month',
      query: `{ ${facets(`between: { from: "${day(now, 2)}", to: "${day(now, 43)}", match: OVERLAPPING }`)} }`,
    },
    { name: 'facets of upcoming events', query: `{ ${facets('when: UPCOMING')} }` },
    {
      name: 'month view with facets',
      query: `${month('').slice(0, -1)} ${facets(`between: { from: "${day(now, 2)}", to: "${day(now, 43)}", match: OVERLAPPING }`)} }`,
    },
    { name: 'images', query: '{ images(first: 10) { nodes { title } } }' },
    ...searches({
      name: 'images, search',
      query: '{ images(first: 10, filter: { search: "tour" }) { totalCount nodes { title } } }',
    }),
    { name: 'related', query: `{ event(id: "${named.event}") { related { ${fields} } } }` },
    { name: 'cursor, page 1', query: cursorPage(''), isEssential: true },
    {
      name: `cursor, page 1000 or last`,
      isEssential: true,
      prepare: async (sendRequest) => cursorPage(await cursorAfter((lastPage - 1) * 10, sendRequest)),
    },
    ...searchRequests(),
  ]
}
