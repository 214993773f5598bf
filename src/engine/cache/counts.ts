// Caches total counts of lists, counts of facets, and the days of a calendar separately from responses: many responses contain
// the same total, and a total depends on fewer records than a page.
import { LRUCache } from 'lru-cache'
import type { ReadRecord } from '../reads/read-record.ts'
import type { ChangeTracker } from './changes.ts'

/** A total, or the JSON of the counts of facets or days. */
export type Count = number | string

interface CountRead {
  readonly count: Count
  /** What was read to compute the count. */
  readonly read: ReadRecord
}

/** A cache of counts. The counts are those that a visitor without a password sees. */
export interface CountCache {
  /** Returns undefined if the count is not cached. */
  get(key: string): CountRead | undefined
  set(key: string, count: CountRead): void
}

interface CachedCount extends CountRead {
  /** Version of the change tracker before the count was computed. */
  readonly version: number
  /** The count is valid from `from` until before `until`, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

const maxBytes = 2 * 1024 ** 2

/** Estimated bytes of a cache entry, in addition to the characters of its count. */
const entryOverhead = 400

const sizeOf = ({ count }: CachedCount): number => entryOverhead + (typeof count === 'string' ? 2 * count.length : 0)

/**
 * Returns a function that creates the view of the cache for one response. `version` is the version of the change tracker before
 * the response. `validUntil` returns until when a result is valid. Without a connection for notifications, nothing is cached.
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
        // `validUntil` could not query the database, so the count is not cached.
        () => {},
      )
    },
  })
}
