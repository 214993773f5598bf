// The date filters of the event list (contract b.10).
import type { ResolvedDate } from '../../../basics/dates/natural-date.ts'
import {
  type CalendarSettings,
  comparisonZone,
  dayExpiryMs,
  firstSecondOfDay,
  isAtSupportedLimit,
  lastSecondOfDay,
  nextMidnightMs,
  nextSecondMs,
  timeFilter,
} from '../../../basics/dates/whole-days.ts'
import { addDays, addMonths, toInstant, toWallClock } from '../../../basics/time.ts'
import type { EventFilter } from '../../../generated/graphql/graphql.ts'
import { dateParam, type Params, strictFlagParam } from '../params.ts'
import { formatLegacyDate } from '../text.ts'

export const dateParams = {
  start_date: dateParam.optional().describe('Events that start on this day or later; yesterday by default.'),
  end_date: dateParam.optional().describe('Events that end on this day or earlier; two years from now by default.'),
  starts_before: dateParam.optional().describe('Events that start on this day or earlier.'),
  starts_after: dateParam.optional().describe('Events that start after this day.'),
  ends_before: dateParam.optional().describe('Events that end on this day or earlier.'),
  ends_after: dateParam.optional().describe('Events that end after this day.'),
  strict_dates: strictFlagParam.default(false).describe('Treat the dates as exact times instead of whole days.'),
}

type DateParams = Partial<Params<typeof dateParams>>

const filters = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
type Filter = (typeof filters)[number]

/** Bounds of starts and ends, as local times. */
export type DateBounds = Partial<Record<Filter, string>>

/** Returns the bounds of starts and ends as local times. The defaults apply only without `starts_*` and `ends_*` parameters. */
export function resolveDateBounds(
  params: DateParams,
  now: Date,
  calendar: CalendarSettings,
  hasDefaults = true,
): DateBounds {
  const { starts_before, starts_after, ends_before, ends_after, strict_dates: strict = false } = params
  const isRelative = starts_before ?? starts_after ?? ends_before ?? ends_after
  const dates: Partial<Record<Filter, ResolvedDate>> =
    hasDefaults && isRelative === undefined ? defaults(now, calendar.siteTimeZone) : {}
  // Whole days are days in UTC; exact times are in the site's time zone.
  const anchor = toWallClock(now, strict ? calendar.siteTimeZone : 'UTC')
  for (const name of filters) {
    const date = params[name]
    if (date) dates[name] = date.resolve(anchor)
  }
  const bounds = filters.flatMap((name) => {
    const date = dates[name]
    return date ? [[name, bound(name, date, strict, calendar)] as const] : []
  })
  return Object.fromEntries(bounds)
}

function defaults(now: Date, siteTimeZone: string): { start_date: ResolvedDate; end_date: ResolvedDate } {
  const yesterday = addDays(toWallClock(now, 'UTC'), -1).slice(0, 10)
  return {
    start_date: { wallClock: toWallClock(toInstant(`${yesterday}T23:59:00`, 'UTC'), siteTimeZone) },
    end_date: { wallClock: addMonths(toWallClock(now, 'UTC'), 24) },
  }
}

function bound(
  name: Filter,
  { wallClock, instant }: ResolvedDate,
  strict: boolean,
  calendar: CalendarSettings,
): string {
  if (strict) return instant && !isAtSupportedLimit(wallClock) ? toWallClock(instant, calendar.siteTimeZone) : wallClock
  return name === 'start_date' ? firstSecondOfDay(wallClock, calendar) : lastSecondOfDay(wallClock, calendar)
}

/** Returns when relative bounds change, in milliseconds since 1970: exact times at the next second, days at midnight. */
export function dateBoundsExpiry(params: DateParams, now: Date, calendar: CalendarSettings): number {
  const dates = filters.flatMap((name) => params[name] ?? [])
  const ends = params.end_date ?? params.starts_before ?? params.starts_after ?? params.ends_before ?? params.ends_after
  if (params.strict_dates && (ends === undefined || dates.some(({ isRelative }) => isRelative)))
    return nextSecondMs(now)
  return Math.min(
    ...['UTC', calendar.siteTimeZone].map((zone) => nextMidnightMs(now, zone)),
    ...dates.map((date) => dayExpiryMs(date, now, 'UTC', calendar)),
  )
}

export const formatDateBounds = (window: DateBounds) =>
  Object.fromEntries(Object.entries(window).map(([name, wallClock]) => [name, formatLegacyDate(wallClock)]))

/** Converts bounds to an event filter: on local times, or on instants if all events are shown in the time zone of the site. */
export function dateBoundsFilter(window: DateBounds, calendar: CalendarSettings): EventFilter {
  const starts = { gte: window.start_date, lt: window.starts_before, gt: window.starts_after }
  const ends = { lte: window.end_date, lt: window.ends_before, gt: window.ends_after }
  return timeFilter(starts, ends, comparisonZone(calendar))
}
