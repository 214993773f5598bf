import type { CalendarSettings } from '../../../basics/dates/whole-days.ts'
import { toRecordStatus } from '../../../basics/record-status.ts'
import type { EventFilter, LegacyEventsQueryVariables } from '../../../generated/graphql/graphql.ts'
import {
  decimalParam,
  flagParam,
  integerListParam,
  legacySearchFilter,
  nonEmptyTextParam,
  type Params,
  paginationParams,
  positiveIntegerParam,
  recordPasswordParam,
  statusListParam,
  termListParam,
} from '../params.ts'
import { formatFlagParam, formatListParam, type LinkQuery } from '../urls.ts'
import { type DateBounds, dateBoundsFilter, dateParams, formatDateBounds, resolveDateBounds } from './window.ts'

/** Half the circumference of the earth, in kilometres. */
const maxRadius = 20_040

export const eventsParams = {
  ...paginationParams,
  ...dateParams,
  include: integerListParam.optional().describe('Only these events; date filters are ignored.'),
  featured: flagParam.optional().describe('True: only featured events. False: only other events.'),
  ticketed: flagParam.optional().describe('True: only events with tickets. False: only events without tickets.'),
  status: statusListParam.optional().describe('Status of the events.'),
  password: recordPasswordParam,
  search: nonEmptyTextParam
    .optional()
    .describe('Events with all these words. Quotes search for a phrase, a leading hyphen excludes a word.'),
  categories: termListParam.optional().describe('Events in one of these categories or their subcategories.'),
  tags: termListParam.optional().describe('Events with one of these tags.'),
  venue: integerListParam.optional().describe('Events at one of these venues.'),
  organizer: integerListParam.optional().describe('Events of one of these organizers.'),
  post_parent: positiveIntegerParam.optional().describe('Child events of this event.'),
  geoloc: flagParam.optional().describe('True: only events at a venue with coordinates. False: only other events.'),
  geoloc_lat: decimalParam(-90, 90)
    .optional()
    .describe('Latitude in degrees of the centre of a search by distance; requires geoloc_lng.'),
  geoloc_lng: decimalParam(-180, 180)
    .optional()
    .describe('Longitude in degrees of the centre of a search by distance; requires geoloc_lat.'),
  geoloc_radius: decimalParam(0, maxRadius).optional().describe('Maximum distance from the centre, in kilometres.'),
  series: integerListParam.optional().describe('Dates of one of these series of events.'),
  hide_subsequent_recurrences: flagParam
    .optional()
    .describe('True: of each series of events only the first date that matches.'),
}

type EventsParams = Partial<Params<typeof eventsParams>> & { readonly page: number }

const bothNeeded = 'Give geoloc_lat and geoloc_lng together.'

/** Returns errors of the location parameters: latitude and longitude only together, a radius only with both. */
export function checkLocationParams(params: Partial<EventsParams>): Readonly<Record<string, string>> {
  const { geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radius } = params
  if (latitude !== undefined && longitude === undefined) return { geoloc_lng: bothNeeded }
  if (longitude !== undefined && latitude === undefined) return { geoloc_lat: bothNeeded }
  if (radius === 0) return { geoloc_radius: 'Give a number above 0.' }
  return radius !== undefined && latitude === undefined ? { geoloc_lat: bothNeeded, geoloc_lng: bothNeeded } : {}
}

/** Returns the filter fields that GraphQL can reject: IDs of missing records, and statuses that need a permission. */
export const eventReferencesFilter = (params: Partial<EventsParams>): EventFilter => ({
  mustExist: true,
  include: params.include,
  categories: params.categories,
  tags: params.tags,
  venues: params.venue,
  organizers: params.organizer,
  parent: params.post_parent,
  series: params.series,
  status: params.status?.map(toRecordStatus),
})

function toEventsFilter(params: Partial<EventsParams>, window: DateBounds, calendar: CalendarSettings): EventFilter {
  return {
    ...dateBoundsFilter(window, calendar),
    ...eventReferencesFilter(params),
    ...legacySearchFilter(params.search),
    featured: params.featured,
    ticketed: params.ticketed,
    located: params.geoloc,
    near: near(params),
    occurrences: params.hide_subsequent_recurrences ? 'NEXT' : undefined,
  }
}

/** Returns the filter of a followed list: all dates by default, because the default dates of the list change every day. */
export const toSyncFilter = (params: Partial<EventsParams>, now: Date, calendar: CalendarSettings): EventFilter =>
  toEventsFilter(params, params.include ? {} : resolveDateBounds(params, now, calendar, false), calendar)

/** Returns the GraphQL variables of the list, and the parameters of links to the list, in the order of contract c.13. */
export function toEventsVariables(params: EventsParams, now: Date, calendar: CalendarSettings) {
  const window = params.include ? {} : resolveDateBounds(params, now, calendar)
  const variables: LegacyEventsQueryVariables = {
    page: params.page,
    perPage: params.per_page,
    filter: toEventsFilter(params, window, calendar),
    orderBy: { field: params.include ? 'PUBLICATION' : calendar.showInSiteTimeZone ? 'START' : 'START_LOCAL' },
  }
  const { start_date, end_date, ...relative } = formatDateBounds(window)
  const query: LinkQuery = {
    start_date,
    end_date,
    search: params.search,
    status: params.status?.join(','),
    post_parent: params.post_parent,
    include: params.include?.join(','),
    ...relative,
    ticketed: formatFlagParam(params.ticketed),
    venue: params.venue?.join(','),
    organizer: params.organizer?.join(','),
    featured: formatFlagParam(params.featured),
    ...formatListParam('categories', params.categories),
    ...formatListParam('tags', params.tags),
    geoloc: formatFlagParam(params.geoloc),
    geoloc_lat: params.geoloc_lat,
    geoloc_lng: params.geoloc_lng,
    geoloc_radius: params.geoloc_radius,
    strict_dates: params.strict_dates && !params.include ? 'true' : undefined,
    series: params.series?.join(','),
    hide_subsequent_recurrences: formatFlagParam(params.hide_subsequent_recurrences),
  }
  return { variables, query }
}

function near({ geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radius }: Partial<EventsParams>) {
  return latitude === undefined || longitude === undefined ? undefined : { center: { latitude, longitude }, radius }
}
