// The date filters of the events list (contract b.10): parameters to bounds.
import type { EventFilter } from '../../generated/graphql/graphql.ts'
import { addDays, addMonths, endOfDay, isUtc, startOfDay, toInstant, toWallClock } from '../../time.ts'
import { legacyDate } from '../dates.ts'
import { type ParsedDate, type ResolvedDate, withinYears } from '../natural-date.ts'

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

/** The effective bounds as wall clocks; defaults apply only where no relative filter is given. */
export function dateWindow(params: DateParams, now: Date, calendar: Calendar): Partial<Record<Filter, string>> {
  const { starts_before, starts_after, ends_before, ends_after, strict_dates: strict = false } = params
  const isRelative = starts_before ?? starts_after ?? ends_before ?? ends_after
  const given: Partial<Record<Filter, ResolvedDate>> =
    isRelative === undefined ? defaults(now, calendar.siteTimeZone) : {}
  // Whole days are those of UTC, exact times those of the site's clocks.
  const anchor = toWallClock(now, strict ? calendar.siteTimeZone : 'UTC')
  for (const name of filters) {
    const date = params[name]
    if (date) given[name] = date.resolve(anchor)
  }
  const bounds = filters.flatMap((name) => {
    const date = given[name]
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

const [firstDay, lastDay] = ['0001-01-01', '9999-12-31']

function bound(name: Filter, { wallClock, instant }: ResolvedDate, strict: boolean, calendar: Calendar): string {
  const day = wallClock.slice(0, 10)
  // Nothing is beyond them that a zone or a cutoff could move them to.
  const isEdge = day === firstDay || day === lastDay
  if (strict) return instant && !isEdge ? toWallClock(instant, calendar.siteTimeZone) : wallClock
  const cutoff = isEdge ? '00:00' : calendar.endOfDayCutoff
  if (name === 'start_date') return startOfDay(day, cutoff)
  // The end of a day, as links carry it, stays the end of that day where days end after midnight.
  return endOfDay(addDays(`${day}T00:00:00`, -1).slice(0, 10), cutoff) === wallClock ? wallClock : endOfDay(day, cutoff)
}

/** When the bounds may become others, in milliseconds since 1970: at a midnight, unless they are said relative to now. */
export function windowEnd(params: DateParams, now: Date, calendar: Calendar): number {
  const { siteTimeZone } = calendar
  const isMoving = filters.some((name) => params[name]?.isRelative)
  const ends = params.end_date ?? params.starts_before ?? params.starts_after ?? params.ends_before ?? params.ends_after
  if (isMoving || (params.strict_dates && ends === undefined)) return (Math.floor(now.getTime() / 1000) + 1) * 1000
  return Math.min(...['UTC', siteTimeZone].map((zone) => nextMidnight(now, zone)))
}

const nextMidnight = (now: Date, zone: string): number =>
  toInstant(`${addDays(toWallClock(now, zone), 1).slice(0, 10)}T00:00:00`, zone).getTime()

/** The bounds as they are shown in links. */
export const shownWindow = (window: Partial<Record<Filter, string>>) =>
  Object.fromEntries(Object.entries(window).map(([name, wallClock]) => [name, legacyDate(wallClock)]))

/** From the first day that can be said, or up to the last: that side is open. */
const since = (bound: string | undefined) => (bound?.startsWith(firstDay) ? undefined : bound)
const until = (bound: string | undefined) => (bound?.startsWith(lastDay) ? undefined : bound)

/** The bounds as a filter: on wall clocks, or on instants where the site goes by one clock. */
export function windowFilter(window: Partial<Record<Filter, string>>, calendar: Calendar): EventFilter {
  const starts = { gte: since(window.start_date), lt: until(window.starts_before), gt: since(window.starts_after) }
  const ends = { lte: until(window.end_date), lt: until(window.ends_before), gt: since(window.ends_after) }
  if (!isUtc(calendar.siteTimeZone) && !calendar.showInSiteTimeZone) return { startsLocal: starts, endsLocal: ends }
  const instants = (range: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries(range).map(([name, text]) => [name, text && withinYears(toInstant(text, calendar.siteTimeZone))]),
    )
  return { startsAt: instants(starts), endsAt: instants(ends) }
}
