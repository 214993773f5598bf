// Adds dates to series in the background: to endless ones as time goes on, and to those with more dates than one write stores.
import type { FastifyBaseLogger } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { startLoop } from '../../basics/loop.ts'
import { addMonths, dateToWallClock, dayMs, shiftWallClock, toWallClock, wallClockToDate } from '../../basics/time.ts'
import type { Db, Tx } from '../../engine/postgres/client.ts'
import { job, runInTransaction } from '../../engine/postgres/transaction.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { asSeries, findTemplate, insertDates, maxDatesOfWrite, numberDates } from './dates.ts'
import { expandSchedule } from './expand-schedule.ts'
import { type SeriesRow, toScheduleInput } from './stored-schedule.ts'

type Horizon = Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff' | 'seriesHorizonMonths'>

/** Maximum of dates ahead of a series that has an end, such as one in the year 9998. */
const maxDatesAhead = 10_000

/** Selects series that lack dates: endless ones once a day. */
const lacksDates = (now: Date, { seriesHorizonMonths }: Horizon) => Prisma.sql`
  computed_until IS NOT NULL AND CASE WHEN is_endless
    THEN computed_until < ${new Date(now.getTime() - dayMs)}::timestamptz AT TIME ZONE 'UTC' + make_interval(months => ${seriesHorizonMonths}::int)
    ELSE (SELECT count(*) FROM event WHERE series_id = series.id AND starts_at > ${now}) < ${maxDatesAhead} END`

/** Adds the dates that series lack. Several instances can do it at the same time. Throws the errors of all series at the end. */
export async function extendSeries(db: Db, settings: Horizon, now: Date, signal?: AbortSignal): Promise<void> {
  const due = await db.$queryRaw<{ id: number }[]>`SELECT id FROM series WHERE ${lacksDates(now, settings)} ORDER BY id`
  const errors: unknown[] = []
  for (const { id } of due) {
    try {
      await addMissingDates(db, id, settings, now, signal)
    } catch (cause) {
      errors.push(new Error(`could not add dates to series ${id}`, { cause }))
    }
  }
  if (errors.length > 0)
    throw new AggregateError(errors, `could not add dates to ${errors.length} of ${due.length} series`)
}

/** Adds the dates that a series lacks, in several transactions. */
export async function addMissingDates(db: Db, id: number, settings: Horizon, now: Date, signal?: AbortSignal) {
  while (!signal?.aborted && (await runInTransaction(db, job, (tx) => extendOne(tx, id, settings, now))));
}

/** Adds dates to a series. Returns whether it lacks further dates. */
async function extendOne(tx: Tx, id: number, settings: Horizon, now: Date): Promise<boolean> {
  const [due] = await tx.$queryRaw<object[]>`
    SELECT id FROM series WHERE id = ${id}::int AND ${lacksDates(now, settings)} FOR UPDATE SKIP LOCKED`
  const series = due && (await tx.series.findUnique({ where: { id } }))
  const template = series && (await findTemplate(tx, id))
  if (!series?.computedUntil || !template || template.status === 'trash') return false
  const from = shiftWallClock(dateToWallClock(series.computedUntil), 1000)
  const { dates, computedUntil } = expandSchedule(toScheduleInput(series), now, settings, { from, ...limitOf(series) })
  const added = dates.slice(0, maxDatesOfWrite)
  // Each is logged as a new event, so that those who follow changes do not get all dates of the series.
  await insertDates(tx, id, template.id, added)
  await asSeries(tx, id, () => numberDates(tx, id))
  const isCut = added.length < dates.length
  const last = isCut
    ? added.at(-1)?.startsLocal
    : computedUntil && computedUntil > from && wallClockToDate(computedUntil)
  // The search for a date of a rule such as 30 February ends without one.
  const horizon = addMonths(toWallClock(now, series.timeZone), settings.seriesHorizonMonths)
  const next = last || (series.isEndless ? wallClockToDate(horizon) : null)
  await tx.series.update({ where: { id }, data: { computedUntil: next } })
  return next !== null
}

/** To count the dates of a rule, its expansion begins with the first one. */
const limitOf = ({ schedule }: Pick<SeriesRow, 'schedule'>) => ({
  maxDates: /COUNT=/i.test(JSON.stringify(schedule)) ? maxDatesAhead : maxDatesOfWrite,
})

interface Dependencies {
  readonly db: Db
  readonly settings: Horizon
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Milliseconds between two looks for series that lack dates. */
const interval = 60_000

export function startExtendingSeries({ db, settings, log }: Dependencies) {
  const onError = (err: unknown) => log.warn({ err }, 'could not add dates to series, which is tried again in a minute')
  return startLoop((stopping) => extendSeries(db, settings, new Date(), stopping), { interval, onError })
}
