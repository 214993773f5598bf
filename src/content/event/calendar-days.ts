// Counts the events of each day of a range, and finds the first ones of each day, with one statement for all days.
import type { Context } from '../../context.ts'
import { type ParsedDate, parseDate } from '../../dates/natural-date.ts'
import { dayEnd, dayStart, lastDay, siteZone } from '../../dates/whole-days.ts'
import { querySql } from '../../db/query.ts'
import { badInput } from '../../errors.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { addDays, isZone, zoneName } from '../../time.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { notAZone, outOfRange, readDay, selectRange } from './days.ts'
import { timesWhere } from './times.ts'

export const maxDays = 100

/** Events of a day that are found. */
export const maxEventsOfDay = 20

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
  /** Numbers of events by the positions of their first and last day. */
  readonly spans: readonly (readonly [first: number, last: number, events: number])[] | null
  readonly days: readonly (readonly [position: number, ids: readonly number[]])[] | null
}

/** Counts the events that `where` selects on each day and, if `withIds` is set, finds the first ones. */
export async function countDays(
  { days, zone }: CalendarRange,
  where: Prisma.EventWhereInput,
  withIds: boolean,
  context: Context,
): Promise<CalendarCounts> {
  const { settings, db } = context
  const range = selectRange(`${days[0]}T00:00:00`, `${days.at(-1)}T00:00:00`, 'overlapping', zone, settings)
  // A lock withholds `sticky` and `allDay`, so the order of locked events must not depend on them.
  const events = await db.event.matchingRows(
    { AND: [where, ...timesWhere(range.times), range.where] },
    withIds ? { unlocked: unlocked(context) } : {},
  )
  const bounds = days.map((day) => dayStart(day, zone, settings) ?? '-infinity')
  bounds.push(dayEnd(days.at(-1) ?? '', zone, settings) ?? 'infinity')
  const [row] = await querySql<Row>(db, countStatement(events, bounds, zone, withIds))
  const ids = new Map(row?.days)
  const totals = totalsOf(row?.spans ?? [], days.length)
  return {
    total: row?.spans?.reduce((sum, [, , events]) => sum + events, 0) ?? 0,
    days: days.map((_, index) => {
      const isSkipped = bounds[index] === bounds[index + 1]
      return isSkipped ? { total: 0, ids: [] } : { total: totals[index] ?? 0, ids: ids.get(index + 1) ?? [] }
    }),
  }
}

/** The number of events on each day. */
function totalsOf(spans: NonNullable<Row['spans']>, days: number): number[] {
  const changes = new Array<number>(days + 1).fill(0)
  for (const [first, last, events] of spans) {
    const [start, end] = [Math.max(first, 1) - 1, Math.min(last, days)]
    changes[start] = (changes[start] ?? 0) + events
    changes[end] = (changes[end] ?? 0) - events
  }
  let total = 0
  return changes.slice(0, days).map((change) => {
    total += change
    return total
  })
}

/** `bounds` are the starts of all days and the end of the last one. */
function countStatement(
  events: Prisma.Sql,
  bounds: readonly string[],
  zone: string | undefined,
  withIds: boolean,
): Prisma.Sql {
  const { sql, raw, empty } = Prisma
  const [start, end, type] = (
    zone === undefined ? ['starts_local', 'ends_local', 'timestamp[]'] : ['starts_at', 'ends_at', 'timestamptz[]']
  ).map((text) => raw(text)) as [Prisma.Sql, Prisma.Sql, Prisma.Sql]
  // Implied by the filter of the range. It lets index scans read only events that start on these days, and those of several days.
  const isNear = sql`${start} >= (${bounds}::${type})[1] - interval '1 day' OR ${end} - ${start} > interval '1 day'`
  // Running events come with those that last all day.
  const rank = sql`least(rank, CASE WHEN first_day < day THEN 1 ELSE 2 END)`
  const firstEvents = sql`(
      SELECT json_agg(json_build_array(day, ids)) FROM (
        SELECT day, array_agg(id ORDER BY number) AS ids FROM (
          SELECT day, id, row_number() OVER (PARTITION BY day ORDER BY ${rank}, start, published_at, id) AS number FROM (
            SELECT *, generate_series(greatest(first_day, 1), least(last_day, ${bounds.length - 1}::int)) AS day
            FROM matching) AS on_day) AS numbered
        WHERE number <= ${maxEventsOfDay}::int
        GROUP BY day) AS days)`
  // A position is 0 before the first day. Times have whole seconds: an event that ends at the first second of a day is not on
  // that day, unless it also starts then.
  return sql`
    WITH matching AS MATERIALIZED (
      SELECT id, published_at, ${start} AS start, width_bucket(${start}, ${bounds}::${type}) AS first_day,
        width_bucket(greatest(${start}, ${end} - interval '1 second'), ${bounds}::${type}) AS last_day
        ${withIds ? raw(', CASE WHEN unlocked AND sticky THEN 0 WHEN unlocked AND all_day THEN 1 ELSE 2 END AS rank') : empty}
      FROM (${events}) AS event WHERE ${isNear})
    SELECT (
      SELECT json_agg(json_build_array(first_day, last_day, events)) FROM (
        SELECT first_day, last_day, count(*) AS events FROM matching GROUP BY first_day, last_day) AS span) AS spans,
      ${withIds ? firstEvents : raw('NULL')} AS days`
}
