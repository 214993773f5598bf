// Removes outdated entries of a cache in the background. One that nobody requests again would stay until the cache is full.
import { setImmediate } from 'node:timers/promises'

/** Milliseconds from a change to the next sweep, at least. */
const minDelay = 5000

/** The next sweep starts at least this many times the duration of the last one later. */
const pauseFactor = 20

/** Keys that are checked at once. Requests are served in between. */
const batchSize = 500

export interface Sweeper {
  /** Call after a change. */
  schedule(): void
  close(): void
}

/**
 * `removeIfOutdated` is called for each of the keys. The iterator of the keys may end early if they change meanwhile; the next
 * sweep finds the others.
 */
export function createSweeper<Key>(keys: () => Iterable<Key>, removeIfOutdated: (key: Key) => void): Sweeper {
  let timer: NodeJS.Timeout | undefined
  let [isRunning, hasChanged, isClosed, delay] = [false, false, false, minDelay]

  const schedule = () => {
    if (isRunning) hasChanged = true
    else if (!isClosed) timer ??= setTimeout(sweep, delay).unref()
  }
  const sweep = async () => {
    timer = undefined
    isRunning = true
    hasChanged = false
    const start = performance.now()
    let checked = 0
    for (const key of keys()) {
      removeIfOutdated(key)
      checked += 1
      if (checked % batchSize === 0) await setImmediate()
      if (isClosed) return
    }
    delay = Math.max(minDelay, pauseFactor * (performance.now() - start))
    isRunning = false
    if (hasChanged) schedule()
  }
  return {
    schedule,
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
