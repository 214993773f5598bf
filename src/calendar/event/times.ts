// Ranges of the start and end of events, as filters of Prisma.

import { dayLength, wallClockDate } from '../../basics/time.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { isStorable } from '../../service/graphql/scalars.ts'
import { hasBound, type Range, toBounds, toDateFilter } from '../list/date-range.ts'

/** Ranges of instants and of local times, which combine with AND. */
export interface EventTimes {
  readonly startsAt?: Range<Date> | null | undefined
  readonly endsAt?: Range<Date> | null | undefined
  readonly startsLocal?: Range<string> | null | undefined
  readonly endsLocal?: Range<string> | null | undefined
}

export function timesWhere(times: EventTimes): Prisma.EventWhereInput[] {
  const { startsAt, endsAt, startsLocal, endsLocal } = times
  const filters: Prisma.EventWhereInput[] = []
  if (hasBound(startsAt)) filters.push({ startsAt: toDateFilter(startsAt) })
  if (hasBound(endsAt)) filters.push({ endsAt: toDateFilter(endsAt) })
  if (hasBound(startsLocal)) filters.push({ startsLocal: toLocalFilter(startsLocal) })
  if (hasBound(endsLocal)) filters.push({ endsLocal: toLocalFilter(endsLocal) })
  return [...filters, ...impliedStartBounds(times)]
}

/**
 * An upper bound of the end implies one of the start, which lets an index scan by start stop early. The margin of a day
 * covers events whose stored end is before their start because of a change of the clocks.
 */
function impliedStartBounds({ endsAt, endsLocal }: EventTimes): Prisma.EventWhereInput[] {
  const [instant, wallClock] = [endsAt?.lte ?? endsAt?.lt, endsLocal?.lte ?? endsLocal?.lt]
  const latest = instant && new Date(instant.getTime() + dayLength)
  return [
    ...(latest && isStorable(latest) ? [{ startsAt: { lte: latest } }] : []),
    ...(wallClock ? [{ startsLocal: { lte: wallClockDate(wallClock) } }] : []),
  ]
}

/**
 * When the events of these ranges start, unless they last long: an end implies a start at most 31 days earlier. Local times and
 * UTC differ by less than a day, and the clocks may change in between.
 */
export function startRange(times: readonly EventTimes[]): { readonly from?: Date; readonly until?: Date } {
  const [lower, upper]: [number[], number[]] = [[], []]
  const add = (
    range: Range<Date | string> | null | undefined,
    toTime: (bound: Date | string) => number,
    days: number,
  ) => {
    const [from, until] = [range?.gt ?? range?.gte, range?.lt ?? range?.lte]
    if (from != null) lower.push(toTime(from) - days * dayLength)
    if (until != null) upper.push(toTime(until) + dayLength)
  }
  const instant = (bound: Date | string) => new Date(bound).getTime()
  const wallClock = (bound: Date | string) => wallClockDate(String(bound)).getTime()
  for (const { startsAt, endsAt, startsLocal, endsLocal } of times) {
    add(startsAt, instant, 0)
    add(startsLocal, wallClock, 1)
    add(endsAt, instant, 32)
    add(endsLocal, wallClock, 32)
  }
  const [from, until] = [new Date(Math.max(...lower)), new Date(Math.min(...upper))]
  return { ...(isStorable(from) && { from }), ...(isStorable(until) && { until }) }
}

const toLocalFilter = (range: Range<string>): Prisma.DateTimeFilter => toBounds(range, wallClockDate)
