// Builds the requests whose responses are compared, with values from the records of the legacy site.
import { type JsonObject, type Resource, resourceNames, toObjects, toRecordId, toText } from './json.ts'
import type { SiteRequest } from './send.ts'

export interface LegacyRecords {
  readonly byResource: Readonly<Record<Resource, readonly JsonObject[]>>
  /** Returns the ID of a record of the legacy site on the site that gets the request. */
  resolveId(resource: Resource, id: number): number
}

type Values = Readonly<Record<string, readonly string[]>>

/**
 * Fills in templates such as `/events?venue={venue}`, which white space separates: `{venue}` is the first value of this name,
 * `{venue+}` all of at least two. A template is left out if the site has no such value.
 */
const requestsOf = (templates: string, values: Values = {}): SiteRequest[] =>
  templates.split(/\s+/).flatMap((template) => {
    let isKnown = template !== ''
    const filled = template.replace(/\{(\w+)(\+?)\}/g, (_, name: string, several: string) => {
      const found = values[name] ?? []
      const value = several && found.length < 2 ? '' : found.slice(0, several ? undefined : 1).join()
      isKnown &&= value !== ''
      return encodeURIComponent(value)
    })
    const [path = '', query] = filled.split('?')
    return isKnown ? { path: path.replace(/^\/$/, ''), query: Object.fromEntries(new URLSearchParams(query)) } : []
  })

/** Lists of all events, whatever their dates are. */
const everything = '/events?start_date=1970-01-01&end_date=2100-01-01'

/** Returns the first requests, for the lists of all kinds. Their records provide the values of the other requests. */
export const buildOverviewRequests = (hasCredentials: boolean): readonly SiteRequest[] =>
  requestsOf(`/events ${everything}&per_page=50 /venues?per_page=50 /organizers?per_page=50
    /categories?per_page=50&hide_empty=0 /tags?per_page=50&hide_empty=0
    ${hasCredentials ? `${everything}&per_page=50&status=publish,future,draft,pending,private` : ''}`)

/** Returns requests for up to `count` further pages of a list, spread over all pages. */
export function buildFurtherPages({ path, query }: SiteRequest, totalPages: number, count: number): SiteRequest[] {
  const pages = Array.from({ length: Math.max(0, totalPages - 1) }, (_, index) => index + 2)
  return pickSpread(pages, count).map((page) => ({ path, query: { ...query, page: String(page) } }))
}

/** Returns `count` requests, taken from each group in turn, so that a small sample has some of each group. */
export function buildSampleRequests(records: LegacyRecords, count: number): SiteRequest[] {
  const groups = [
    ...eventGroups(records),
    ...(['venues', 'organizers'] as const).map((resource) => postRequests(resource, records)),
    ...(['categories', 'tags'] as const).map((resource) => termRequests(resource, records)),
    errorRequests(records),
    requestsOf('/ /doc'),
  ]
  return interleave([...groups, ...singleRequests(records)]).slice(0, Math.max(0, count))
}

/** Returns requests for the root of another language: single records by ID and by slug. */
export const buildLanguageRequests = (records: LegacyRecords, count: number): SiteRequest[] =>
  interleave(singleRequests(records)).slice(0, Math.max(0, count))

/** Returns requests for single records by ID and by slug, in an order that spreads a sample over the list of each kind. */
const singleRequests = (records: LegacyRecords): SiteRequest[][] =>
  resourceNames.map((resource) => {
    const hasSlugs = resource !== 'categories' && resource !== 'tags'
    return unusualFirst(orderFromCoarseToFine(records.byResource[resource])).flatMap((record, index) => {
      const slug = toText(record.slug)
      // Slugs in some languages are percent-encoded already.
      const path = `/${resource}/by-slug/${slug.includes('%') ? slug : encodeURIComponent(slug)}`
      return [
        ...requestsOf(`/${resource}/{id}`, { id: idsOf(records, resource, [record]) }),
        ...(hasSlugs && slug !== '' && index % 3 === 0 ? [{ path, query: {} }] : []),
      ]
    })
  })

/** Moves records of different forms to the start, such as with and without image, venue or cost. */
function unusualFirst(records: readonly JsonObject[]): JsonObject[] {
  const forms = new Map(records.toReversed().map((record) => [formOf(record), record]))
  return [...new Set([...records.filter((record) => forms.get(formOf(record)) === record), ...records])]
}

const formOf = (record: JsonObject): string =>
  Object.entries(record)
    .map(([name, value]) => `${name} ${typeof value === 'boolean' ? value : isEmpty(value)}`)
    .join()

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === 0 || (Array.isArray(value) && value.length === 0)

function eventGroups(records: LegacyRecords): SiteRequest[][] {
  const { events, venues } = records.byResource
  const located = venues.filter(({ geo_lat, geo_lng }) => typeof geo_lat === 'number' && typeof geo_lng === 'number')
  const values = {
    category: usedSlugs(events, 'categories'),
    tag: usedSlugs(events, 'tags'),
    categoryId: idsOf(records, 'categories', pickSpread(records.byResource.categories, 3)),
    tagId: idsOf(records, 'tags', pickSpread(records.byResource.tags, 3)),
    venue: idsOf(records, 'venues', pickSpread(venues, 3)),
    organizer: idsOf(records, 'organizers', pickSpread(records.byResource.organizers, 3)),
    event: idsOf(records, 'events', pickSpread(events, 4)),
    lat: located.map(({ geo_lat }) => String(geo_lat)),
    lng: located.map(({ geo_lng }) => String(geo_lng)),
  }
  const words = new Set(pickSpread(events, 8).flatMap(({ title }) => searchWord(title)))
  const searches = [...words].slice(0, 4).flatMap((word) => requestsOf(`${everything}&search={word}`, { word: [word] }))
  return [
    requestsOf(`/events?page=2 ${everything}&per_page=1 ${everything}&per_page=3&page=2 ${everything}&per_page=100
      ${everything}&per_page=50&page=999999 /events?status=publish ${everything}&featured=true
      ${everything}&featured=false ${everything}&ticketed=true /events?context=view&password=none`),
    dateRequests(events),
    requestsOf(
      `${everything}&categories={category} ${everything}&categories={category+}
      ${everything}&tags={tag} ${everything}&tags={tag+}
      ${everything}&venue={venue} ${everything}&venue={venue+}
      ${everything}&organizer={organizer} ${everything}&organizer={organizer+}
      ${everything}&categories={categoryId} ${everything}&categories={categoryId+}
      ${everything}&tags={tagId} ${everything}&tags={tagId+}
      ${everything}&categories={category}&tags={tag} ${everything}&categories[]={category}
      /events?categories={category} ${everything}&geoloc=true
      ${everything}&geoloc_lat={lat}&geoloc_lng={lng}&geoloc_radius=10`,
      values,
    ),
    [
      ...searches,
      ...requestsOf(`/events?include={event+} /events?post_parent={event} ${everything}&search=no-such-word`, values),
    ],
  ]
}

const dateForms = `start_date={day}&end_date={day} start_date={month}-01&end_date={month}-28+23:59:59
  starts_after={day} starts_before={day} ends_after={day} ends_before={day}
  start_date={day}T{time}&end_date=2100-01-01&strict_dates=1 start_date={slashed}T{minute}&end_date=2100-01-01`.split(
  /\s+/,
)

/** Requests with date filters, built from the start dates of some events: another form of the filters for each event. */
function dateRequests(events: readonly JsonObject[]): SiteRequest[] {
  const dated = events.filter(({ start_date }) => /^\d{4}-\d\d-\d\d /.test(toText(start_date)))
  const perEvent = pickSpread(dated, 4).map(({ start_date }, index) => {
    const [day = '', time = ''] = toText(start_date).split(' ')
    const parts = { day, month: day.slice(0, 7), time, slashed: day.replaceAll('-', '/'), minute: time.slice(0, 5) }
    const values = Object.fromEntries(Object.entries(parts).map(([name, value]) => [name, [value]]))
    const forms = [...dateForms.slice(index * 2), ...dateForms.slice(0, index * 2)]
    return forms.flatMap((form) => requestsOf(`/events?${form}`, values))
  })
  const requests = interleave(perEvent)
  const relative = requestsOf(`/events?start_date=now /events?start_date=today&end_date=%2B30+days
    /events?starts_after=tomorrow`)
  return [...requests.slice(0, 8), ...relative, ...requests.slice(8)]
}

/** Returns slugs of categories or tags that some events have. */
function usedSlugs(events: readonly JsonObject[], field: 'categories' | 'tags'): string[] {
  const slugs = new Set(events.flatMap((event) => toObjects(event[field]).map(({ slug }) => toText(slug))))
  return pickSpread([...slugs], 3).filter((slug) => slug !== '')
}

function postRequests(resource: 'venues' | 'organizers', records: LegacyRecords): SiteRequest[] {
  const { events, [resource]: posts } = records.byResource
  const values = {
    word: posts.flatMap((record) => searchWord(record[resource.slice(0, -1)])),
    event: idsOf(
      records,
      'events',
      events.filter((event) => toObjects([event.venue].flat()).length > 0),
    ),
  }
  const queries = `?per_page=2&page=2 ?search={word} ?search=no-such-word ?event={event} ?has_events=1 ?has_events=0
    ?only_with_upcoming=1 ?status=publish ?password=none ?per_page=50&page=999`
  return requestsOf(`/${resource} ${queries.replaceAll('?', `/${resource}?`)}`, values)
}

function termRequests(resource: 'categories' | 'tags', records: LegacyRecords): SiteRequest[] {
  const { events, [resource]: terms } = records.byResource
  const parent = terms.find((term) => toRecordId(term.parent) !== undefined)?.parent
  const ids = idsOf(records, resource, terms)
  const values = {
    id: ids,
    firstIds: ids.slice(0, 2),
    word: searchWord(terms[0]?.name),
    slug: terms.slice(1, 2).map(({ slug }) => toText(slug)),
    event: idsOf(
      records,
      'events',
      events.filter((event) => toObjects(event[resource]).length > 0),
    ),
    parent: idsOf(records, resource, [{ id: parent }]),
  }
  const queries = `?per_page=2&page=2 ${resource === 'categories' ? '?parent=0 ?parent={parent}' : ''}
    ?search={word} ?include={firstIds+} ?exclude={id} ?slug={slug}
    ?orderby=name&order=desc ?orderby=id&order=desc ?orderby=slug&order=desc ?orderby=count&order=desc
    ?hide_empty=1 ?post={event} ?event={event} ?per_page=50&page=999`
  return requestsOf(`/${resource} ${queries.replaceAll('?', `/${resource}?`)}`, values)
}

/** Returns requests for which a site responds with an error. */
function errorRequests(records: LegacyRecords): SiteRequest[] {
  const { events, venues } = records.byResource
  const values = { event: idsOf(records, 'events', events), venue: idsOf(records, 'venues', venues) }
  return requestsOf(
    `/events/2000000000 /venues/2000000000 /organizers/2000000000 /categories/2000000000 /tags/2000000000
    /events/by-slug/no-such-slug /venues/by-slug/no-such-slug /organizers/by-slug/no-such-slug
    /no-such-route /events/no-number /events?page=0 /events?per_page=many /events?start_date=no+date
    /events?categories=no-such-category /events?tags=no-such-tag /events?venue=2000000000
    /events?status=no-such-status /events?featured=perhaps /events?page=0&start_date=no+date
    /events/{venue} /venues/{event} /?namespace=no/such/namespace`,
    values,
  )
}

/** Returns the IDs of records on the site that gets the request. */
const idsOf = ({ resolveId }: LegacyRecords, resource: Resource, items: readonly JsonObject[]): string[] =>
  items.flatMap((record) => {
    const id = toRecordId(record.id)
    return id === undefined ? [] : String(resolveId(resource, id))
  })

/** Returns a word of a name, for a search; none if it has no longer one. */
const searchWord = (name: unknown): string[] => [
  ...(toText(name)
    .replace(/&#?\w+;/g, ' ')
    .match(/[A-Za-z]{4,}/) ?? []),
]

/** Returns `count` items at equal distances, including the first and the last one. */
function pickSpread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** Sorts the items (first, last, middle, …) so that the start of the result is always spread over the whole list. */
function orderFromCoarseToFine<Item>(items: readonly Item[]): Item[] {
  const indexes = new Set<number>()
  for (let parts = 1; indexes.size < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) indexes.add(Math.round((part * (items.length - 1)) / parts))
  }
  return [...indexes].map((index) => items[index] as Item)
}

/** Returns the first item of each list, then the second item of each list, and so on. */
function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
