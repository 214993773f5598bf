import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import type { Database } from './pool.ts'
import { isBusy } from './unavailable.ts'

/** `busy`: the embedded database has been running one statement for so long that requests get 503. */
type State = 'available' | 'busy' | 'unreachable'

export interface Probe {
  /** Whether the database responds within a second. */
  check(): Promise<State>
  close(): Promise<void>
}

const timeout = 1000

export function createProbe({ pool, embedded }: Database): Probe {
  if (embedded) {
    const check = async () => (embedded.busyMs() > pool.maxWaitMs ? 'busy' : 'available')
    return { check, close: async () => {} }
  }
  // A connection outside of the pool: if all connections are busy, the server is still available.
  const probePool = new pg.Pool({ ...pool.options, max: 1, query_timeout: timeout })
  probePool.on('error', () => {})
  let pending: Promise<State> | undefined
  const check = async (): Promise<State> => {
    try {
      await withDeadline(probePool.query('select 1'), timeout)
      return 'available'
    } catch (error) {
      // A server with too many connections is well. Other instances have the same server.
      return error instanceof Error && isBusy(error) ? 'available' : 'unreachable'
    } finally {
      pending = undefined
    }
  }
  return {
    check() {
      pending ??= check()
      return pending
    },
    close: () => probePool.end(),
  }
}
