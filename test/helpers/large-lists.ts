// A request for every documented filter and order, in REST and GraphQL.
import { commonWord, phrase, place, type SampleRecords } from '../../bench/sample-records.ts'
import { now } from './app.ts'

export const lists = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
export type List = (typeof lists)[number]

export interface ListRequest {
  readonly name: string
  /** A REST URL, or a GraphQL query. */
  readonly url?: string
  readonly query?: string
}

const days = (count: number) => new Date(now.getTime() + count * 86_400_000).toISOString()
const clock = (count: number) => days(count).slice(0, 19)
const day = (count: number) => days(count).slice(0, 10)

/** Query strings of REST lists. */
const legacy = (named: SampleRecords): Readonly<Record<List, readonly string[]>> => {
  const geoloc = `geoloc_lat=${place.latitude}&geoloc_lng=${place.longitude}&geoloc_radius=20`
  const linked = (word: string) => [
    '',
    'page=3&per_page=5',
    `search=${word}`,
    `search=jazz+${word}`,
    `event=${named.event}`,
    'has_events=1',
    'has_events=0',
    'only_with_upcoming=1',
    'status=publish',
    'password=secret',
  ]
  const terms = (term: string) => [
    '',
    'page=2&per_page=20',
    'search=jazz',
    `exclude=${term}`,
    `include=${term}`,
    'hide_empty=0',
    `post=${named.event}`,
    `event=${named.event}`,
    `slug=${term}`,
    ...['name', 'id', 'slug', 'description', 'count'].map((order) => `hide_empty=0&orderby=${order}`),
    'hide_empty=0&orderby=name&order=desc',
    `orderby=include&include=${term}`,
  ]
  return {
    events: [
      '',
      'page=3&per_page=20',
      `start_date=${day(100)}`,
      `end_date=${day(10)}`,
      `start_date=${day(100)}&end_date=${day(110)}`,
      `starts_before=${day(-600)}`,
      `starts_after=${day(600)}`,
      `ends_before=${day(-600)}`,
      `ends_after=${day(600)}`,
      'strict_dates=true',
      `include=${named.events.join()}`,
      'featured=1',
      'featured=0',
      'series=1',
      'hide_subsequent_recurrences=1',
      'ticketed=1',
      'ticketed=0',
      'status=publish',
      'password=secret',
      `search=${named.rareWord}`,
      `search=${commonWord}`,
      `search=${encodeURIComponent(phrase)}`,
      `search=${commonWord}+-jazz`,
      'search=-jazz',
      'search=um',
      `categories=${named.category}`,
      `tags=${named.tag}`,
      `venue=${named.venue}`,
      `organizer=${named.organizer}`,
      `post_parent=${named.parent}`,
      'geoloc=1',
      'geoloc=0',
      geoloc,
      `${geoloc}&search=${commonWord}&start_date=${day(30)}&end_date=${day(60)}`,
    ],
    venues: linked(named.venueWord),
    organizers: linked(named.organizerWord),
    categories: [...terms(named.category), 'parent=0', 'hide_empty=0&orderby=parent'],
    tags: terms(named.tag),
  }
}

/** Filters by the languages that records were written in. */
const translated: [filter: string][] = [['translatedInto: [FR]'], ['missingTranslation: [FR, ES]']]

/** Filter and order of GraphQL lists. */
const graph = (named: SampleRecords): Readonly<Record<List, readonly [filter: string, order?: string][]>> => {
  const near = `near: { center: { latitude: ${place.latitude}, longitude: ${place.longitude} }, radius: 20 }`
  const ranges = ['startsAt', 'endsAt'].flatMap((field): [string][] => [
    [`${field}: { gte: "${days(100)}", lt: "${days(110)}" }`],
    [`${field}: { gt: "${days(600)}" }`],
    [`${field}: { lte: "${days(-600)}" }`],
  ])
  const localRanges = ['startsLocal', 'endsLocal'].flatMap((field): [string][] => [
    [`${field}: { gte: "${clock(100)}", lt: "${clock(110)}" }`],
    [`${field}: { gt: "${clock(600)}" }`],
    [`${field}: { lte: "${clock(-600)}" }`],
  ])
  const both = (field: string, filter = ''): [string, string][] =>
    ['ASC', 'DESC'].map((direction) => [filter, `{ field: ${field}, direction: ${direction} }`])
  const linked = (ids: string, word: string): [string, string?][] => [
    [`include: [${ids}]`],
    [`search: "${word}"`],
    [`search: "${word}", searchMode: SUBSTRING`],
    [`event: ${named.event}, mustExist: true`],
    ['hasEvents: true'],
    ['hasEvents: false'],
    ['onlyWithUpcoming: true'],
    ['status: [PUBLISHED]'],
    [`modifiedAt: { gte: "${days(-1)}" }`],
    [`authors: [${named.author}]`],
    ...translated,
    ...both('PUBLICATION'),
    ...both('NAME'),
    ...both('RELEVANCE', `search: "${word}"`),
  ]
  const terms = (term: string): [string, string?][] => [
    [`include: ["${term}"]`],
    [`exclude: ["${term}"], mustExist: true`],
    ['search: "jazz"'],
    ['search: "jazz", searchMode: SUBSTRING'],
    [`slug: "${term}"`],
    [`event: ${named.event}`],
    ['hideEmpty: true'],
    ...translated,
    ...['NAME', 'SLUG', 'NUMBER', 'DESCRIPTION', 'COUNT'].flatMap((field) => both(field)),
    ...both('INCLUDE', `include: ["${term}"]`),
    ...both('RELEVANCE', 'search: "jazz"'),
  ]
  return {
    events: [
      [''],
      [`include: [${named.events}], mustExist: true`],
      [`search: "${named.rareWord}"`],
      [`search: "${named.rareWord}", searchMode: SUBSTRING`],
      ['when: UPCOMING'],
      ['when: PAST'],
      [`runningAt: "${days(0)}"`],
      ...ranges,
      ...localRanges,
      [`startsOn: "${day(100)}"`],
      ['startsOn: "tomorrow"'],
      ...['WITHIN', 'STARTING', 'OVERLAPPING'].flatMap((match): [string][] =>
        ['', ', timeZone: "America/New_York"'].map((zone) => [
          `between: { from: "${day(100)}", to: "${day(110)}", match: ${match}${zone} }`,
        ]),
      ),
      [`between: { from: "${day(600)}" }`],
      [`between: { to: "${day(-600)}" }`],
      ...both('START_LOCAL', `between: { from: "${day(100)}", to: "${day(110)}", timeZone: "Asia/Kolkata" }`),
      [`venues: [${named.venue}]`],
      [`organizers: [${named.organizer}]`],
      [`categories: ["${named.category}"]`],
      [`tags: ["${named.tag}"]`],
      ...translated,
      ['featured: true'],
      ['featured: false'],
      ['locked: true'],
      ['locked: false'],
      ...['CANCELLED', 'SCHEDULED, MOVED_ONLINE'].map((names): [string] => [`eventStatus: [${names}]`]),
      ...['ONLINE, MIXED', 'OFFLINE'].map((names): [string] => [`attendanceMode: [${names}]`]),
      ['series: ["1"]'],
      ['occurrences: NEXT'],
      ['ticketed: true'],
      ['ticketed: false'],
      ['located: true'],
      ['located: false'],
      [near],
      [`uids: ["kept@example.org", "${named.event}@calendar.test"]`],
      [`parent: ${named.parent}`],
      [`modifiedAt: { gte: "${days(-1)}" }`],
      [`authors: [${named.author}]`],
      ['allDay: true'],
      ['price: { free: true }'],
      ['price: { free: false, upTo: 10, currency: "EUR" }'],
      ['cities: ["Madrid"]'],
      ['placeName: "plaza madrid"'],
      [`not: { categories: ["${named.category}"] }, when: UPCOMING`],
      [`any: [{ tags: ["${named.tag}"] }, { venues: [${named.venue}] }]`],
      ['status: [PUBLISHED]'],
      ...['START', 'START_LOCAL', 'END', 'PUBLICATION', 'MODIFIED', 'TITLE'].flatMap((field) => both(field)),
      ...['PRICE', 'AUTHOR', 'PLACE_NAME', 'ALL_DAY'].flatMap((field) => both(field)),
      ...both('TITLE', 'when: UPCOMING'),
      ...both('DISTANCE', near),
      ...both('RELEVANCE', `search: "${named.rareWord}"`),
      ...both('RELEVANCE', `search: "${commonWord}"`),
    ],
    venues: [
      ...linked(String(named.venue), named.venueWord),
      ['located: true'],
      ['located: false'],
      [near],
      ...both('DISTANCE', near),
    ],
    organizers: linked(String(named.organizer), named.organizerWord),
    categories: [...terms(named.category), ['isRoot: true'], ['parent: 1'], ...both('PARENT')],
    tags: terms(named.tag),
  }
}

/** Requests that only editors may send. */
const forEditors: readonly [List, string][] = [
  ['events', 'hideFromListings: true'],
  ...(['events', 'venues', 'organizers'] as const).flatMap((list) =>
    ['DRAFT', 'PENDING', 'PRIVATE', 'SCHEDULED', 'TRASH', 'PUBLISHED, DRAFT'].map((status): [List, string] => [
      list,
      `status: [${status}]`,
    ]),
  ),
]

const graphqlRequest = (list: List, filter: string, order?: string): ListRequest => {
  const args = [...(filter ? [`filter: { ${filter} }`] : []), ...(order ? [`orderBy: ${order}`] : [])].join(', ')
  const fields = `${list}Page${args && `(${args})`}`
  return {
    name: `graphql ${fields.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, '…')}`,
    query: `{ ${fields} { items { id } total } }`,
  }
}

/** Calendars of 42 days: in the local time of each event, in a zone, far ahead, and with filters. */
const calendars = (named: SampleRecords): ListRequest[] =>
  [
    ...[`from: "${day(2)}", to: "${day(43)}"`, `from: "${day(600)}", to: "${day(641)}", timeZone: "Europe/Paris"`],
    `from: "${day(2)}", to: "${day(43)}", filter: { categories: ["${named.category}"] }`,
    `from: "${day(2)}", to: "${day(43)}", filter: { search: "${named.rareWord}" }`,
  ].map((args) => ({
    name: `graphql eventCalendar(${args})`,
    query: `{ eventCalendar(${args}) { totalCount days { totalCount events { id } } } }`,
  }))

/** REST has the same lists for an editor. */
export function requestsFor(reader: 'visitor' | 'editor', named: SampleRecords): ListRequest[] {
  const [urls, filters] = [legacy(named), graph(named)]
  const byFilter = [
    ...lists.flatMap((list) => filters[list].map(([filter, order]) => graphqlRequest(list, filter, order))),
    ...calendars(named),
  ]
  if (reader === 'editor') return [...byFilter, ...forEditors.map(([list, filter]) => graphqlRequest(list, filter))]
  const byUrl = lists.flatMap((list) =>
    urls[list].map((query) => ({ name: `${list}?${query}`, url: `/cal/events/v1/${list}?${query}` })),
  )
  return [...byUrl, ...byFilter]
}
