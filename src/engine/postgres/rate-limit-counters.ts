// Counts what clients do within a minute: in this process, or in the database for all processes together.
import { hash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible'
import type { Settings } from '../../basics/env.ts'
import type { Db } from './client.ts'
import { queryRows } from './query.ts'

/** Seconds of a counting period, which begins with the first count. */
export const countedSeconds = 60

interface Counter {
  /** Points that a client may consume in a period. */
  readonly points: number
  /** Null if nothing was counted. */
  get(key: string): Promise<RateLimiterRes | null>
  /** Adds points to the count, even beyond the limit. */
  penalty(key: string, points: number): Promise<RateLimiterRes>
}

/** Creates the counter of one limit, whose name is unique. */
export type CounterStore = (name: string, points: number) => Counter

export const memoryCounters: CounterStore = (_name, points) =>
  new RateLimiterMemory({ points, duration: countedSeconds })

/** The counters of all processes together, or undefined if each process counts for itself. */
export const createSharedCounters = (
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
    const hashed = (key: string) => hash('sha256', `${keyPrefix} ${key}`, 'base64url')
    return {
      points,
      // A database that can only be read, such as one with a full disk, has none of the counts of this process.
      async get(key) {
        const states = await Promise.all([limiter.get(hashed(key)), own.get(hashed(key))])
        return states.reduce((most, each) => ((each?.consumedPoints ?? 0) > (most?.consumedPoints ?? 0) ? each : most))
      },
      async penalty(key, count) {
        const state = await limiter.penalty(hashed(key), count)
        clean()
        return state
      },
    }
  }
}

/** Returns a function that deletes expired rows, at most once a minute. */
function cleanAtIntervals(db: Db): () => void {
  let cleanedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - cleanedAt < countedSeconds * 1000) return
    cleanedAt = performance.now()
    // A later call tries again.
    const text = 'DELETE FROM rate_limit WHERE expire < $1'
    queryRows(db, { text, values: [Date.now()], prepared: 'constant' }).catch(() => {})
  }
}
