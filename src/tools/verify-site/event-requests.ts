// Builds requests for lists of events: all parameters of the contract, with values from the events of the legacy site.
import { type JsonObject, toObjects, toText } from './json.ts'
import { allDates, findIdOnSite, type LegacyRecords, pickIds, pickSearchWord, toRequests } from './records.ts'
import { interleaveLists, pickSpread } from './sampling.ts'
import type { RequestQuery, SiteRequest } from './send.ts'

type PartialQuery = Readonly<Record<string, string | undefined>>

const list = (query: PartialQuery) => toRequests('/events', query)
const everything = (query: PartialQuery) => list({ ...allDates, ...query })

/** Returns the requests in groups, because a small sample takes some of each group. */
export function buildEventRequests(records: LegacyRecords): SiteRequest[][] {
  return [pages(), dates(records.byResource.events), links(records), texts(records)]
}

const pages = (): SiteRequest[] =>
  [
    list({ page: '2' }),
    everything({ per_page: '1' }),
    everything({ per_page: '3', page: '2' }),
    everything({ per_page: '100' }),
    everything({ per_page: '50', page: '999999' }),
    list({ status: 'publish' }),
    everything({ featured: 'true' }),
    everything({ featured: 'false' }),
    everything({ ticketed: 'true' }),
    list({ context: 'view', password: 'none' }),
  ].flat()

/** Requests with date filters, built from the start dates of some events. */
function dates(events: readonly JsonObject[]): SiteRequest[] {
  const dated = events.filter(({ start_date }) => /^\d{4}-\d\d-\d\d /.test(toText(start_date)))
  const perEvent = pickSpread(dated, 4).map(({ start_date }, index) => {
    const [day = '', time = ''] = toText(start_date).split(' ')
    const month = day.slice(0, 7)
    const forms: RequestQuery[] = [
      { start_date: day, end_date: day },
      { start_date: `${month}-01`, end_date: `${month}-28 23:59:59` },
      { starts_after: day },
      { starts_before: day },
      { ends_after: day },
      { ends_before: day },
      { start_date: `${day}T${time}`, end_date: '2100-01-01', strict_dates: '1' },
      { start_date: `${day.replaceAll('-', '/')}T${time.slice(0, 5)}`, end_date: '2100-01-01' },
    ]
    return [...forms.slice(index * 2), ...forms.slice(0, index * 2)]
  })
  const relative: RequestQuery[] = [
    { start_date: 'now' },
    { start_date: 'today', end_date: '+30 days' },
    { starts_after: 'tomorrow' },
  ]
  const forms = interleaveLists<RequestQuery>(perEvent)
  return [...forms.slice(0, 8), ...relative, ...forms.slice(8)].flatMap(list)
}

function links(records: LegacyRecords): SiteRequest[] {
  const { events, venues } = records.byResource
  const filter = (name: string, values: readonly string[]) => [
    everything({ [name]: values[0] }),
    everything({ [name]: values.length > 1 ? values.join(',') : undefined }),
  ]
  const [categories, tags] = [usedSlugs(events, 'categories'), usedSlugs(events, 'tags')]
  const [category, tag] = [categories[0], tags[0]]
  const located = venues.find(({ geo_lat, geo_lng }) => typeof geo_lat === 'number' && typeof geo_lng === 'number')
  const place = located && { geoloc_lat: String(located.geo_lat), geoloc_lng: String(located.geo_lng) }
  return [
    ...filter('categories', categories),
    ...filter('tags', tags),
    ...filter('venue', pickIds(records, 'venues', 3)),
    ...filter('organizer', pickIds(records, 'organizers', 3)),
    ...filter('categories', pickIds(records, 'categories', 3)),
    ...filter('tags', pickIds(records, 'tags', 3)),
    everything({ categories: category, tags: tag }),
    everything({ 'categories[]': category }),
    list({ categories: category }),
    everything({ geoloc: 'true' }),
    place ? everything({ ...place, geoloc_radius: '10' }) : [],
  ].flat()
}

/** Returns slugs of categories or tags that some events have. */
function usedSlugs(events: readonly JsonObject[], field: 'categories' | 'tags'): string[] {
  const slugs = new Set(events.flatMap((event) => toObjects(event[field]).map(({ slug }) => toText(slug))))
  return pickSpread([...slugs], 3).filter((slug) => slug !== '')
}

function texts(records: LegacyRecords): SiteRequest[] {
  const { events } = records.byResource
  const words = new Set(pickSpread(events, 8).flatMap(({ title }) => pickSearchWord(title) ?? []))
  return [
    ...[...words].slice(0, 4).map((search) => everything({ search })),
    list({ include: pickIds(records, 'events', 4).join(',') }),
    list({ post_parent: findIdOnSite(records, 'events', events[0]) }),
    everything({ search: 'no-such-word-anywhere' }),
  ].flat()
}
