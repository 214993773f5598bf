// Removes outdated entries of a cache in the background. One that nobody requests again would stay until the cache is full.
import { setImmediate } from 'node:timers/promises'

/** Milliseconds from a change until what depends on it is removed. */
const delay = 5000

/** Keys that are checked at once. Requests are served in between. */
const batchSize = 500

export interface Sweeper {
  /** Call after a change. */
  schedule(): void
  close(): void
}

/** `removeIfOutdated` is called for each of the keys. */
export function createSweeper<Key>(keys: () => Iterable<Key>, removeIfOutdated: (key: Key) => void): Sweeper {
  let timer: NodeJS.Timeout | undefined
  const sweep = async () => {
    timer = undefined
    for (const [index, key] of [...keys()].entries()) {
      if (index % batchSize === 0) await setImmediate()
      removeIfOutdated(key)
    }
  }
  return {
    schedule() {
      timer ??= setTimeout(sweep, delay).unref()
    },
    close: () => clearTimeout(timer),
  }
}
