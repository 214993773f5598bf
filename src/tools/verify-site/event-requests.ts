// Lists of events: every parameter of the contract, with values of the legacy site's own events.
import { idOf, type JsonObject, objects, spread, text } from './json.ts'
import { always, inTurn, type Records, type ResolveId, request, searchWord } from './records.ts'
import type { Query, SiteRequest } from './request.ts'

const list = (query: Query) => request('/events', query)
const everything = (query: Query) => list({ ...always, ...query })

/** Groups of requests; a small sample takes some of each group. */
export function eventRequests(records: Records, resolveId: ResolveId): SiteRequest[][] {
  return [pages(), dates(records.events), links(records, resolveId), texts(records, resolveId)]
}

const pages = (): SiteRequest[] => [
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
]

/** Windows around the start of some events. */
function dates(events: readonly JsonObject[]): SiteRequest[] {
  const dated = events.filter(({ start_date }) => /^\d{4}-\d\d-\d\d /.test(text(start_date)))
  const perEvent = spread(dated, 4).map(({ start_date }, index) => {
    const [day = '', time = ''] = text(start_date).split(' ')
    const month = day.slice(0, 7)
    const forms: Query[] = [
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
  const relative: Query[] = [
    { start_date: 'now' },
    { start_date: 'today', end_date: '+30 days' },
    { starts_after: 'tomorrow' },
  ]
  const forms = inTurn<Query>(perEvent)
  return [...forms.slice(0, 8), ...relative, ...forms.slice(8)].map(list)
}

/** Filters by linked records. */
function links({ events, venues, organizers, categories, tags }: Records, resolveId: ResolveId): SiteRequest[] {
  const ids = (resource: 'venues' | 'organizers' | 'categories' | 'tags', records: readonly JsonObject[]) =>
    spread(records, 3).flatMap(({ id }) => {
      const recordId = idOf(id)
      return recordId === undefined ? [] : [String(resolveId(resource, recordId))]
    })
  const slugs = (records: readonly JsonObject[]) => spread(records, 3).flatMap(({ slug }) => text(slug) || [])
  const filter = (name: string, values: readonly string[]) =>
    values.length === 0
      ? []
      : [
          everything({ [name]: values[0] ?? '' }),
          ...(values.length > 1 ? [everything({ [name]: values.join(',') })] : []),
        ]
  const usedCategories = usedTerms(events, 'categories')
  const usedTags = usedTerms(events, 'tags')
  const [category = '', tag = ''] = [slugs(usedCategories)[0], slugs(usedTags)[0]]
  const located = venues.find(({ geo_lat, geo_lng }) => typeof geo_lat === 'number' && typeof geo_lng === 'number')
  return [
    ...filter('categories', slugs(usedCategories)),
    ...filter('tags', slugs(usedTags)),
    ...filter('venue', ids('venues', venues)),
    ...filter('organizer', ids('organizers', organizers)),
    ...filter('categories', ids('categories', categories)),
    ...filter('tags', ids('tags', tags)),
    ...(category && tag ? [everything({ categories: category, tags: tag })] : []),
    ...(category ? [everything({ 'categories[]': category }), list({ categories: category })] : []),
    everything({ geoloc: 'true' }),
    ...(located
      ? [
          everything({
            geoloc_lat: String(located.geo_lat),
            geoloc_lng: String(located.geo_lng),
            geoloc_radius: '10',
          }),
        ]
      : []),
  ]
}

/** Terms of the events, each once. */
function usedTerms(events: readonly JsonObject[], field: 'categories' | 'tags'): JsonObject[] {
  const terms = events.flatMap((event) => objects(event[field]))
  return [...new Map(terms.map((term) => [term.slug, term])).values()]
}

/** Searches, and events by ID. */
function texts({ events }: Records, resolveId: ResolveId): SiteRequest[] {
  const words = spread(events, 8).flatMap(({ title }) => searchWord(text(title)) ?? [])
  const ids = spread(events, 4).flatMap(({ id }) => {
    const recordId = idOf(id)
    return recordId === undefined ? [] : [String(resolveId('events', recordId))]
  })
  return [
    ...[...new Set(words)].slice(0, 4).map((search) => everything({ search })),
    ...(ids.length === 0 ? [] : [list({ include: ids.join(',') }), list({ post_parent: ids[0] ?? '' })]),
    everything({ search: 'no-such-word-anywhere' }),
  ]
}
