// Counts the events of each day of a range, and finds the first ones of each day, with one statement for all days.
import type { Context } from '../../context.ts'
import { type ParsedDate, parseDate } from '../../dates/natural-date.ts'
import { dayBounds, firstSecond, lastDay, siteZone } from '../../dates/whole-days.ts'
import { queryRows } from '../../db/query.ts'
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
  readonly total: number
  readonly days: readonly (readonly [position: number, total: number, ids: readonly number[]])[] | null
}

/** Counts the events that `where` selects on each day and, if `withIds` is set, finds the first ones. */
export async function countDays(
  { days, zone }: CalendarRange,
  where: Prisma.EventWhereInput,
  withIds: boolean,
  context: Context,
): Promise<CalendarCounts> {
  const { settings, db } = context
  const [first = '', last = ''] = [days[0], days.at(-1)]
  const range = selectRange(firstSecond(first, settings), firstSecond(last, settings), 'overlapping', zone, settings)
  // A lock withholds `sticky` and `allDay`, so the order of locked events must not tell them.
  const events = await db.event.matchingRows(
    { AND: [where, ...timesWhere(range.times), range.where] },
    withIds ? { unlocked: unlocked(context) } : {},
  )
  const { text, values } = countStatement(events, dayBounds(days, zone, settings), zone, withIds)
  const [row] = await queryRows<Row>(db, { text, values, prepared: undefined })
  const byPosition = new Map((row?.days ?? []).map(([position, total, ids]) => [position, { total, ids }]))
  return {
    total: row?.total ?? 0,
    days: days.map((_, index) => byPosition.get(index + 1) ?? { total: 0, ids: [] }),
  }
}

function countStatement(
  events: Prisma.Sql,
  bounds: readonly string[],
  zone: string | undefined,
  withIds: boolean,
): Prisma.Sql {
  const { sql, raw, empty } = Prisma
  const [start, end, type] = (
    zone === undefined ? ['starts_local', 'ends_local', 'timestamp[]'] : ['starts_at', 'ends_at', 'timestamptz[]']
  ).map(raw) as [Prisma.Sql, Prisma.Sql, Prisma.Sql]
  const dayCount = bounds.length - 1
  const keys = sql`, published_at, unlocked AND sticky AS is_first, unlocked AND all_day AS is_all_day`
  const ids = sql`(array_agg(id ORDER BY is_first DESC, is_all_day OR start < bound DESC, start, published_at, id))[:${maxEventsOfDay}::int]`
  // An event that ends at the first second of a day is not on that day, unless it also starts then: times have whole seconds.
  return sql`
    WITH bounds AS (SELECT ${bounds}::${type} AS bounds), matching AS MATERIALIZED (
      SELECT id, ${start} AS start${withIds ? keys : empty},
        greatest(width_bucket(${start}, bounds), 1) AS first_day,
        least(width_bucket(greatest(${start}, ${end} - interval '1 second'), bounds), ${dayCount}::int) AS last_day
      FROM bounds, (${events}) AS event)
    SELECT (SELECT count(*)::int FROM matching) AS total, (
      SELECT json_agg(json_build_array(day, total, ids)) FROM (
        SELECT day, count(*) AS total, ${withIds ? ids : raw('ARRAY[]::int[]')} AS ids
        FROM (SELECT matching.*, day, bounds[day] AS bound
          FROM bounds, matching, generate_series(first_day, last_day) AS day
          WHERE bounds[day] < bounds[day + 1]) AS on_day
        GROUP BY day) AS days) AS days`
}
