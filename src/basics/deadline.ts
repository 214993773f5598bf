// Timeouts that do not count the time in which the event loop was blocked, because the awaited result may have arrived
// in that time without being read.

/** The timeout is split into this number of timers, so that a blocked event loop uses up at most one of them. */
const parts = 5

/** Calls `expire` after `timeoutMs` milliseconds, unless the returned function is called before. */
export function startDeadline(timeoutMs: number, expire: () => void): () => void {
  let left = parts
  let isCancelled = false
  const wait = () => setTimeout(endPart, timeoutMs / parts)
  // Node reads I/O after timers and before immediates, so a result that has arrived is handled first.
  const endPart = () => setImmediate(countPart)
  const countPart = () => {
    if (isCancelled) return
    left -= 1
    if (left === 0) expire()
    else timer = wait()
  }
  let timer = wait()
  return () => {
    isCancelled = true
    clearTimeout(timer)
  }
}

/** Resolves with the result of `promise`, or rejects after `timeoutMs` milliseconds. */
export function withDeadline<Result>(
  promise: Promise<Result>,
  timeoutMs: number,
  toError = () => new Error(`No response within ${timeoutMs} ms`),
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = startDeadline(timeoutMs, () => reject(toError()))
  return Promise.race([promise, late]).finally(cancel)
}
