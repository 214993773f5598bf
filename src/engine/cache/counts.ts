// Counts, cached apart from the responses that contain them: the total of a list, which all its pages have in all selections and
// orders, the counts of facets, and the days of a calendar. They depend on fewer records than a page.
import { LRUCache } from 'lru-cache'
import type { ReadRecord } from '../reads/read-record.ts'
import type { Changes } from './changes.ts'
import type { ExpiryTimes } from './expiry.ts'

/** A total, or the JSON of the counts of facets or days. */
export type Count = number | string

interface CountRead {
  readonly count: Count
  /** What was read to count. */
  readonly read: ReadRecord
}

/** Counts of what a visitor without a password sees. */
export interface Counts {
  /** Undefined if it is not cached. */
  get(key: string): CountRead | undefined
  set(key: string, count: CountRead): void
}

interface CachedCount extends CountRead {
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
  const isValid = ({ from, until, read, version }: CachedCount, now: number) =>
    now >= from && now < until && changes.isCurrent(read, version)

  return ({ now, version, expiryTimes }) => ({
    get(key) {
      const cached = isConnected() ? counts.get(key) : undefined
      if (!cached) return undefined
      if (!isValid(cached, now)) {
        counts.delete(key)
        return undefined
      }
      return cached
    },
    set(key, { count, read }) {
      if (!isConnected() || read.isUncacheable) return
      expiryTimes().then(
        ({ publication, eventBoundary }) => {
          if (!isConnected() || !changes.isCurrent(read, version)) return
          const time = Math.min(read.until, publication, read.comparesTimes ? eventBoundary : publication)
          counts.set(key, { count, read, version, from: now, until: time })
        },
        // The times could not be read, so the count is not cached.
        () => {},
      )
    },
  })
}
