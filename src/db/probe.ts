import pg from 'pg'
import type { Database } from './pool.ts'

export interface Probe {
  /** Whether the database answers; takes a second at most. */
  answers(): Promise<boolean>
  close(): Promise<void>
}

const patience = 1000

/** Asks a server on a connection beside the pool: one that all wait for is busy, not away. */
export function createProbe({ pool, isEmbedded }: Database): Probe {
  const own = isEmbedded
    ? pool
    : new pg.Pool({ ...pool.options, max: 1, connectionTimeoutMillis: patience, query_timeout: patience })
  if (!isEmbedded) own.on('error', () => {})
  let asking: Promise<boolean> | undefined
  const ask = async () => {
    const answer = own.query('select 1').then(
      () => true,
      () => false,
    )
    // The embedded database is in this process: what keeps it from answering is work.
    const answered = await Promise.race([answer, later(isEmbedded)])
    asking = undefined
    return answered
  }
  return {
    answers() {
      asking ??= ask()
      return asking
    },
    close: async () => {
      if (!isEmbedded) await own.end()
    },
  }
}

const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, patience, value).unref())
