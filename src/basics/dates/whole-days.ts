// Converts days to bounds for the start and end of events (contract b.10).
import { addDays, addMonths, endOfDay, isUtc, startOfDay, toInstant, toWallClock } from '../time.ts'
import { clampToSupportedYears, type ParsedDate } from './natural-date.ts'

/** The settings of the site that decide when a day begins and ends. */
export interface CalendarSettings {
  readonly siteTimeZone: string
  /** Time of day at which days begin, as HH:MM. */
  readonly endOfDayCutoff: string
  readonly showInSiteTimeZone: boolean
}

type Cutoff = Pick<CalendarSettings, 'endOfDayCutoff'>

/** Bounds of a time, by the name of Prisma's filter operator. */
export type TimeBounds = { readonly [bound in 'gt' | 'gte' | 'lt' | 'lte']?: string | undefined }

/** The first and last supported day. Used as bounds, these days exclude nothing. */
const [minDay, maxDay] = ['0001-01-01', '9999-12-31']

/** Whether the local time is on the first or last supported day, which a time zone or cutoff could move out of the years. */
export const isAtSupportedLimit = (wallClock: string): boolean =>
  wallClock.startsWith(minDay) || wallClock.startsWith(maxDay)

export const firstSecondOfDay = (wallClock: string, { endOfDayCutoff }: Cutoff): string =>
  startOfDay(wallClock.slice(0, 10), cutoffOf(wallClock, endOfDayCutoff))

/** The last day, as `YYYY-MM-DD`, of a range that ends at this local time. */
export function lastDayUntil(wallClock: string, { endOfDayCutoff }: Cutoff): string {
  const day = wallClock.slice(0, 10)
  const dayBefore = addDays(`${day}T00:00:00`, -1).slice(0, 10)
  // Links contain the end of a day, which may be after midnight. It must not become the end of the next day.
  return endOfDay(dayBefore, cutoffOf(wallClock, endOfDayCutoff)) === wallClock ? dayBefore : day
}

export const lastSecondOfDay = (wallClock: string, { endOfDayCutoff }: Cutoff): string =>
  endOfDay(lastDayUntil(wallClock, { endOfDayCutoff }), cutoffOf(wallClock, endOfDayCutoff))

const cutoffOf = (wallClock: string, cutoff: string) => (isAtSupportedLimit(wallClock) ? '00:00' : cutoff)

/** Returns the time zone for comparisons of event times; undefined if the site compares the local time of each event. */
export const comparisonZone = ({ siteTimeZone, showInSiteTimeZone }: CalendarSettings): string | undefined =>
  isUtc(siteTimeZone) || showInSiteTimeZone ? siteTimeZone : undefined

/** Returns a Prisma filter for events: on instants if `zone` is given, otherwise on the local time of each event. */
export function timeFilter(starts: TimeBounds, ends: TimeBounds, zone: string | undefined) {
  const [startsLocal, endsLocal] = [withoutEdges(starts), withoutEdges(ends)]
  if (zone === undefined) return { startsLocal, endsLocal }
  return { startsAt: instants(startsLocal, zone), endsAt: instants(endsLocal, zone) }
}

/**
 * Returns when a day begins: an instant, or a local time if `zone` is undefined. Returns undefined for the first supported day,
 * which has no bound. A day that the zone skips begins and ends at the same instant.
 */
export function dayStart(day: string, zone: string | undefined, calendar: Cutoff): string | undefined {
  if (day === minDay) return undefined
  const start = firstSecondOfDay(day, calendar)
  return zone === undefined ? start : clampToSupportedYears(toInstant(start, zone)).toISOString()
}

/** Returns when a day ends, which is the start of the next day; undefined for the last supported day. */
export const dayEnd = (day: string, zone: string | undefined, calendar: Cutoff): string | undefined =>
  day === maxDay ? undefined : dayStart(addDays(`${day}T00:00:00`, 1).slice(0, 10), zone, calendar)

function withoutEdges({ gt, gte, lt, lte }: TimeBounds): TimeBounds {
  const unless = (edge: string, bound: string | undefined) => (bound?.startsWith(edge) ? undefined : bound)
  return { gt: unless(minDay, gt), gte: unless(minDay, gte), lt: unless(maxDay, lt), lte: unless(maxDay, lte) }
}

function instants({ gt, gte, lt, lte }: TimeBounds, zone: string) {
  const toBound = (bound: string | undefined) =>
    bound === undefined ? bound : clampToSupportedYears(toInstant(bound, zone))
  return { gt: toBound(gt), gte: toBound(gte), lt: toBound(lt), lte: toBound(lte) }
}

/** Resolves a date, relative to `now`, to a local time in the zone; undefined outside of the years 1 to 9999. */
export const resolveWallClock = (zone: string, date: ParsedDate, now: Date): string | undefined =>
  wallClockAt(toWallClock(now, zone), zone, date)

function wallClockAt(anchor: string, zone: string, date: ParsedDate): string | undefined {
  const resolved = date.resolve(anchor)
  if (resolved?.instant === undefined || isAtSupportedLimit(resolved.wallClock)) return resolved?.wallClock
  return toWallClock(resolved.instant, zone)
}

/** Returns when a relative date may become another day, in milliseconds since 1970; infinite for other dates. */
export function dayExpiryMs(date: ParsedDate, now: Date, zone: string, { endOfDayCutoff }: Cutoff): number {
  if (!date.isRelative) return Number.POSITIVE_INFINITY
  const today = toWallClock(now, zone).slice(0, 10)
  const [first, last] = ['00:00:00', '23:59:59'].map((time) => wallClockAt(`${today}T${time}`, zone, date))
  // If days do not begin at 00:00, the day also depends on the time of day.
  const compared = endOfDayCutoff === '00:00' ? 'YYYY-MM-DD'.length : undefined
  const isConstant = first?.slice(0, compared) === last?.slice(0, compared)
  return isConstant ? nextMidnightMs(now, zone) : nextSecondMs(now)
}

/** Returns when the next second begins, in milliseconds since 1970. */
export const nextSecondMs = (now: Date): number => (Math.floor(now.getTime() / 1000) + 1) * 1000

export const nextMidnightMs = (now: Date, zone: string): number =>
  toInstant(`${addDays(toWallClock(now, zone), 1).slice(0, 10)}T00:00:00`, zone).getTime()

/** Whether the text is a day of the years 1970 to 2199, such as `2026-11-21`. */
export const isDay = (text: string): boolean =>
  /^(19[7-9]|20\d|21\d)\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.slice(0, 10) === text

export function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  const first = `${month}-01T00:00:00`
  return { from: first.slice(0, 10), to: addDays(addMonths(first, 1), -1).slice(0, 10) }
}

/** Returns the local times of a date of a schedule; for whole days, those when its first and its last day begin. */
export function datesOrDays(date: {
  readonly allDay: boolean
  readonly startsLocal: string
  readonly endsLocal: string
}) {
  const { allDay, startsLocal, endsLocal } = date
  if (!allDay) return { startsLocal, endsLocal }
  const { first, end } = allDayDates(date)
  return { startsLocal: `${first}T00:00:00`, endsLocal: addDays(`${end}T00:00:00`, -1) }
}

/**
 * Returns the first day of an all-day event, and the day after its last day. Start and end of the event are the first and last
 * second of its days, so their times of day are the `endOfDayCutoff` at the time when the event was saved.
 */
export function allDayDates({ startsLocal, endsLocal }: { readonly startsLocal: string; readonly endsLocal: string }): {
  readonly first: string
  readonly end: string
} {
  const [first, time] = [startsLocal.slice(0, 10), startsLocal.slice(11)]
  const after = new Date(Date.parse(`${endsLocal}Z`) + 1000).toISOString()
  const end = after.slice(11, 19) === time ? after.slice(0, 10) : addDays(endsLocal, 1).slice(0, 10)
  return { first, end: end > first ? end : addDays(startsLocal, 1).slice(0, 10) }
}
