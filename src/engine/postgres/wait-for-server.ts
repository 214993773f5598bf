// Waits for a database server that is still starting or recovering.
import { setTimeout } from 'node:timers/promises'
import type pg from 'pg'
import { openSingleConnectionPool } from './pool.ts'
import { toUnavailableError } from './unavailable.ts'

/** Milliseconds: limit of one attempt to connect, pause between two attempts, and time between two log lines. */
const [attemptTimeout, retryDelay, logInterval] = [3000, 500, 5000]

/**
 * Resolves when the server responds to a query. Rejects on a permanent error, such as a wrong password, and after `timeout`
 * milliseconds. `setting` is the name of the setting with the URL of the server.
 */
export async function waitForServer(options: pg.PoolConfig, timeout: number, setting: string): Promise<void> {
  const start = performance.now()
  for (let loggedAt = Number.NEGATIVE_INFINITY; ; ) {
    const failure = await attempt(options)
    if (failure === undefined) return
    const waited = performance.now() - start
    const reason = messageOf(failure)
    if (isRefusedByPooler(failure)) {
      throw new Error(
        `The connection pooler at ${setting} refuses the settings of sessions (${reason}). Set DATABASE_DIRECT_URL to the address of the PostgreSQL server itself.`,
      )
    }
    if (!toUnavailableError(failure)) throw new Error(`Cannot open the database. Check ${setting}: ${reason}`)
    if (performance.now() - loggedAt >= logInterval) {
      loggedAt = performance.now()
      console.error(`Waiting for the database, ${Math.round(waited / 1000)} s of ${timeout / 1000} s: ${reason}`)
    }
    if (waited >= timeout) {
      throw new Error(`The database did not respond within STARTUP_TIMEOUT (${timeout} ms): ${reason}`)
    }
    await setTimeout(Math.min(retryDelay, timeout - waited))
  }
}

/** Tries to connect once. Returns the error, or undefined if the server responded. */
async function attempt(options: pg.PoolConfig): Promise<unknown> {
  const pool = openSingleConnectionPool({
    ...options,
    connectionTimeoutMillis: attemptTimeout,
    query_timeout: attemptTimeout,
  })
  try {
    await pool.query('SELECT')
    return undefined
  } catch (error) {
    return error
  } finally {
    // Not awaited: a server that hangs may never confirm the end of the session.
    void pool.end()
  }
}

/** Whether PgBouncer refused a startup parameter that it does not support. The server itself has responded. */
const isRefusedByPooler = (error: unknown): boolean => messageOf(error).startsWith('unsupported startup parameter')

/** Returns the message of an error. An AggregateError for a host with several addresses has only the messages of its parts. */
export function messageOf(error: unknown): string {
  const [first] = error instanceof AggregateError ? error.errors : [error]
  return first instanceof Error ? first.message : String(first)
}
