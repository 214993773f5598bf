import pg from 'pg'
import type { Database } from './pool.ts'

export interface Probe {
  /** Whether the database responds within a second. */
  isAvailable(): Promise<boolean>
  close(): Promise<void>
}

const timeout = 1000

/** Uses a connection outside of the pool: if all connections are busy, the database is still available. */
export function createProbe({ pool, isEmbedded }: Database): Probe {
  const probePool = isEmbedded
    ? pool
    : new pg.Pool({ ...pool.options, max: 1, connectionTimeoutMillis: timeout, query_timeout: timeout })
  if (!isEmbedded) probePool.on('error', () => {})
  let pending: Promise<boolean> | undefined
  const check = async () => {
    const result = probePool.query('select 1').then(
      () => true,
      () => false,
    )
    // An embedded database that does not respond in time is busy, not unavailable.
    const isAvailable = await Promise.race([result, resolveAfterTimeout(isEmbedded)])
    pending = undefined
    return isAvailable
  }
  return {
    isAvailable() {
      pending ??= check()
      return pending
    },
    close: async () => {
      if (!isEmbedded) await probePool.end()
    },
  }
}

const resolveAfterTimeout = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, timeout, value).unref())
