// Reads again after a temporary failure, so that a moment of overload does not end subscriptions.
import { setTimeout } from 'node:timers/promises'
import { lacksConnection } from '../../../engine/postgres/unavailable.ts'

/** The pool of connections fails a read after three seconds without a free connection. */
const attempts = 4

/** Milliseconds between two attempts. */
const pause = 500

/** Calls `read` again if no connection to the database was available. */
export async function retryUnreachable<T>(read: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (attempt === attempts || !(error instanceof Error && lacksConnection(error))) throw error
      await setTimeout(pause)
    }
  }
}
