import { shareNext } from '../../basics/share-next.ts'
import { type Database, openQuestion } from './pool.ts'
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
  // If all connections of the pool are busy, the server is still available.
  const { ask, close } = openQuestion(pool.options, 'SELECT', timeout)
  const check = shareNext(
    (): Promise<State> =>
      ask().then(
        () => 'available',
        // A server with too many connections is well. Other instances have the same server.
        (error) => (isBusy(error) ? 'available' : 'unreachable'),
      ),
  )
  return { check, close }
}
