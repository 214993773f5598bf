// Counts what clients do within a minute: in this process, or in the database for all processes together.
import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../../basics/env.ts'
import type { Db } from './client.ts'
import { queryRows } from './query.ts'

/** Seconds. They begin with the first count. */
export const countedSeconds = 60

interface Counter {
  /** What can be consumed. */
  readonly points: number
  /** Null if nothing was counted. */
  get(key: string): Promise<RateLimiterRes | null>
  /** Counts, also beyond `points`. */
  penalty(key: string, points: number): Promise<RateLimiterRes>
}

/** Creates the counter of one limit, whose name is unique. */
export type CounterStore = (name: string, points: number) => Counter

export const memoryCounters: CounterStore = (_name, points) =>
  new RateLimiterMemory({ points, duration: countedSeconds })

/** The counters of all processes together, or undefined if each process counts for itself. */
export const sharedCounters = (
  { rateLimitStore }: Pick<Settings, 'rateLimitStore'>,
  db: Db,
): CounterStore | undefined => (rateLimitStore === 'database' ? databaseCounters(db) : undefined)

/** While the database cannot be reached or written to, each process counts for itself. */
function databaseCounters(db: Db): CounterStore {
  const clean = cleanAtIntervals(db)
  const storeClient = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const rows = await queryRows(db, { text, values, prepared: 'constant' })
      return { rows, rowCount: rows.length }
    },
  }
  return (keyPrefix, points) => {
    const own = new RateLimiterMemory({ points, duration: countedSeconds })
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points,
      duration: countedSeconds,
      insuranceLimiter: own,
    })
    // Hashed, because clients choose the length and the characters of some keys, and others are addresses of persons.
    const hash = (key: string) => createHash('sha256').update(`${keyPrefix} ${key}`).digest('base64url')
    return {
      points,
      // A database that can only be read, such as one with a full disk, has none of the counts of this process.
      async get(key) {
        const states = await Promise.all([limiter.get(hash(key)), own.get(hash(key))])
        return states.reduce((most, each) => ((each?.consumedPoints ?? 0) > (most?.consumedPoints ?? 0) ? each : most))
      },
      async penalty(key, count) {
        const state = await limiter.penalty(hash(key), count)
        clean()
        return state
      },
    }
  }
}

const deleteExpired = 'DELETE FROM rate_limit WHERE expire < $1'

/** A function that deletes expired rows, at most once a minute. */
function cleanAtIntervals(db: Db): () => void {
  let cleanedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - cleanedAt < countedSeconds * 1000) return
    cleanedAt = performance.now()
    // A later call tries again.
    queryRows(db, { text: deleteExpired, values: [Date.now()], prepared: 'constant' }).catch(() => {})
  }
}
