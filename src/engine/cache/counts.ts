// Counts, cached apart from the responses that contain them: the total of a list, which all its pages have in all selections and
// orders, the counts of facets, and the days of a calendar. They depend on fewer records than a page.
import { LRUCache } from 'lru-cache'
import type { ReadRecord } from '../reads/read-record.ts'
import type { ChangeTracker } from './changes.ts'

/** A total, or the JSON of the counts of facets or days. */
export type Count = number | string

interface CountRead {
  readonly count: Count
  /** The records that the count depends on. */
  readonly read: ReadRecord
}

/** Counts of what a visitor without a password sees. */
export interface CountCache {
  /** Returns undefined if the count is not cached. */
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

const maxBytes = 2 * 1024 ** 2

/** Estimated bytes of an entry, besides the characters of its count. */
const entryOverhead = 400

const sizeOf = ({ count }: CachedCount): number => entryOverhead + (typeof count === 'string' ? 2 * count.length : 0)

/**
 * Returns a function that gives the counts to a response while it is produced: `version` is that before it, and `validUntil`
 * gives the time until which what was read is valid. While notifications of changes do not arrive, no count is used or cached.
 */
export function createCountCache(changes: ChangeTracker, isConnected: () => boolean) {
  const counts = new LRUCache<string, CachedCount>({ maxSize: maxBytes, sizeCalculation: sizeOf })

  return (now: number, version: number, validUntil: (read: ReadRecord) => Promise<number>): CountCache => ({
    get(key) {
      const cached = isConnected() ? counts.get(key) : undefined
      if (!cached) return undefined
      if (now >= cached.from && now < cached.until && changes.isCurrent(cached.read, cached.version)) return cached
      counts.delete(key)
      return undefined
    },
    set(key, { count, read }) {
      if (!isConnected() || read.isUncacheable) return
      validUntil(read).then(
        (until) => {
          if (isConnected() && changes.isCurrent(read, version))
            counts.set(key, { count, read, version, from: now, until })
        },
        // The times could not be read, so the count is not cached.
        () => {},
      )
    },
  })
}
