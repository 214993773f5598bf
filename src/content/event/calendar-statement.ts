// The SQL statement that counts the events of each day, and finds the first ones of each day.
import { Prisma } from '../../generated/prisma/client.ts'

const { sql, raw, join, empty } = Prisma

/** Events of a day that are found. */
export const maxEventsOfDay = 20

interface CalendarSources {
  /** SELECTs of the events that start on one of the days, and of those that started before and have not ended. */
  readonly started: Prisma.Sql
  readonly earlier: readonly Prisma.Sql[]
  /** The starts of all days and the end of the last one. */
  readonly bounds: readonly string[]
  readonly zone: string | undefined
  /** Whether to find the first events of each day. The sources have the column `unlocked` then. */
  readonly withIds: boolean
  /** Whether most events of the days match. */
  readonly isDense: boolean
}

/**
 * Indexes with all columns that lists compare let it count without reading the events. If most events match, they also find the
 * first ones of each day that are only on that day and neither sticky nor all day, so that few others have to be sorted. Times
 * have whole seconds: an event that ends at the first second of a day is not on that day, unless it also starts then.
 */
export function calendarStatement({ started, earlier, bounds, zone, withIds, isDense }: CalendarSources): Prisma.Sql {
  const [start, end, type] = (
    zone === undefined ? ['starts_local', 'ends_local', 'timestamp[]'] : ['starts_at', 'ends_at', 'timestamptz[]']
  ).map((text) => raw(text)) as [Prisma.Sql, Prisma.Sql, Prisma.Sql]
  const rank = raw(withIds ? 'CASE WHEN unlocked AND sticky THEN 0 WHEN unlocked AND all_day THEN 1 ELSE 2 END' : '2')
  const columns = sql`id, published_at, ${start} AS start, ${end} AS ending, ${rank} AS rank`
  const running = [
    raw('SELECT * FROM started WHERE false'),
    ...earlier.map((source) => sql`SELECT ${columns} FROM (${source}) AS event`),
  ]
  return sql`
    WITH range AS MATERIALIZED (SELECT ${bounds}::${type} AS bounds),
    days AS MATERIALIZED (
      SELECT day, day_start, bounds[day + 1] AS day_end
      FROM range, unnest(bounds[:${bounds.length - 1}::int]) WITH ORDINALITY AS day_starts(day_start, day)),
    started AS NOT MATERIALIZED (SELECT ${columns} FROM (${started}) AS event),
    placed AS MATERIALIZED (
      SELECT id, published_at, start, rank, day AS first_day, CASE WHEN ending > day_end THEN ${lastDay} ELSE day END AS last_day
      FROM ${onFirstDay} ${isDense ? sql`WHERE NOT (${isOrdinary})` : empty}
      UNION ALL
      SELECT id, published_at, start, rank, 0, ${lastDay} FROM (${join(running, ' UNION ALL ')}) AS event)
    SELECT (
      SELECT json_agg(json_build_array(day, events)) FROM (
        ${isDense ? countByDay : raw('SELECT first_day AS day, count(*) AS events FROM placed WHERE first_day > 0 GROUP BY day')}) AS counts) AS started, (
      SELECT json_agg(json_build_array(first_day, last_day, events)) FROM (
        SELECT first_day, last_day, count(*) AS events FROM placed WHERE last_day > first_day
        GROUP BY first_day, last_day) AS spans) AS continued,
      ${withIds ? firstEvents(isDense) : raw('NULL')} AS days`
}

const lastDay = raw(`width_bucket(ending - interval '1 second', (SELECT bounds FROM range))`)

const onFirstDay = raw('days JOIN started ON start >= day_start AND start < day_end')

/** Without a hash table of all events. */
const countByDay = raw(`SELECT day, events FROM days CROSS JOIN LATERAL (
          SELECT count(*) AS events FROM started WHERE start >= day_start AND start < day_end) AS count`)

/** Neither sticky nor all day, and only on its first day. */
const isOrdinary = raw('rank = 2 AND ending <= day_end')

/** Events that began on an earlier day come with those that last all day. */
function firstEvents(isDense: boolean): Prisma.Sql {
  const ordinary = sql`
            UNION ALL
            SELECT id, published_at, start, 2, day FROM days CROSS JOIN LATERAL (
              SELECT id, published_at, start FROM started WHERE start >= day_start AND start < day_end AND ${isOrdinary}
              ORDER BY start, published_at, id LIMIT ${maxEventsOfDay}::int) AS event`
  return sql`(
      SELECT json_agg(json_build_array(day, ids)) FROM (
        SELECT day, array_agg(id ORDER BY number) AS ids FROM (
          SELECT day, id, row_number() OVER (PARTITION BY day ORDER BY rank, start, published_at, id) AS number FROM (
            SELECT id, published_at, start, CASE WHEN first_day < day THEN least(rank, 1) ELSE rank END AS rank, day
            FROM (SELECT *, generate_series(greatest(first_day, 1), least(last_day, (SELECT count(*) FROM days))) AS day
                  FROM placed) AS each_day
            ${isDense ? ordinary : empty}) AS on_day) AS numbered
        WHERE number <= ${maxEventsOfDay}::int
        GROUP BY day) AS days)`
}
