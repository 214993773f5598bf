// The date filters of the event list (contract b.10).
import type { EventFilter } from '../../generated/graphql/graphql.ts'
import { addDays, addMonths, endOfDay, isUtc, startOfDay, toInstant, toWallClock } from '../../time.ts'
import { legacyDate } from '../dates.ts'
import { clampToRange, type ParsedDate, type ResolvedDate } from '../natural-date.ts'

export interface DateParams {
  readonly start_date?: ParsedDate | undefined
  readonly end_date?: ParsedDate | undefined
  readonly starts_before?: ParsedDate | undefined
  readonly starts_after?: ParsedDate | undefined
  readonly ends_before?: ParsedDate | undefined
  readonly ends_after?: ParsedDate | undefined
  readonly strict_dates?: boolean | undefined
}

interface Calendar {
  readonly siteTimeZone: string
  readonly endOfDayCutoff: string
  readonly showInSiteTimeZone: boolean
}

const filters = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const
type Filter = (typeof filters)[number]

/** The bounds as wall clocks. The defaults apply only without `starts_*` and `ends_*` parameters. */
export function dateWindow(params: DateParams, now: Date, calendar: Calendar): Partial<Record<Filter, string>> {
  const { starts_before, starts_after, ends_before, ends_after, strict_dates: strict = false } = params
  const isRelative = starts_before ?? starts_after ?? ends_before ?? ends_after
  const dates: Partial<Record<Filter, ResolvedDate>> =
    isRelative === undefined ? defaults(now, calendar.siteTimeZone) : {}
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

const [minDay, maxDay] = ['0001-01-01', '9999-12-31']

function bound(name: Filter, { wallClock, instant }: ResolvedDate, strict: boolean, calendar: Calendar): string {
  const day = wallClock.slice(0, 10)
  // A time zone or cutoff would move these days out of the supported years.
  const isEdge = day === minDay || day === maxDay
  if (strict) return instant && !isEdge ? toWallClock(instant, calendar.siteTimeZone) : wallClock
  const cutoff = isEdge ? '00:00' : calendar.endOfDayCutoff
  if (name === 'start_date') return startOfDay(day, cutoff)
  // Links contain the end of a day, which may be after midnight. It must not become the end of the next day.
  return endOfDay(addDays(`${day}T00:00:00`, -1).slice(0, 10), cutoff) === wallClock ? wallClock : endOfDay(day, cutoff)
}

/** When the bounds change, in milliseconds since 1970: at the next midnight, or the next second for relative dates. */
export function windowExpiry(params: DateParams, now: Date, calendar: Calendar): number {
  const { siteTimeZone } = calendar
  const isMoving = filters.some((name) => params[name]?.isRelative)
  const ends = params.end_date ?? params.starts_before ?? params.starts_after ?? params.ends_before ?? params.ends_after
  if (isMoving || (params.strict_dates && ends === undefined)) return (Math.floor(now.getTime() / 1000) + 1) * 1000
  return Math.min(...['UTC', siteTimeZone].map((zone) => nextMidnight(now, zone)))
}

const nextMidnight = (now: Date, zone: string): number =>
  toInstant(`${addDays(toWallClock(now, zone), 1).slice(0, 10)}T00:00:00`, zone).getTime()

/** The bounds as query parameters of links. */
export const formatWindow = (window: Partial<Record<Filter, string>>) =>
  Object.fromEntries(Object.entries(window).map(([name, wallClock]) => [name, legacyDate(wallClock)]))

/** The first and last supported day mean no bound. */
const lowerBound = (bound: string | undefined) => (bound?.startsWith(minDay) ? undefined : bound)
const upperBound = (bound: string | undefined) => (bound?.startsWith(maxDay) ? undefined : bound)

/** The bounds as a filter on wall clocks, or on instants if the site shows all events in its own time zone. */
export function windowFilter(window: Partial<Record<Filter, string>>, calendar: Calendar): EventFilter {
  const starts = {
    gte: lowerBound(window.start_date),
    lt: upperBound(window.starts_before),
    gt: lowerBound(window.starts_after),
  }
  const ends = {
    lte: upperBound(window.end_date),
    lt: upperBound(window.ends_before),
    gt: lowerBound(window.ends_after),
  }
  if (!isUtc(calendar.siteTimeZone) && !calendar.showInSiteTimeZone) return { startsLocal: starts, endsLocal: ends }
  const instants = (range: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries(range).map(([name, text]) => [name, text && clampToRange(toInstant(text, calendar.siteTimeZone))]),
    )
  return { startsAt: instants(starts), endsAt: instants(ends) }
}
