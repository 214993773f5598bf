// The database table of pending CDN purges. Triggers add rows, and all instances of the service process the rows together.
import type { Db } from '../../postgres/client.ts'
import { queryRows } from '../../postgres/query.ts'

/** A queued change whose responses have to be purged, with the kind and IDs of the changed records. */
export interface QueuedPurge {
  readonly id: string
  readonly change: string
  /** How many times the responses of this change were purged successfully. */
  readonly round: number
  /** Milliseconds since the change was written. */
  readonly age: number
}

export interface QueueStats {
  readonly target: string
  readonly pending: number
  /** Seconds since the write of the oldest change that was never purged; 0 if there is none. */
  readonly oldest: number
}

/** Kind of a queued change that requires a purge of everything. */
const everything = '*'

/** Maximum number of changes that one call to `claimPurges` returns. */
const maxClaimed = 500

/** Number of queued changes above which everything is purged instead. */
const maxQueued = 10_000

/** Milliseconds after which another instance may claim a purge, because the instance that claimed the purge may have ended. */
const lease = 30_000

/** Milliseconds for which instances of an older version may still run after the first instance of a newer version started. */
const upgradeTime = 3_600_000

/**
 * Sets the CDNs for which triggers queue changes. Queues a purge of everything for a new CDN, and for all CDNs if the fingerprint
 * changed or had changed recently, because instances with the old fingerprint may have sent responses since.
 */
export async function registerPurgeTargets(db: Db, names: readonly string[], fingerprint: string): Promise<void> {
  await queryRows(db, {
    text: `
      WITH gone AS (DELETE FROM cdn_target WHERE name <> ALL ($1::text[])),
      others AS (DELETE FROM cdn_purge WHERE target <> ALL ($1::text[])),
      stored AS (
        INSERT INTO cdn_target AS t (name, fingerprint) SELECT unnest($1::text[]), $2
        ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint,
          changed_at = CASE WHEN t.fingerprint = excluded.fingerprint THEN t.changed_at ELSE now() END
        RETURNING name, changed_at)
      INSERT INTO cdn_purge (target, change, transaction) SELECT name, $3, 0 FROM stored
      WHERE changed_at > now() - $4 * interval '1 ms'`,
    values: [names, fingerprint, everything, upgradeTime],
    prepared: 'constant',
  })
}

/**
 * Returns the queued changes that are due; if too many are queued, a single one that purges everything. No other instance gets
 * the same changes before the lease ends.
 */
export async function claimPurges(db: Db, target: string): Promise<QueuedPurge[]> {
  const claimed = await claimDue(db, target)
  return claimed.length === maxClaimed && (await collapsePurges(db, target)) ? claimDue(db, target) : claimed
}

const claimDue = (db: Db, target: string): Promise<QueuedPurge[]> =>
  queryRows<QueuedPurge>(db, {
    text: `
      WITH due AS (
        SELECT id FROM cdn_purge WHERE target = $1 AND due_at <= now()
        ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
      UPDATE cdn_purge p SET due_at = now() + $3 * interval '1 ms' FROM due WHERE p.id = due.id
      RETURNING p.id, p.change, p.round,
        (extract(epoch FROM clock_timestamp() - p.created_at) * 1000)::float8 AS age`,
    values: [target, maxClaimed, lease],
    prepared: 'constant',
  })

/** Makes changes due again after `delay` milliseconds. If they were purged, increases their round. */
export const postponePurges = (db: Db, ids: readonly string[], delay: number, isPurged: boolean): Promise<unknown> =>
  queryRows(db, {
    text: `
      UPDATE cdn_purge SET due_at = clock_timestamp() + $2 * interval '1 ms', round = round + $3
      WHERE id = ANY ($1::bigint[])`,
    values: [ids, delay, isPurged ? 1 : 0],
    prepared: 'constant',
  })

export const removePurges = (db: Db, ids: readonly string[]): Promise<unknown> =>
  queryRows(db, { text: 'DELETE FROM cdn_purge WHERE id = ANY ($1::bigint[])', values: [ids], prepared: 'constant' })

/** If a CDN has too many queued changes, replaces them by a purge of everything. Returns whether they were replaced. */
export async function collapsePurges(db: Db, target: string): Promise<boolean> {
  const inserted = await queryRows(db, {
    text: `
      WITH gone AS (
        DELETE FROM cdn_purge
        WHERE target = $1 AND $2::bigint < (SELECT count(*) FROM (SELECT FROM cdn_purge WHERE target = $1 LIMIT $2::bigint + 1) AS counted)
        RETURNING created_at)
      INSERT INTO cdn_purge (target, change, transaction, created_at)
        SELECT $1, $3, 0, min(created_at) FROM gone HAVING count(*) > 0
      RETURNING id`,
    values: [target, maxQueued, everything],
    prepared: 'constant',
  })
  return inserted.length > 0
}

/** Reads the number and age of the queued changes of each target that has any. */
export const readQueueStats = (db: Db): Promise<QueueStats[]> =>
  queryRows<QueueStats>(db, {
    text: `
      SELECT target, count(*)::int AS pending,
        coalesce(extract(epoch FROM clock_timestamp() - min(created_at) FILTER (WHERE round = 0)), 0)::float8 AS oldest
      FROM cdn_purge GROUP BY target`,
    values: [],
    prepared: 'constant',
  })
