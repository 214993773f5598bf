// Deletes old entries of the log of changes, and measures the log.
import type { FastifyBaseLogger } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import type { Settings } from '../../basics/env.ts'
import type { Db } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'

const { sql, raw } = Prisma

const day = 24 * 60 * 60 * 1000
const interval = 60 * 60 * 1000

/** Number of entries per statement, so that none runs for long. */
const batch = 1000

type Days = Pick<Settings, 'changeLogDays' | 'revisionDays'>

/** Condition of the entries that are revisions of content. The index of the other entries has its negation. */
const isRevision = `kind IN ('event', 'venue', 'organizer', 'category', 'tag', 'image')`
const isOther = isRevision.replace(' IN ', ' NOT IN ')

/**
 * Deletes entries that are older than the settings allow. Keeps the newest entry older than CHANGE_LOG_DAYS, which the tokens of
 * clients may name, and so the newest entry of all. Several instances can do it at the same time.
 */
export async function deleteOldEntries(
  db: Db,
  { changeLogDays, revisionDays }: Days,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const before = (days: number) => sql`${new Date(now.getTime() - days * day)}::timestamptz`
  for (const [condition, days] of [[isOther, changeLogDays] as const, [isRevision, revisionDays] as const]) {
    let deleted = batch
    while (deleted === batch && !signal?.aborted) {
      const { text, values } = sql`
        DELETE FROM change WHERE id IN (
          SELECT id FROM change WHERE created_at < ${before(days)} AND ${raw(condition)} AND id <> (
            SELECT id FROM change WHERE created_at < ${before(changeLogDays)} ORDER BY created_at DESC, id DESC LIMIT 1
          ) ORDER BY created_at LIMIT ${batch}::int FOR UPDATE SKIP LOCKED) RETURNING id`
      deleted = (await queryRows(db, { text, values, prepared: undefined })).length
    }
  }
}

interface Dependencies {
  readonly db: Db
  readonly settings: Days
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Deletes old entries now and every hour. */
export function startRetention({ db, settings, log }: Dependencies) {
  const stopping = new AbortController()
  let running: Promise<void> | undefined
  const run = () => {
    running ??= deleteOldEntries(db, settings, new Date(), stopping.signal)
      .catch((err) => log.warn({ err }, 'could not delete old entries of the log of changes'))
      .finally(() => {
        running = undefined
      })
  }
  const timer = setInterval(run, interval).unref()
  run()
  return {
    async close() {
      clearInterval(timer)
      stopping.abort()
      await running
    },
  }
}

interface LogSize {
  readonly entries: number
  readonly bytes: number
  readonly age: number
}

/** Milliseconds for which a measurement is used, because counting many entries takes long. */
const measurementTime = 60_000

/** Adds gauges of the size of the log. */
export function addLogMetrics(db: Db, registry: Registry): void {
  let measured = Number.NEGATIVE_INFINITY
  let reading: Promise<LogSize | undefined> = Promise.resolve(undefined)
  const read = () => {
    if (performance.now() - measured < measurementTime) return reading
    measured = performance.now()
    const text = `
      SELECT count(*)::float8 AS entries, pg_total_relation_size('change')::float8 AS bytes,
        coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS age FROM change`
    // Errors are ignored, so that other metrics are reported while the database does not respond.
    reading = queryRows<LogSize>(db, { text, values: [], prepared: 'constant' })
      .then(([size]) => size)
      .catch(() => undefined)
    return reading
  }
  const add = (name: string, help: string, value: keyof LogSize) =>
    new Gauge({
      ...{ name, help, registers: [registry] },
      // The maximum, because all workers report the same log.
      aggregator: 'max',
      async collect() {
        const size = await read()
        if (size) this.set(size[value])
      },
    })
  add('change_log_entries', 'Entries of the log of changes, counted at most once a minute.', 'entries')
  add('change_log_bytes', 'Size of the log of changes with its indexes.', 'bytes')
  add('change_log_oldest_seconds', 'Age of the oldest entry of the log of changes, 0 without one.', 'age')
}
