import type { LegacyEventsQueryVariables } from '../../generated/graphql/graphql.ts'
import { date, flag, integerList, notYet, pageParams, recordPassword, statusList, strictFlag } from '../params.ts'
import { graphStatus, type LegacyStatus } from '../text.ts'
import type { Query } from '../urls.ts'
import { type DateParams, dateWindow, shownWindow, windowFilter } from './window.ts'

export const eventsParams = {
  ...pageParams,
  start_date: date.optional().describe('Events that start on this day or later; by default from yesterday on.'),
  end_date: date.optional().describe('Events that end on this day or earlier; by default within two years.'),
  starts_before: date.optional().describe('Events that start on this day or earlier.'),
  starts_after: date.optional().describe('Events that start after this day.'),
  ends_before: date.optional().describe('Events that end on this day or earlier.'),
  ends_after: date.optional().describe('Events that end after this day.'),
  strict_dates: strictFlag.optional().describe('Take the dates as exact moments, not as whole days.'),
  include: integerList.optional().describe('Only these events; the dates then play no part.'),
  featured: flag.optional().describe('Only featured events, or only others.'),
  ticketed: flag.optional().describe('Only events with tickets, or only those without.'),
  status: statusList.optional().describe('Status of the events.'),
  password: recordPassword,
  search: notYet,
  categories: notYet,
  tags: notYet,
  venue: notYet,
  organizer: notYet,
  post_parent: notYet,
  geoloc: notYet,
  geoloc_lat: notYet,
  geoloc_lng: notYet,
  geoloc_radius: notYet,
}

interface EventsParams extends DateParams {
  readonly page: number
  readonly per_page?: number | undefined
  readonly include?: readonly number[] | undefined
  readonly featured?: boolean | undefined
  readonly ticketed?: boolean | undefined
  readonly status?: readonly LegacyStatus[] | undefined
}

interface Calendar {
  readonly siteTimeZone: string
  readonly endOfDayCutoff: string
  readonly showInSiteTimeZone: boolean
}

/** What to ask the graph for a list of events, and the parameters that links to it carry, in contract c.13's order. */
export function eventsVariables(params: EventsParams, now: Date, calendar: Calendar) {
  const window = params.include ? {} : dateWindow(params, now, calendar)
  const variables: LegacyEventsQueryVariables = {
    page: params.page,
    perPage: params.per_page,
    filter: {
      ...windowFilter(window, calendar),
      include: params.include && [...params.include],
      featured: params.featured,
      ticketed: params.ticketed,
      status: params.status?.map(graphStatus),
    },
    orderBy: { field: params.include ? 'PUBLICATION' : calendar.showInSiteTimeZone ? 'START' : 'START_LOCAL' },
  }
  const { start_date, end_date, ...relative } = shownWindow(window)
  const query: Query = {
    start_date,
    end_date,
    status: params.status?.join(','),
    include: params.include?.join(','),
    ...relative,
    ticketed: shownFlag(params.ticketed),
    featured: shownFlag(params.featured),
    strict_dates: params.strict_dates && !params.include ? 'true' : undefined,
  }
  return { variables, query }
}

const shownFlag = (value: boolean | undefined) => (value === undefined ? undefined : value ? '1' : '0')
