import type { EventFilter, LegacyEventsQueryVariables } from '../../generated/graphql/graphql.ts'
import {
  date,
  decimal,
  flag,
  integerList,
  nonEmptyText,
  pageParams,
  positiveInteger,
  recordPassword,
  statusList,
  strictFlag,
  termList,
} from '../params.ts'
import { graphStatus, type LegacyStatus } from '../text.ts'
import { type Query, shownFlag, shownList } from '../urls.ts'
import { type DateParams, dateWindow, shownWindow, windowFilter } from './window.ts'

/** Kilometres: half way round the earth, and a little more. */
const farthest = 20_040

export const eventsParams = {
  ...pageParams,
  start_date: date.optional().describe('Events that start on this day or later; by default from yesterday on.'),
  end_date: date.optional().describe('Events that end on this day or earlier; by default within two years.'),
  starts_before: date.optional().describe('Events that start on this day or earlier.'),
  starts_after: date.optional().describe('Events that start after this day.'),
  ends_before: date.optional().describe('Events that end on this day or earlier.'),
  ends_after: date.optional().describe('Events that end after this day.'),
  strict_dates: strictFlag.default(false).describe('Take the dates as exact moments, not as whole days.'),
  include: integerList.optional().describe('Only these events; the dates then play no part.'),
  featured: flag.optional().describe('Only featured events, or only others.'),
  ticketed: flag.optional().describe('Only events with tickets, or only those without.'),
  status: statusList.optional().describe('Status of the events.'),
  password: recordPassword,
  search: nonEmptyText
    .optional()
    .describe('Events with these words; quotes keep a phrase together, a leading hyphen excludes a word.'),
  categories: termList.optional().describe('Events in one of these categories, or in one that is part of them.'),
  tags: termList.optional().describe('Events with one of these tags.'),
  venue: integerList.optional().describe('Events at one of these venues.'),
  organizer: integerList.optional().describe('Events of one of these organizers.'),
  post_parent: positiveInteger.optional().describe('Events that are part of this one.'),
  geoloc: flag.optional().describe('Only events at a venue whose coordinates are known, or only others.'),
  geoloc_lat: decimal(-90, 90).optional().describe('Degrees north of a place that events are near; with geoloc_lng.'),
  geoloc_lng: decimal(-180, 180).optional().describe('Degrees east of a place that events are near; with geoloc_lat.'),
  geoloc_radius: decimal(0, farthest).optional().describe('Kilometres around that place.'),
}

interface EventsParams extends DateParams {
  readonly page: number
  readonly per_page?: number | undefined
  readonly include?: readonly number[] | undefined
  readonly featured?: boolean | undefined
  readonly ticketed?: boolean | undefined
  readonly status?: readonly LegacyStatus[] | undefined
  readonly search?: string | undefined
  readonly categories?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
  readonly venue?: readonly number[] | undefined
  readonly organizer?: readonly number[] | undefined
  readonly post_parent?: number | undefined
  readonly geoloc?: boolean | undefined
  readonly geoloc_lat?: number | undefined
  readonly geoloc_lng?: number | undefined
  readonly geoloc_radius?: number | undefined
}

interface Calendar {
  readonly siteTimeZone: string
  readonly endOfDayCutoff: string
  readonly showInSiteTimeZone: boolean
}

const together = 'Give geoloc_lat and geoloc_lng together.'

/** A place has two coordinates, and a radius needs a place. */
export function checkEventsParams(params: Partial<EventsParams>): Readonly<Record<string, string>> {
  const { geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radius } = params
  if (latitude !== undefined && longitude === undefined) return { geoloc_lng: together }
  if (longitude !== undefined && latitude === undefined) return { geoloc_lat: together }
  if (radius === 0) return { geoloc_radius: 'Give a number above 0.' }
  return radius !== undefined && latitude === undefined ? { geoloc_lat: together, geoloc_lng: together } : {}
}

/** The part of the filter that names records, and what else the graph may refuse. */
export const namedByEvents = (params: Partial<EventsParams>): EventFilter => ({
  mustExist: true,
  include: params.include && [...params.include],
  categories: params.categories && [...params.categories],
  tags: params.tags && [...params.tags],
  venues: params.venue && [...params.venue],
  organizers: params.organizer && [...params.organizer],
  parent: params.post_parent,
  status: params.status?.map(graphStatus),
})

/** What to ask the graph for a list of events, and the parameters that links to it carry, in contract c.13's order. */
export function eventsVariables(params: EventsParams, now: Date, calendar: Calendar) {
  const window = params.include ? {} : dateWindow(params, now, calendar)
  const variables: LegacyEventsQueryVariables = {
    page: params.page,
    perPage: params.per_page,
    filter: {
      ...windowFilter(window, calendar),
      ...namedByEvents(params),
      search: params.search,
      featured: params.featured,
      ticketed: params.ticketed,
      located: params.geoloc,
      near: near(params),
    },
    orderBy: { field: params.include ? 'PUBLICATION' : calendar.showInSiteTimeZone ? 'START' : 'START_LOCAL' },
  }
  const { start_date, end_date, ...relative } = shownWindow(window)
  const query: Query = {
    start_date,
    end_date,
    search: params.search,
    status: params.status?.join(','),
    post_parent: params.post_parent,
    include: params.include?.join(','),
    ...relative,
    ticketed: shownFlag(params.ticketed),
    venue: params.venue?.join(','),
    organizer: params.organizer?.join(','),
    featured: shownFlag(params.featured),
    ...shownList('categories', params.categories),
    ...shownList('tags', params.tags),
    geoloc: shownFlag(params.geoloc),
    geoloc_lat: params.geoloc_lat,
    geoloc_lng: params.geoloc_lng,
    geoloc_radius: params.geoloc_radius,
    strict_dates: params.strict_dates && !params.include ? 'true' : undefined,
  }
  return { variables, query }
}

function near({ geoloc_lat: latitude, geoloc_lng: longitude, geoloc_radius: radius }: EventsParams) {
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude, radius }
}
