// Deletes what is stored for a limited time, such as old entries of the log of changes, and measures the log.
import type { FastifyBaseLogger } from 'fastify'
import type { Registry } from 'prom-client'
import type { Settings } from '../../basics/env.ts'
import { startLoop } from '../../basics/loop.ts'
import { addGauge, shareReading } from '../../basics/metrics.ts'
import type { Db } from '../../engine/postgres/client.ts'
import { queryRows, querySql } from '../../engine/postgres/query.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { sessionDays } from '../../service/auth/credentials.ts'

const { sql, raw } = Prisma

const day = 24 * 60 * 60 * 1000
const interval = 60 * 60 * 1000

/** Number of rows per statement, so that none runs for long. */
const batch = 1000

/** Days for which messages of webhooks and idempotency keys are stored. */
const [messageDays, keyDays] = [30, 1]

type Days = Pick<Settings, 'changeLogDays' | 'revisionDays' | 'proposalContactDays'>

/** Condition of the entries that are revisions of content. The index of the other entries has its negation. */
const isRevision = `kind IN ('event', 'series', 'venue', 'organizer', 'category', 'tag', 'image')`
const isOther = isRevision.replace(' IN ', ' NOT IN ')

/**
 * Deletes rows that are older than the settings allow. Keeps the newest entry older than CHANGE_LOG_DAYS, which the
 * tokens of clients may name, and so the newest entry of all. Several instances can do it at the same time.
 */
export async function deleteOldRows(
  db: Db,
  { changeLogDays, revisionDays, proposalContactDays }: Days,
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  const isBefore = (days: number) => sql`created_at < ${new Date(now.getTime() - days * day)}::timestamptz`
  const hasExpired = sql`
    kind = 'session' AND coalesce(last_used_at, created_at) < ${new Date(now.getTime() - sessionDays * day)}::timestamptz
    OR kind = 'sign_in_link' AND expires_at < ${now}::timestamptz`
  const isUnnamed = sql`id <> (
    SELECT id FROM change WHERE ${isBefore(changeLogDays)} ORDER BY created_at DESC, id DESC LIMIT 1)`
  for (const [table, condition] of [
    ['change', sql`${isBefore(changeLogDays)} AND ${raw(isOther)} AND ${isUnnamed}`],
    ['change', sql`${isBefore(revisionDays)} AND ${raw(isRevision)} AND ${isUnnamed}`],
    ['webhook_delivery', isBefore(messageDays)],
    ['idempotency_key', isBefore(keyDays)],
    ['proposal_contact', isBefore(proposalContactDays)],
    ['proposal', sql`decided_at < ${new Date(now.getTime() - proposalContactDays * day)}::timestamptz`],
    ['credential', hasExpired],
    ['rate_limit', sql`expire < ${now.getTime()}::bigint`],
  ] as const) {
    const order = raw(table === 'rate_limit' ? 'expire' : 'created_at')
    const statement = sql`
      DELETE FROM ${raw(table)} WHERE ctid IN (
        SELECT ctid FROM ${raw(table)} WHERE ${condition} ORDER BY ${order} LIMIT ${batch}::int FOR UPDATE SKIP LOCKED) RETURNING 1`
    while (!signal?.aborted && (await querySql(db, statement)).length === batch);
  }
}

interface Dependencies {
  readonly db: Db
  readonly settings: Days
  readonly log: Pick<FastifyBaseLogger, 'warn'>
}

/** Deletes old rows now and every hour. */
export function startRetention({ db, settings, log }: Dependencies) {
  const onError = (err: unknown) => log.warn({ err }, 'could not delete rows that are too old')
  return startLoop((stopping) => deleteOldRows(db, settings, new Date(), stopping), { interval, onError })
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
  const text = `
    SELECT count(*)::float8 AS entries, pg_total_relation_size('change')::float8 AS bytes,
      coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS age FROM change`
  const read = shareReading(async () => {
    const [size] = await queryRows<LogSize>(db, { text, values: [], prepared: 'constant' })
    return size
  }, measurementTime)
  const add = (name: string, help: string, key: keyof LogSize) =>
    addGauge(registry, name, help, async () => (await read())?.[key], { aggregator: 'max' })
  add('change_log_entries', 'Entries of the log of changes, counted at most once a minute.', 'entries')
  add('change_log_bytes', 'Size of the log of changes with its indexes.', 'bytes')
  add('change_log_oldest_seconds', 'Age of the oldest entry of the log of changes, 0 without one.', 'age')
}
