// Builds the requests whose responses are compared, with values from the records of the legacy site.
import { buildEventRequests } from './event-requests.ts'
import { type JsonObject, type Resource, resourceNames, toObjects, toRecordId, toText } from './json.ts'
import { allDates, findIdOnSite, type LegacyRecords, pickIds, pickSearchWord, toRequests } from './records.ts'
import { interleaveLists, orderFromCoarseToFine, pickSpread } from './sampling.ts'
import type { SiteRequest } from './send.ts'

const largePage = '50'

/** Returns the first requests, for the lists of all kinds. Their records provide the values of the other requests. */
export const buildOverviewRequests = (hasCredentials: boolean): readonly SiteRequest[] =>
  [
    toRequests('/events'),
    toRequests('/events', { ...allDates, per_page: largePage }),
    toRequests('/venues', { per_page: largePage }),
    toRequests('/organizers', { per_page: largePage }),
    toRequests('/categories', { per_page: largePage, hide_empty: '0' }),
    toRequests('/tags', { per_page: largePage, hide_empty: '0' }),
    hasCredentials
      ? toRequests('/events', { ...allDates, per_page: largePage, status: 'publish,future,draft,pending,private' })
      : [],
  ].flat()

/** Returns requests for up to `count` further pages of a list, spread over all pages. */
export function buildFurtherPages({ path, query }: SiteRequest, totalPages: number, count: number): SiteRequest[] {
  const pages = Array.from({ length: Math.max(0, totalPages - 1) }, (_, index) => index + 2)
  return pickSpread(pages, count).flatMap((page) => toRequests(path, { ...query, page: String(page) }))
}

/** Returns `count` requests, taken from each group in turn, so that a small sample has some of each group. */
export function buildSampleRequests(records: LegacyRecords, count: number): SiteRequest[] {
  const groups = [
    ...buildEventRequests(records),
    postRequests('venues', records),
    postRequests('organizers', records),
    termRequests('categories', records),
    termRequests('tags', records),
    errorRequests(records),
    [...toRequests(''), ...toRequests('/doc')],
    ...resourceNames.map((resource) => singleRequests(resource, records)),
  ]
  return interleaveLists(groups).slice(0, Math.max(0, count))
}

/** Returns requests for the root of another language: single records by ID and by slug. */
export function buildLanguageRequests(records: LegacyRecords, count: number): SiteRequest[] {
  return interleaveLists(resourceNames.map((resource) => singleRequests(resource, records))).slice(
    0,
    Math.max(0, count),
  )
}

/** Returns requests for single records by ID and by slug, in an order that spreads a sample over the list. */
function singleRequests(resource: Resource, records: LegacyRecords): SiteRequest[] {
  const hasSlugs = resource !== 'categories' && resource !== 'tags'
  return unusualFirst(orderFromCoarseToFine(records.byResource[resource])).flatMap((record, index) => {
    const id = findIdOnSite(records, resource, record)
    const slug = toText(record.slug)
    // Slugs in some languages are percent-encoded already.
    const slugPath = slug.includes('%') ? slug : encodeURIComponent(slug)
    const isAsked = hasSlugs && slug !== '' && index % 3 === 0
    return [
      ...toRequests(id && `/${resource}/${id}`),
      ...toRequests(isAsked ? `/${resource}/by-slug/${slugPath}` : undefined),
    ]
  })
}

/** Moves records of different forms to the start, such as with and without image, venue or cost. */
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

function postRequests(resource: 'venues' | 'organizers', records: LegacyRecords): SiteRequest[] {
  const { events, [resource]: posts } = records.byResource
  const word = posts.map((record) => pickSearchWord(record[resource.slice(0, -1)])).find(Boolean)
  const linked = events.find((event) => toObjects([event.venue].flat()).length > 0)
  const queries = [
    {},
    { per_page: '2', page: '2' },
    { search: word },
    { search: 'no-such-word-anywhere' },
    { event: findIdOnSite(records, 'events', linked) },
    { has_events: '1' },
    { has_events: '0' },
    { only_with_upcoming: '1' },
    { status: 'publish' },
    { password: 'none' },
    { per_page: '50', page: '999' },
  ]
  return queries.flatMap((query) => toRequests(`/${resource}`, query))
}

function termRequests(resource: 'categories' | 'tags', records: LegacyRecords): SiteRequest[] {
  const { events, [resource]: terms } = records.byResource
  const hasParents = resource === 'categories'
  const ids = terms.flatMap((term) => findIdOnSite(records, resource, term) ?? [])
  const parent = terms.find((term) => toRecordId(term.parent) !== undefined)?.parent
  const used = events.find((event) => toObjects(event[resource]).length > 0)
  const eventId = findIdOnSite(records, 'events', used)
  const queries = [
    {},
    { per_page: '2', page: '2' },
    { parent: hasParents ? '0' : undefined },
    { search: pickSearchWord(terms[0]?.name) },
    { include: ids.slice(0, 2).join(',') },
    { exclude: ids[0] },
    { slug: toText(terms[1]?.slug) },
    ...['name', 'id', 'slug', 'count'].map((orderby) => ({ orderby, order: 'desc' })),
    { hide_empty: '1' },
    { post: eventId },
    { event: eventId },
    { parent: hasParents ? findIdOnSite(records, resource, { id: parent }) : undefined },
    { per_page: '50', page: '999' },
  ]
  return queries.flatMap((query) => toRequests(`/${resource}`, query))
}

const unknownId = '2000000000'

/** Returns requests for which a site responds with an error. */
function errorRequests(records: LegacyRecords): SiteRequest[] {
  const [eventId] = pickIds(records, 'events', 1)
  const [venueId] = pickIds(records, 'venues', 1)
  const queries = [
    { page: '0' },
    { per_page: 'many' },
    { start_date: 'no date' },
    { categories: 'no-such-category' },
    { tags: 'no-such-tag' },
    { venue: unknownId },
    { status: 'no-such-status' },
    { featured: 'perhaps' },
    { page: '0', start_date: 'no date' },
  ]
  return [
    ...resourceNames.map((resource) => toRequests(`/${resource}/${unknownId}`)),
    ...['events', 'venues', 'organizers'].map((resource) => toRequests(`/${resource}/by-slug/no-such-slug-anywhere`)),
    toRequests('/no-such-route'),
    toRequests('/events/no-number'),
    ...queries.map((query) => toRequests('/events', query)),
    toRequests(venueId && `/events/${venueId}`),
    toRequests(eventId && `/venues/${eventId}`),
    toRequests('', { namespace: 'no/such/namespace' }),
  ].flat()
}
