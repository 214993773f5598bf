import pg from 'pg'
import type { Database } from './pool.ts'

export interface Probe {
  /** Whether the database answers; takes a second at most. */
  isAvailable(): Promise<boolean>
  close(): Promise<void>
}

const timeout = 1000

/** Asks a server on a connection beside the pool: one that all wait for is busy, not away. */
export function createProbe({ pool, isEmbedded }: Database): Probe {
  const probePool = isEmbedded
    ? pool
    : new pg.Pool({ ...pool.options, max: 1, connectionTimeoutMillis: timeout, query_timeout: timeout })
  if (!isEmbedded) probePool.on('error', () => {})
  let pending: Promise<boolean> | undefined
  const check = async () => {
    const answer = probePool.query('select 1').then(
      () => true,
      () => false,
    )
    // The embedded database is in this process: what keeps it from answering is work.
    const answered = await Promise.race([answer, resolveAfterTimeout(isEmbedded)])
    pending = undefined
    return answered
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
