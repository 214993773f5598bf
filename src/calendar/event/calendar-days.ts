// Counts the events of each day of a range, and finds the first events of each day, with one statement for all days.

import { type ParsedDate, parseDate } from '../../basics/dates/natural-date.ts'
import { dayEnd, dayStart, lastDayUntil } from '../../basics/dates/whole-days.ts'
import { badInputError } from '../../basics/errors.ts'
import { addDays, dayMs, isZone, zoneName } from '../../basics/time.ts'
import type { BooleanColumns } from '../../engine/postgres/record-reads.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { unlockedFilter } from '../rules/record-password.ts'
import {
  type EventsByDayRow,
  eventsByDaySql,
  maxEventsPerDay,
  type RankedEvent,
  rankInDay,
} from './calendar-statement.ts'
import {
  chooseDayZones,
  dayOutOfRangeMessage,
  eventTimesFilter,
  invalidZoneMessage,
  resolveDay,
  runningAtFilters,
  toEventTimes,
} from './days.ts'

/** Maximum of days that `eventCalendar` returns. */
export const maxDays = 100

export interface CalendarRange {
  readonly days: readonly string[]
  /** Time zone in which the days begin and end; undefined to compare the local time of each event. */
  readonly zone: string | undefined
}

/** Parses the arguments of `eventCalendar`. Throws badInputError for an invalid or too long range. */
export function parseCalendarRange(
  { from, to, timeZone }: { readonly from: ParsedDate; readonly to: ParsedDate; readonly timeZone?: string | null },
  context: Context,
): CalendarRange {
  const { settings } = context
  const zones = chooseDayZones(timeZone, settings)
  if (!isZone(zones.read)) throw badInputError({ timeZone: invalidZoneMessage })
  const [first, last] = [from, to].map((date) => resolveDay(date, zones.read, context))
  if (first === undefined || last === undefined) {
    throw badInputError({
      ...(first === undefined && { from: `from ${dayOutOfRangeMessage}` }),
      ...(last === undefined && { to: `to ${dayOutOfRangeMessage}` }),
    })
  }
  const [firstDay, end] = [first.slice(0, 10), lastDayUntil(last, settings)]
  if (end < firstDay) throw badInputError({ to: `to must not be before from: ${end} is before ${firstDay}.` })
  const count = daysBetween(firstDay, end) + 1
  if (count > maxDays) {
    throw badInputError({
      to: `from and to can include at most ${maxDays} days: from ${firstDay} to ${end} are ${count}.`,
    })
  }
  const days = Array.from({ length: count }, (_, index) => addDays(`${firstDay}T00:00:00`, index).slice(0, 10))
  return { days, zone: zones.compared && zoneName(zones.compared) }
}

/** A day that relative days such as `today` stand for when the complexity is estimated: the start of a month with 31 days. */
const assumedToday = '2026-01-01T00:00:00'

/** Estimates the number of days for the complexity of an operation, before the arguments are validated. */
export function estimateDays({ from, to }: Readonly<Record<string, unknown>>): number {
  const [first, last] = [from, to].map((value) => {
    const date = typeof value === 'string' ? parseDate(value) : (value as ParsedDate | null | undefined)
    return date?.resolve(assumedToday)?.wallClock.slice(0, 10)
  })
  const count = first === undefined || last === undefined ? maxDays : daysBetween(first, last) + 1
  return Math.min(Math.max(count, 1), maxDays)
}

const daysBetween = (first: string, last: string): number => (Date.parse(last) - Date.parse(first)) / dayMs

/** The events of a day: `total` is their number. */
export interface DayCount {
  readonly total: number
  /** The first events of the day, at most `maxEventsPerDay`. */
  readonly ids: readonly number[]
}

/** The days of a calendar; `total` is the number of distinct events on these days. */
export interface CountedCalendar {
  readonly total: number
  readonly days: readonly DayCount[]
}

/**
 * Counts, for each day, the events that the filter selects; if `withIds` is set, also finds the first events of each day.
 * `isDense`: the client sends no criteria, so that most events of each day match.
 */
export async function countEventsByDay(
  { days, zone }: CalendarRange,
  { where, isDense }: { readonly where: Prisma.EventWhereInput; readonly isDense: boolean },
  withIds: boolean,
  context: Context,
): Promise<CountedCalendar> {
  const { settings, reads } = context
  const [first, end] = [dayStart(days[0] ?? '', zone, settings), dayEnd(days.at(-1) ?? '', zone, settings)]
  const bounds = days.map((day) => dayStart(day, zone, settings) ?? '-infinity')
  bounds.push(end ?? 'infinity')
  if (bounds[0] === bounds.at(-1)) return { total: 0, days: days.map(() => ({ total: 0, ids: [] })) }
  // Locked events hide `sticky` and `allDay`, so the order of locked events must not depend on these columns.
  const booleanColumns: BooleanColumns = withIds ? { unlocked: unlockedFilter(context) } : {}
  const matching = (...filters: Prisma.EventWhereInput[]) =>
    // Selects the few events on these days before a search compares texts.
    reads.event.matchingRowsSql({ AND: [where, ...filters] }, booleanColumns, { stopsEarly: true })
  const [started, ...earlier] = await Promise.all([
    matching(...eventTimesFilter(toEventTimes({ gte: first, lt: end }, { gte: first }, zone))),
    ...(first === undefined ? [] : runningAtFilters(first, zone).map((filters) => matching(...filters))),
  ])
  const statement = eventsByDaySql({ started, earlier, bounds, zone, withIds, isDense })
  // Without criteria of the client, PostgreSQL uses one prepared plan for all ranges of days.
  const [row] = await reads.rows<EventsByDayRow>(statement, { prepared: isDense })
  const counts = countEach(row, days.length)
  const isSkipped = (index: number) => bounds[index] === bounds[index + 1]
  return { ...counts, days: counts.days.map((day, index) => (isSkipped(index) ? { total: 0, ids: [] } : day)) }
}

/** The IDs of the events of a day, in order of start. */
interface Lists {
  total: number
  readonly sticky: number[]
  /** Events that last all day or began on an earlier day. */
  readonly allDay: number[]
  ordinary: readonly number[]
}

function countEach(row: EventsByDayRow | undefined, length: number): CountedCalendar {
  const { started, earlier } = { started: row?.started ?? [], earlier: row?.earlier ?? [] }
  const days = Array.from({ length }, (): Lists => ({ total: 0, sticky: [], allDay: [], ordinary: [] }))
  let total = earlier.length
  // Adds the events that began before the first day, then the events of each day, so that each list is in order of start.
  place(earlier, 0, days)
  for (const [day, events, placed, ordinary] of started.toSorted(([a], [b]) => a - b)) {
    total += events
    const lists = days[day - 1]
    if (!lists) continue
    lists.total += events
    lists.ordinary = ordinary ?? []
    place(placed ?? [], day, days)
  }
  const idsOf = ({ sticky, allDay, ordinary }: Lists) => [...sticky, ...allDay, ...ordinary].slice(0, maxEventsPerDay)
  return { total, days: days.map((lists) => ({ total: lists.total, ids: idsOf(lists) })) }
}

/** Adds events to the lists of their days, and to the count of each of their days but the first, which SQL has counted. */
function place(events: readonly RankedEvent[], firstDay: number, days: readonly Lists[]): void {
  for (const [id, rankOfEvent, endDay] of events) {
    const last = Math.min(Math.max(firstDay, endDay), days.length)
    for (let day = Math.max(firstDay, 1); day <= last; day += 1) {
      const lists = days[day - 1] as Lists
      if (day > firstDay) lists.total += 1
      if (rankOfEvent === rankInDay.sticky) addFirst(lists.sticky, id)
      else if (rankOfEvent === rankInDay.allDay || day > firstDay) addFirst(lists.allDay, id)
    }
  }
}

function addFirst(ids: number[], id: number): void {
  if (ids.length < maxEventsPerDay) ids.push(id)
}
