// Counts, cached apart from the responses that contain them: the total of a list, which all its pages have in all selections and
// orders, the counts of facets, and the days of a calendar. They depend on fewer records than a page.
import { LRUCache } from 'lru-cache'
import type { Changes } from './changes.ts'
import type { OperationDependencies } from './dependencies.ts'
import type { ExpiryTimes } from './expiry.ts'

/** A total, or the JSON of the counts of facets or days. */
export type Count = number | string

/** Counts of what a visitor without a password sees. */
export interface Counts {
  /** Undefined if it is not cached. */
  get(key: string): Count | undefined
  /** `dependencies` are those of the list without its items. */
  set(key: string, count: Count, dependencies: OperationDependencies): void
}

interface CachedCount {
  readonly count: Count
  readonly dependencies: OperationDependencies
  /** Version of `Changes` before it was counted. */
  readonly version: number
  /** Valid from `from` until before `until`, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** The response for which counts are looked up or counted. */
export interface Reading {
  readonly now: number
  readonly version: number
  /** When the response expires because of what it has read so far. */
  readonly until: () => number
  readonly expiresAt: (time: number) => void
  readonly expiryTimes: () => Promise<ExpiryTimes>
}

const maxBytes = 2 * 1024 ** 2

/** Estimated bytes of an entry, besides the characters of its count. */
const entryOverhead = 400

const sizeOf = ({ count }: CachedCount): number => entryOverhead + (typeof count === 'string' ? 2 * count.length : 0)

/**
 * Returns a function that gives the counts to a response while it is produced. While notifications of changes do not arrive,
 * no count is used or cached.
 */
export function createCounts(changes: Changes, isConnected: () => boolean): (reading: Reading) => Counts {
  const counts = new LRUCache<string, CachedCount>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  const isValid = ({ from, until, dependencies, version }: CachedCount, now: number) =>
    now >= from && now < until && changes.isCurrent(dependencies, version)

  return ({ now, version, until, expiresAt, expiryTimes }) => ({
    get(key) {
      const cached = isConnected() ? counts.get(key) : undefined
      if (!cached) return undefined
      if (!isValid(cached, now)) {
        counts.delete(key)
        return undefined
      }
      expiresAt(cached.until)
      return cached.count
    },
    set(key, count, dependencies) {
      if (!isConnected()) return
      const ownUntil = until()
      expiryTimes().then(
        ({ publication, eventBoundary }) => {
          if (!isConnected() || !changes.isCurrent(dependencies, version)) return
          const time = Math.min(ownUntil, publication, dependencies.comparesTimes ? eventBoundary : publication)
          counts.set(key, { count, dependencies, version, from: now, until: time })
        },
        // The times could not be read, so the count is not cached.
        () => {},
      )
    },
  })
}
