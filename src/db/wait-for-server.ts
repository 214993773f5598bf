// At start a server may still be starting or recovering itself: it is waited for.
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from './pool.ts'
import { toUnavailableError } from './unavailable.ts'

/** Milliseconds: for one attempt, between two, and between two lines that say what is waited for. */
const [attemptTimeout, retryDelay, logInterval] = [3000, 500, 5000]

/**
 * Resolves when the server answers a query. Rejects when it refuses for good, as for a wrong password, or does not answer
 * for `timeout` milliseconds. The embedded database starts with the process.
 */
export async function waitForServer({ pool, isEmbedded }: Database, timeout: number): Promise<void> {
  if (isEmbedded) return
  const start = performance.now()
  for (let loggedAt = Number.NEGATIVE_INFINITY; ; ) {
    const failure = await attempt(pool.options)
    if (failure === undefined) return
    const waited = performance.now() - start
    const reason = messageOf(failure)
    if (!toUnavailableError(failure)) throw new Error(`The database can not be opened, check DATABASE_URL: ${reason}`)
    if (performance.now() - loggedAt >= logInterval) {
      loggedAt = performance.now()
      console.error(`Waiting for the database, ${Math.round(waited / 1000)} s of ${timeout / 1000} s: ${reason}`)
    }
    if (waited >= timeout) {
      throw new Error(`The database did not answer within STARTUP_TIMEOUT, ${timeout} ms: ${reason}`)
    }
    await setTimeout(Math.min(retryDelay, timeout - waited))
  }
}

/** What it failed for. */
async function attempt(options: pg.PoolOptions): Promise<unknown> {
  const pool = new pg.Pool({
    ...options,
    max: 1,
    connectionTimeoutMillis: attemptTimeout,
    query_timeout: attemptTimeout,
  })
  pool.on('error', () => {})
  try {
    await pool.query('SELECT')
    return undefined
  } catch (error) {
    return error
  } finally {
    // A server that hangs may never answer the end of a session.
    void pool.end()
  }
}

/** Of a host with several addresses, none of which answers, the message is empty. */
export function messageOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
