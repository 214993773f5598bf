// Deadlines of what this process waits for. Time in which its own event loop is late does not count: what it waits for may have
// arrived by then.

/** A late event loop delays a deadline by the lateness except for one of these parts. */
const parts = 5

/** Calls `expire` after `timeoutMs` milliseconds, unless the returned function is called before. */
export function startDeadline(timeoutMs: number, expire: () => void): () => void {
  let left = parts
  let isCancelled = false
  const wait = () => setTimeout(endPart, timeoutMs / parts)
  // What has arrived is handled between timers and immediates.
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

/** The result of `promise`; rejects after `timeoutMs` milliseconds. */
export function withDeadline<Result>(
  promise: Promise<Result>,
  timeoutMs: number,
  toError = () => new Error(`No response within ${timeoutMs} ms`),
): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const cancel = startDeadline(timeoutMs, () => reject(toError()))
  return Promise.race([promise, late]).finally(cancel)
}
