// Filters of events by whole days, which may be relative to the current time.

import type { ParsedDate } from '../../basics/dates/natural-date.ts'
import {
  type CalendarSettings,
  comparisonZone,
  dayEnd,
  dayExpiryMs,
  dayStart,
  lastDayUntil,
  resolveWallClock,
  type TimeBounds,
} from '../../basics/dates/whole-days.ts'
import { addDays, dayMs, isZone, wallClockToDate } from '../../basics/time.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { isStorableDate } from '../../service/graphql/scalars.ts'
import { type BoundedRange, hasBound, toBoundsFilter, toDateFilter } from '../list/date-range.ts'
import { enumValues } from '../rules/enums.ts'

const DayRangeMatch = builder.enumType('DayRangeMatch', {
  description: 'How the times of an event are compared with a range of days.',
  values: enumValues({
    within: 'Events that start on the first day or later, and end on the last day or earlier.',
    starting: 'Events that start on one of the days, whenever they end.',
    overlapping:
      'Events that take place on at least one of the days, as a month view shows them. An event that ends at the moment at which the first day begins does not match, unless the event also starts at that moment.',
  }),
})

export const DayRange = builder.inputType('DayRange', {
  description:
    'A range of whole days. Days begin at the end-of-day cutoff of the site, by default at midnight. If `to` is before `from`, no event matches.',
  fields: (t) => ({
    from: t.field({ type: 'DayExpression', description: 'First day; without it, the range has no start.' }),
    to: t.field({ type: 'DayExpression', description: 'Last day; without it, the range has no end.' }),
    timeZone: t.string({
      description:
        'Time zone in which the days begin and end, such as `Europe/Paris`, or `local`: days are compared with the local time of each event. The default is `local`, or the time zone of the site if the site shows all events in that zone or is in UTC. With `local`, relative days such as `today` are days in UTC.',
    }),
    match: t.field({
      type: DayRangeMatch,
      defaultValue: 'within',
      description:
        'How the start and end of an event are compared with the days: it takes place on one of them (OVERLAPPING), starts on one of them (STARTING), or starts and ends on them (WITHIN).',
    }),
  }),
})

interface DayFilters {
  readonly startsOn?: ParsedDate | null | undefined
  readonly between?: typeof DayRange.$inferInput | null | undefined
}

/** Conditions of a filter by days; `times` and `where` combine with AND. */
interface DaySelection {
  readonly times: EventTimes
  readonly where: Prisma.EventWhereInput
  /** A redundant range of starts, for an index: the conditions on start and end alone each select half of all events. */
  readonly implied?: Prisma.EventWhereInput
}

export const dayOutOfRangeMessage = 'must be a day in the years 1 to 9999.'

export const invalidZoneMessage =
  'timeZone must be an IANA time zone such as Europe/Paris, an offset such as UTC+5:30, or local.'

/** Returns the zone for relative days, and the zone for comparisons (undefined to compare the local time of each event). */
export function chooseDayZones(timeZone: string | null | undefined, calendar: CalendarSettings) {
  if (timeZone == null) return { read: 'UTC', compared: comparisonZone(calendar) }
  return timeZone === 'local' ? { read: 'UTC', compared: undefined } : { read: timeZone, compared: timeZone }
}

/** Converts filters by days; `errors` has a message for each invalid field. Relative days make the response expire. */
export function dayFiltersToWhere({ startsOn, between }: DayFilters, context: Context) {
  const { settings } = context
  const days: DaySelection[] = []
  const errors: Record<string, string> = {}
  if (startsOn) {
    const day = resolveDay(startsOn, 'UTC', context)
    if (day === undefined) errors.startsOn = `startsOn ${dayOutOfRangeMessage}`
    else days.push(selectRange(day, day, 'starting', comparisonZone(settings), settings))
  }
  if (between) {
    const { timeZone, match } = between
    const zones = chooseDayZones(timeZone, settings)
    const problems = isZone(zones.read) ? [] : [invalidZoneMessage]
    const read = (name: 'from' | 'to') => {
      const date = isZone(zones.read) ? between[name] : undefined
      const day = date && resolveDay(date, zones.read, context)
      if (date && day === undefined) problems.push(`${name} ${dayOutOfRangeMessage}`)
      return day ?? undefined
    }
    const [from, to] = [read('from'), read('to')]
    if (problems.length > 0) errors.between = problems.join(' ')
    else days.push(selectRange(from, to, match ?? 'within', zones.compared, settings))
  }
  return { days, errors }
}

/** Returns the local time of a date such as `today` or `2026-05-01`; undefined if outside the years 1 to 9999. */
export function resolveDay(date: ParsedDate, zone: string, { now, settings, reads }: Context): string | undefined {
  reads.expiresAt(dayExpiryMs(date, now, zone, settings))
  return resolveWallClock(zone, date, now)
}

function selectRange(
  from: string | undefined,
  to: string | undefined,
  match: typeof DayRangeMatch.$inferType,
  zone: string | undefined,
  settings: CalendarSettings,
): DaySelection {
  const start = from === undefined ? undefined : dayStart(from.slice(0, 10), zone, settings)
  const end = to === undefined ? undefined : dayEnd(lastDayUntil(to, settings), zone, settings)
  const select = (starts: TimeBounds, ends: TimeBounds) => toEventTimes(starts, ends, zone)
  if (match === 'starting') return { times: select({ gte: start, lt: end }, {}), where: {} }
  if (match === 'within') {
    // In local time, an event starts before it ends, so that the upper bound of the end also applies to the start.
    return { times: select({ gte: start, lt: zone === undefined ? end : undefined }, { lt: end }), where: {} }
  }
  const times = select({ lt: end }, { gte: start })
  if (start === undefined) return { times, where: {} }
  // No event takes place on a day that the time zone skips, even if the event lasts longer than that day.
  if (start === end) return { times, where: { id: { in: [] } } }
  const or = (alternatives: Prisma.EventWhereInput[][]) => ({ OR: alternatives.map((each) => ({ AND: each })) })
  const earliest = end === undefined ? undefined : monthBefore(start, zone)
  return {
    times,
    where: or([select({}, { gt: start }), select({ gte: start }, {})].map(eventTimesFilter)),
    ...(earliest !== undefined && {
      implied: or([eventTimesFilter(select({ gte: earliest, lt: end }, {})), [{ lastsLong: true }]]),
    }),
  }
}

export const toEventTimes = (starts: TimeBounds, ends: TimeBounds, zone: string | undefined): EventTimes =>
  zone === undefined ? { startsLocal: starts, endsLocal: ends } : { startsAt: toDates(starts), endsAt: toDates(ends) }

/** Filters that together select the events that start before the time and end after it. Each can use an index. */
export function runningAtFilters(start: string, zone: string | undefined): Prisma.EventWhereInput[][] {
  const earliest = monthBefore(start, zone)
  const between = (gte: string | undefined, lt: string) =>
    eventTimesFilter(toEventTimes({ gte, lt }, { gt: start }, zone))
  if (earliest === undefined) return [between(undefined, start)]
  return [between(earliest, start), [{ lastsLong: true }, ...between(undefined, earliest)]]
}

/** Returns a time 31 days earlier: events before it have ended at `start`, except for those with `lastsLong`. */
function monthBefore(start: string, zone: string | undefined): string | undefined {
  if (start < '0002') return undefined
  // A day more than 31, because the clocks may change in between.
  return zone === undefined ? addDays(start, -31) : new Date(Date.parse(start) - 32 * dayMs).toISOString()
}

const toDates = (bounds: TimeBounds): BoundedRange<Date> =>
  Object.fromEntries(Object.entries(bounds).map(([name, bound]) => [name, bound && new Date(bound)]))

// Ranges of the start and end of events, as filters of Prisma.

/** Ranges of the start and the end of events, as instants or local times. */
export interface EventTimes {
  readonly startsAt?: BoundedRange<Date> | null | undefined
  readonly endsAt?: BoundedRange<Date> | null | undefined
  readonly startsLocal?: BoundedRange<string> | null | undefined
  readonly endsLocal?: BoundedRange<string> | null | undefined
}

export function eventTimesFilter(times: EventTimes): Prisma.EventWhereInput[] {
  const { startsAt, endsAt, startsLocal, endsLocal } = times
  return [
    ...(hasBound(startsAt) ? [{ startsAt: toDateFilter(startsAt) }] : []),
    ...(hasBound(endsAt) ? [{ endsAt: toDateFilter(endsAt) }] : []),
    ...(hasBound(startsLocal) ? [{ startsLocal: toBoundsFilter(startsLocal, wallClockToDate) }] : []),
    ...(hasBound(endsLocal) ? [{ endsLocal: toBoundsFilter(endsLocal, wallClockToDate) }] : []),
    ...impliedStartBounds(times),
  ]
}

/**
 * An upper bound of the end implies an upper bound of the start, which lets an index scan by start stop early. The margin of a day
 * covers events whose stored end is before their start because of a change of the clocks.
 */
function impliedStartBounds({ endsAt, endsLocal }: EventTimes): Prisma.EventWhereInput[] {
  const [instant, wallClock] = [endsAt?.lte ?? endsAt?.lt, endsLocal?.lte ?? endsLocal?.lt]
  const latest = instant && new Date(instant.getTime() + dayMs)
  return [
    ...(latest && isStorableDate(latest) ? [{ startsAt: { lte: latest } }] : []),
    ...(wallClock ? [{ startsLocal: { lte: wallClockToDate(wallClock) } }] : []),
  ]
}

/**
 * Returns a range that has the start of each selected event of at most 31 days: an end implies a start at most 31 days earlier.
 * Local times and UTC differ by less than a day, and the clocks may change in between.
 */
export function impliedStartRange(times: readonly EventTimes[]): { readonly from?: Date; readonly until?: Date } {
  const [lower, upper]: [number[], number[]] = [[], []]
  const add = (range: BoundedRange<Date | string> | null | undefined, days: number) => {
    const timeOf = (bound: Date | string) => (typeof bound === 'string' ? wallClockToDate(bound) : bound).getTime()
    const [from, until] = [range?.gt ?? range?.gte, range?.lt ?? range?.lte]
    if (from != null) lower.push(timeOf(from) - days * dayMs)
    if (until != null) upper.push(timeOf(until) + dayMs)
  }
  for (const { startsAt, endsAt, startsLocal, endsLocal } of times) {
    add(startsAt, 0)
    add(startsLocal, 1)
    add(endsAt, 32)
    add(endsLocal, 32)
  }
  const [from, until] = [new Date(Math.max(...lower)), new Date(Math.min(...upper))]
  return { ...(isStorableDate(from) && { from }), ...(isStorableDate(until) && { until }) }
}
