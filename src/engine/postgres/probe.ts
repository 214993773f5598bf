import { type Database, openSingleQuery } from './pool.ts'
import { isBusy } from './unavailable.ts'

/** `busy`: PGlite has been running one statement for so long that requests get status 503. */
type State = 'available' | 'busy' | 'unreachable'

const timeout = 1000

/** Creates a health check of the database. `check` says whether the database responds within a second. */
export function createDatabaseProbe({ pool, embedded }: Database) {
  if (embedded) {
    const check = async (): Promise<State> => (embedded.busyMs() > pool.maxWaitMs ? 'busy' : 'available')
    return { check, close: async () => {} }
  }
  // Uses a separate connection: if all connections of the pool are in use, the server is still available.
  const { ask, close } = openSingleQuery(pool.options, 'SELECT', timeout)
  let pending: Promise<State> | undefined
  const check = (): Promise<State> => {
    pending ??= ask()
      .then(() => 'available' as const)
      // A server with too many connections still works, and other instances would get the same error.
      .catch((error) => (isBusy(error) ? 'available' : 'unreachable'))
      .finally(() => {
        pending = undefined
      })
    return pending
  }
  return { check, close }
}
