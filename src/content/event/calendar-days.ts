// Counts the events of each day of a range, and finds the first ones of each day, with one statement for all days.
import type { Context } from '../../context.ts'
import { type ParsedDate, parseDate } from '../../dates/natural-date.ts'
import { dayEnd, dayStart, lastDay, siteZone } from '../../dates/whole-days.ts'
import { querySql } from '../../db/query.ts'
import type { BooleanColumns } from '../../db/record-reads.ts'
import { badInput } from '../../errors.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { addDays, isZone, zoneName } from '../../time.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { calendarStatement } from './calendar-statement.ts'
import { beforeDay, notAZone, outOfRange, readDay, selectTimes } from './days.ts'
import { timesWhere } from './times.ts'

export const maxDays = 100

interface Range {
  readonly from: ParsedDate
  readonly to: ParsedDate
  readonly timeZone?: string | null | undefined
}

export interface CalendarRange {
  /** As `YYYY-MM-DD`, in order. */
  readonly days: readonly string[]
  /** Undefined for the local time of each event. */
  readonly zone: string | undefined
}

/** The days of the range. Throws badInput for an invalid range, and for one of too many days. */
export function calendarRange({ from, to, timeZone }: Range, context: Context): CalendarRange {
  const { settings } = context
  if (timeZone != null && !isZone(timeZone)) throw badInput({ timeZone: notAZone })
  const [first, last] = [from, to].map((date) => readDay(date, timeZone ?? 'UTC', context))
  if (first === undefined || last === undefined) {
    throw badInput({
      ...(first === undefined && { from: `from ${outOfRange}` }),
      ...(last === undefined && { to: `to ${outOfRange}` }),
    })
  }
  const [firstDay, end] = [first.slice(0, 10), lastDay(last, settings)]
  if (end < firstDay) throw badInput({ to: `to must not be before from: ${end} is before ${firstDay}.` })
  const count = daysBetween(firstDay, end) + 1
  if (count > maxDays) {
    throw badInput({ to: `from and to can include at most ${maxDays} days: from ${firstDay} to ${end} are ${count}.` })
  }
  const days = Array.from({ length: count }, (_, index) => addDays(`${firstDay}T00:00:00`, index).slice(0, 10))
  const zone = timeZone ?? siteZone(settings)
  return { days, zone: zone && zoneName(zone) }
}

/** A month with 31 days, from which the cost of relative days is computed. */
const assumedToday = '2026-01-01T00:00:00'

/** The number of days for the complexity of an operation, whose arguments may be invalid. */
export function assumedDays({ from, to }: Readonly<Record<string, unknown>>): number {
  const [first, last] = [from, to].map((value) => {
    const date = typeof value === 'string' ? parseDate(value) : (value as ParsedDate | null | undefined)
    return date?.resolve(assumedToday)?.wallClock.slice(0, 10)
  })
  const count = first === undefined || last === undefined ? maxDays : daysBetween(first, last) + 1
  return Math.min(Math.max(count, 1), maxDays)
}

const daysBetween = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / 86_400_000

export interface DayCount {
  readonly total: number
  /** The first events of the day, at most `maxEventsOfDay`. */
  readonly ids: readonly number[]
}

export interface CalendarCounts {
  /** Distinct events. */
  readonly total: number
  /** In the order of the days. */
  readonly days: readonly DayCount[]
}

interface Row {
  /** Numbers of events that start on a day, by its position. */
  readonly started: readonly (readonly [position: number, events: number])[] | null
  /** Numbers of events of several days, by the positions of the first and the last one. */
  readonly continued: readonly (readonly [first: number, last: number, events: number])[] | null
  readonly days: readonly (readonly [position: number, ids: readonly number[]])[] | null
}

interface CalendarFilter {
  readonly where: Prisma.EventWhereInput
  /** Whether `where` leaves out only what no list shows, so that most events of each day match. */
  readonly isDense: boolean
}

/** Counts the events that the filter selects on each day and, if `withIds` is set, finds the first ones. */
export async function countDays(
  { days, zone }: CalendarRange,
  { where, isDense }: CalendarFilter,
  withIds: boolean,
  context: Context,
): Promise<CalendarCounts> {
  const { settings, db } = context
  const [first, end] = [dayStart(days[0] ?? '', zone, settings), dayEnd(days.at(-1) ?? '', zone, settings)]
  const bounds = days.map((day) => dayStart(day, zone, settings) ?? '-infinity')
  bounds.push(end ?? 'infinity')
  if (bounds[0] === bounds.at(-1)) return { total: 0, days: days.map(() => ({ total: 0, ids: [] })) }
  // A lock withholds `sticky` and `allDay`, so the order of locked events must not depend on them.
  const booleanColumns: BooleanColumns = withIds ? { unlocked: unlocked(context) } : {}
  const matching = (...filters: Prisma.EventWhereInput[]) =>
    db.event.matchingRows({ AND: [where, ...filters] }, booleanColumns)
  const [started, ...earlier] = await Promise.all([
    matching(...timesWhere(selectTimes({ gte: first, lt: end }, { gte: first }, zone))),
    ...(first === undefined ? [] : beforeDay(first, zone).map((filters) => matching(...filters))),
  ])
  const statement = calendarStatement({ started, earlier, bounds, zone, withIds, isDense })
  const [row] = await querySql<Row>(db, statement)
  const ids = new Map(row?.days)
  const { total, totals } = totalsOf(row, days.length)
  return {
    total,
    days: days.map((_, index) => {
      const isSkipped = bounds[index] === bounds[index + 1]
      return isSkipped ? { total: 0, ids: [] } : { total: totals[index] ?? 0, ids: ids.get(index + 1) ?? [] }
    }),
  }
}

/** The number of distinct events, and that of each day. */
function totalsOf(row: Row | undefined, days: number) {
  const changes = new Array<number>(days + 1).fill(0)
  const add = (first: number, last: number, events: number) => {
    changes[first - 1] = (changes[first - 1] ?? 0) + events
    changes[last] = (changes[last] ?? 0) - events
  }
  let total = 0
  for (const [day, events] of row?.started ?? []) {
    total += events
    add(day, day, events)
  }
  for (const [first, last, events] of row?.continued ?? []) {
    if (first === 0) total += events
    add(first + 1, Math.min(last, days), events)
  }
  let count = 0
  const totals = changes.slice(0, days).map((change) => {
    count += change
    return count
  })
  return { total, totals }
}
