// The requests that are compared. Values come from the records of the legacy site.
import { eventRequests } from './event-requests.ts'
import { idOf, type JsonObject, objects, scattered, spread, text } from './json.ts'
import {
  always,
  inTurn,
  type Records,
  type ResolveId,
  type Resource,
  request,
  resources,
  searchWord,
} from './records.ts'
import type { Query, SiteRequest } from './request.ts'

const largePage = '50'

/** Requests that need no record. Their responses show the records for the others. */
export const overviewRequests = (hasCredentials: boolean): readonly SiteRequest[] => [
  request('/events'),
  request('/events', { ...always, per_page: largePage }),
  request('/venues', { per_page: largePage }),
  request('/organizers', { per_page: largePage }),
  request('/categories', { per_page: largePage, hide_empty: '0' }),
  request('/tags', { per_page: largePage, hide_empty: '0' }),
  ...(hasCredentials
    ? [request('/events', { ...always, per_page: largePage, status: 'publish,future,draft,pending,private' })]
    : []),
]

/** Further pages of an overview, up to `count`, spread over the list. */
export function furtherPages({ path, query }: SiteRequest, totalPages: number, count: number): SiteRequest[] {
  const pages = Array.from({ length: Math.max(0, totalPages - 1) }, (_, index) => index + 2)
  return spread(pages, count).map((page) => request(path, { ...query, page: String(page) }))
}

/** The first `count` requests, drawn in turn from each group, so that a small sample has some of each. */
export function sampleRequests(records: Records, resolveId: ResolveId, count: number): SiteRequest[] {
  const groups = [
    ...eventRequests(records, resolveId),
    ...(['venues', 'organizers'] as const).map((resource) => postRequests(resource, records, resolveId)),
    ...(['categories', 'tags'] as const).map((resource) => termRequests(resource, records, resolveId)),
    errorRequests(records, resolveId),
    [request(''), request('/doc')],
    ...resources.map((resource) => singleRequests(resource, records[resource], resolveId)),
  ]
  return inTurn(groups).slice(0, Math.max(0, count))
}

/** The requests of a root of another language: each record by ID and by slug, and a search. */
export function languageRequests(records: Records, resolveId: ResolveId, count: number): SiteRequest[] {
  const groups = resources.map((resource) => singleRequests(resource, records[resource], resolveId))
  return inTurn(groups).slice(0, Math.max(0, count))
}

/** Slugs of some languages are stored percent-encoded. */
const slugPath = (slug: string) => (slug.includes('%') ? slug : encodeURIComponent(slug))

/** Reads by ID and by slug, of records that are spread over the list. */
function singleRequests(resource: Resource, records: readonly JsonObject[], resolveId: ResolveId): SiteRequest[] {
  const hasSlugs = resource !== 'categories' && resource !== 'tags'
  return unusualFirst(scattered(records)).flatMap((record, index) => {
    const id = idOf(record.id)
    const slug = text(record.slug)
    const byId = id === undefined ? [] : [request(`/${resource}/${resolveId(resource, id)}`)]
    const bySlug = hasSlugs && slug !== '' && index % 3 === 0 ? [request(`/${resource}/by-slug/${slugPath(slug)}`)] : []
    return [...byId, ...bySlug]
  })
}

/** One record of each form first: with and without an image, a venue, a cost, and so on. */
function unusualFirst(records: readonly JsonObject[]): JsonObject[] {
  const forms = new Map(records.toReversed().map((record) => [formOf(record), record]))
  const first = new Set(forms.values())
  return [...records.filter((record) => first.has(record)), ...records.filter((record) => !first.has(record))]
}

const formOf = (record: JsonObject): string =>
  Object.entries(record)
    .map(([name, value]) => `${name} ${typeof value === 'boolean' ? value : isEmpty(value)}`)
    .join()

const isEmpty = (value: unknown): boolean =>
  value === '' || value === null || value === 0 || (Array.isArray(value) && value.length === 0)

function postRequests(resource: 'venues' | 'organizers', records: Records, resolveId: ResolveId): SiteRequest[] {
  const path = `/${resource}`
  const word = records[resource].map((record) => searchWord(text(record[resource.slice(0, -1)]))).find(Boolean)
  const linked = records.events.find((event) => objects([event.venue].flat()).length > 0)
  const id = idOf(linked?.id)
  return [
    request(path),
    request(path, { per_page: '2', page: '2' }),
    ...(word === undefined ? [] : [request(path, { search: word })]),
    request(path, { search: 'no-such-word-anywhere' }),
    ...(id === undefined ? [] : [request(path, { event: String(resolveId('events', id)) })]),
    request(path, { has_events: '1' }),
    request(path, { has_events: '0' }),
    request(path, { only_with_upcoming: '1' }),
    request(path, { status: 'publish' }),
    request(path, { password: 'none' }),
    request(path, { per_page: '50', page: '999' }),
  ]
}

function termRequests(resource: 'categories' | 'tags', records: Records, resolveId: ResolveId): SiteRequest[] {
  const path = `/${resource}`
  const terms = records[resource]
  const ids = terms.flatMap((term) => idOf(term.id) ?? []).map((id) => String(resolveId(resource, id)))
  const [first = {}, second] = terms
  const parent = terms.flatMap((term) => idOf(term.parent) ?? [])[0]
  const field = resource === 'categories' ? 'categories' : 'tags'
  const event = records.events.find((candidate) => objects(candidate[field]).length > 0)
  const eventId = idOf(event?.id)
  const word = searchWord(text(first.name))
  const of = (query: Query) => request(path, query)
  return [
    of({}),
    of({ per_page: '2', page: '2' }),
    ...(resource === 'tags' ? [] : [of({ parent: '0' })]),
    ...(word === undefined ? [] : [of({ search: word })]),
    ...(ids.length === 0 ? [] : [of({ include: ids.slice(0, 2).join(',') }), of({ exclude: ids.slice(0, 1).join() })]),
    ...(second === undefined ? [] : [of({ slug: text(second.slug) })]),
    ...['name', 'id', 'slug', 'count'].map((orderby) => of({ orderby, order: 'desc' })),
    of({ hide_empty: '1' }),
    ...(eventId === undefined
      ? []
      : ['post', 'event'].map((name) => of({ [name]: String(resolveId('events', eventId)) }))),
    ...(parent === undefined || resource === 'tags' ? [] : [of({ parent: String(resolveId(resource, parent)) })]),
    of({ per_page: '50', page: '999' }),
  ]
}

const unknownId = '2000000000'

/** Requests that a site answers with an error. */
function errorRequests({ events, venues }: Records, resolveId: ResolveId): SiteRequest[] {
  const eventId = idOf(events[0]?.id)
  const venueId = idOf(venues[0]?.id)
  return [
    ...resources.map((resource) => request(`/${resource}/${unknownId}`)),
    ...['events', 'venues', 'organizers'].map((resource) => request(`/${resource}/by-slug/no-such-slug-anywhere`)),
    request('/no-such-route'),
    request('/events/no-number'),
    request('/events', { page: '0' }),
    request('/events', { per_page: 'many' }),
    request('/events', { start_date: 'no date' }),
    request('/events', { categories: 'no-such-category' }),
    request('/events', { tags: 'no-such-tag' }),
    request('/events', { venue: unknownId }),
    request('/events', { status: 'no-such-status' }),
    request('/events', { featured: 'perhaps' }),
    request('/events', { page: '0', start_date: 'no date' }),
    ...(venueId === undefined ? [] : [request(`/events/${resolveId('venues', venueId)}`)]),
    ...(eventId === undefined ? [] : [request(`/venues/${resolveId('events', eventId)}`)]),
    request('', { namespace: 'no/such/namespace' }),
  ]
}
