// The SQL statement that counts the events of each day, and finds the first events of each day.
import { Prisma } from '../../generated/prisma/client.ts'

const { sql, raw, join } = Prisma

/** Maximum of events that a day of the calendar lists. */
export const maxEventsPerDay = 20

interface CalendarSources {
  /** SELECT of the events that start on one of the days. `earlier`: of events that started before and have not ended. */
  readonly started: Prisma.Sql
  readonly earlier: readonly Prisma.Sql[]
  /** The starts of all days and the end of the last one. */
  readonly bounds: readonly string[]
  readonly zone: string | undefined
  /** Whether the statement returns the IDs of the first events of each day. The SELECTs then have a boolean column `unlocked`. */
  readonly withIds: boolean
  readonly isDense: boolean
}

/** Sort rank of an event within a day: sticky events come first, then all-day events. */
export const rankInDay = { sticky: 0, allDay: 1, ordinary: 2 } as const

/** An event with its rank and the position of its last day, which can be before the first day for an event without duration. */
export type RankedEvent = readonly [id: number, rank: number, endDay: number]

/** The events that start on a day. Lists of events are in the order of start, publication and ID; null if there are none. */
type StartedOnDay = readonly [
  day: number,
  total: number,
  /** Events that are sticky, all-day or continue on the next day. Locked events have the rank `ordinary`. */
  placed: readonly RankedEvent[] | null,
  /** IDs of the first events of rank `ordinary`: neither sticky nor all-day, or locked. */
  ordinary: readonly number[] | null,
]

/** The row that the statement of `eventsByDaySql` returns. */
export interface EventsByDayRow {
  /** The events that start on one of the days, by day; null if there are none. */
  readonly started: readonly StartedOnDay[] | null
  /** The events that started before the first day and have not ended; null if there are none. */
  readonly earlier: readonly RankedEvent[] | null
}

/**
 * Returns a statement that counts with index-only scans, on indexes with all columns that lists compare. If most events match,
 * PostgreSQL scans the index once for each day, and again until it has found the first events of the day. Times have whole
 * seconds: an event that ends at the first second of a day is not on that day, unless it also starts then.
 */
export function eventsByDaySql({ started, earlier, bounds, zone, withIds, isDense }: CalendarSources): Prisma.Sql {
  const [start, end, type] = (
    zone === undefined ? ['starts_local', 'ends_local', 'timestamp[]'] : ['starts_at', 'ends_at', 'timestamptz[]']
  ).map((text) => raw(text)) as [Prisma.Sql, Prisma.Sql, Prisma.Sql]
  const columns = sql`id, published_at, ${start} AS start, ${end} AS ending, ${raw(withIds ? ranked : unranked)}`
  const running = earlier.map((source) => sql`SELECT ${columns} FROM (${source}) AS event`)
  return sql`
    WITH range AS MATERIALIZED (SELECT ${bounds}::${type} AS bounds),
    started AS NOT MATERIALIZED (SELECT ${columns} FROM (${started}) AS event)
    SELECT (
      SELECT json_agg(json_build_array(day, events, placed, ordinary))
      FROM (${isDense ? scannedByDay(withIds) : groupedByDay(withIds)}) AS days) AS started,
      ${running.length === 0 ? raw('NULL') : sql`(SELECT to_json(${placedEvents}) FROM (${join(running, ' UNION ALL ')}) AS event)`} AS earlier`
}

const unranked = `${rankInDay.ordinary} AS rank, false AS sticky_or_all_day`

/** Locked events hide `sticky` and `all_day`. `sticky_or_all_day` ignores locks: it only selects the events whose rank is read. */
const ranked = `CASE WHEN unlocked AND sticky THEN ${rankInDay.sticky} WHEN unlocked AND all_day THEN ${rankInDay.allDay}
  ELSE ${rankInDay.ordinary} END AS rank, sticky OR all_day AS sticky_or_all_day`

const isOrdinary = raw(`rank = ${rankInDay.ordinary}`)

const byStart = raw('ORDER BY start, published_at, id')

const placedEvents = sql`array_agg(
  ARRAY[id, rank, width_bucket(ending - interval '1 second', (SELECT bounds FROM range))] ${byStart})`

const countOfDay = (dayEnd: string) => sql`
  count(*) AS events, ${placedEvents} FILTER (WHERE sticky_or_all_day OR ending > ${raw(dayEnd)}) AS placed`

/** Returns SQL that scans the index once for each day, which is faster than a hash table of all events. */
function scannedByDay(withIds: boolean): Prisma.Sql {
  const onDay = raw('FROM started WHERE start >= day_start AND start < day_end')
  const ordinary = withIds
    ? sql`ARRAY(SELECT id ${onDay} AND ${isOrdinary} ${byStart} LIMIT ${maxEventsPerDay}::int)`
    : raw('NULL')
  return sql`
    SELECT day, events, placed, ${ordinary} AS ordinary
    FROM range, unnest(bounds[2:]) WITH ORDINALITY AS ends(day_end, day),
      LATERAL (SELECT bounds[day] AS day_start) AS starts,
      LATERAL (SELECT ${countOfDay('day_end')} ${onDay}) AS counts`
}

function groupedByDay(withIds: boolean): Prisma.Sql {
  const ordinary = withIds
    ? sql`(array_agg(id ${byStart}) FILTER (WHERE ${isOrdinary}))[:${maxEventsPerDay}::int]`
    : raw('NULL')
  return sql`
    SELECT day, ${countOfDay('(SELECT bounds FROM range)[day + 1]')}, ${ordinary} AS ordinary
    FROM (SELECT *, width_bucket(start, (SELECT bounds FROM range)) AS day FROM started) AS event GROUP BY day`
}
