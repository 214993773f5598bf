// Cancels a running statement of the embedded database. PGlite receives no signals, and its thread answers no messages while a
// statement runs, but Node's inspector interrupts it to evaluate an expression.
import { Session } from 'node:inspector'
import type { PGlite } from '@electric-sql/pglite'
import { begunAt, type WorkTimes } from './work-times.ts'

/** Name of the global function on the thread. */
const cancelFunction = 'cancelStatement'

/** Milliseconds within which the threads respond; each does within 20 ms unless it reads or writes a file. */
const responseTime = 1000

/** On the main thread: cancels the statement that began then, if a thread of the process still runs it. */
export function requestCancel(begun: bigint): void {
  const session = new Session()
  const expression = `globalThis.${cancelFunction}?.(${begun}n)`
  const message = JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression } })
  session.connect()
  session.on('NodeWorker.attachedToWorker', ({ params: { sessionId } }) =>
    session.post('NodeWorker.sendMessageToWorker', { sessionId, message }),
  )
  session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
  setTimeout(() => session.disconnect(), responseTime).unref()
}

/** On the thread. Returns a function to call after each statement: a statement that ends by itself may leave the request. */
export function acceptCancel({ Module }: PGlite, times: WorkTimes): () => void {
  const memory = Module as unknown as Readonly<Record<string, number | undefined>>
  // PostgreSQL's flags, which its handlers of signals set.
  const flags = [memory._QueryCancelPending, memory._InterruptPending].filter((address) => address !== undefined)
  let isRequested = false
  const setFlags = (value: 0 | 1) => {
    for (const address of flags) Module.HEAPU8[address] = value
  }
  const cancel = (begun: bigint) => {
    if (begunAt(times, 'statement') !== begun) return
    isRequested = true
    setFlags(1)
  }
  Object.assign(globalThis, { [cancelFunction]: cancel })
  return () => {
    if (isRequested) setFlags(0)
    isRequested = false
  }
}
