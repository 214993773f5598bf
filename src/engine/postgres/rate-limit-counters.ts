// Counters of rate limits per minute: in the memory of this process, or in the database for all processes together.
import { hash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../../basics/env.ts'
import type { Db } from './client.ts'
import { queryRows } from './query.ts'

/** Seconds of a counting period, which begins with the first count. */
export const countingPeriodSeconds = 60

interface Counter {
  /** Maximum number of points that a client may consume in a period. */
  readonly points: number
  /** Returns the count of the current period; null if nothing was counted. */
  get(key: string): Promise<RateLimiterRes | null>
  /** Adds points to the count, even beyond the limit. */
  penalty(key: string, points: number): Promise<RateLimiterRes>
}

/** Creates the counter of one rate limit. `name` distinguishes the counters. */
export type CounterStore = (name: string, points: number) => Counter

/** Creates counters in the memory of this process. */
export const memoryCounters: CounterStore = (_name, points) =>
  new RateLimiterMemory({ points, duration: countingPeriodSeconds })

/** Returns counters that all processes share in the database; undefined if each process counts for itself. */
export const createSharedCounters = (
  { rateLimitStore }: Pick<Settings, 'rateLimitStore'>,
  db: Db,
): CounterStore | undefined => (rateLimitStore === 'database' ? databaseCounters(db) : undefined)

/** Creates counters in the database. While the database cannot be reached or written to, they count in this process. */
function databaseCounters(db: Db): CounterStore {
  const storeClient = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      const rows = await queryRows(db, { text, values, prepared: 'constant' })
      return { rows, rowCount: rows.length }
    },
  }
  return (keyPrefix, points) => {
    const own = new RateLimiterMemory({ points, duration: countingPeriodSeconds })
    const limiter = new RateLimiterPostgres({
      storeClient,
      storeType: 'client',
      tableName: 'rate_limit',
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: '',
      points,
      duration: countingPeriodSeconds,
      insuranceLimiter: own,
    })
    // Keys are hashed, because clients choose the length of some, and others are IP addresses, which are personal data.
    const hashed = (key: string) => hash('sha256', `${keyPrefix} ${key}`, 'base64url')
    return {
      points,
      // Also reads the counts in memory, which are used while the database is read-only, for example because its disk is full.
      async get(key) {
        const states = await Promise.all([limiter.get(hashed(key)), own.get(hashed(key))])
        return states.reduce((most, each) => ((each?.consumedPoints ?? 0) > (most?.consumedPoints ?? 0) ? each : most))
      },
      penalty: (key, count) => limiter.penalty(hashed(key), count),
    }
  }
}
