// Totals of lists, cached apart from the responses that contain them: all pages of a list, in all selections and orders, have
// the same total, and it depends on fewer records than a page.
import { LRUCache } from 'lru-cache'
import type { Changes } from './changes.ts'
import type { OperationDependencies } from './dependencies.ts'
import type { ExpiryTimes } from './expiry.ts'

/** The totals of lists as a visitor without a password sees them. */
export interface Totals {
  /** Undefined if the total is not cached. */
  get(key: string): number | undefined
  /** `dependencies` are those of the list without its items. */
  set(key: string, total: number, dependencies: OperationDependencies): void
}

interface CachedTotal {
  readonly total: number
  readonly dependencies: OperationDependencies
  /** Version of `Changes` before it was counted. */
  readonly version: number
  /** Valid from `from` until before `until`, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** The time, version and expiry of the response for which totals are looked up or counted. */
interface Reading {
  readonly now: number
  readonly version: number
  /** When the response expires because of what it has read so far. */
  readonly until: () => number
  readonly expiryTimes: () => Promise<ExpiryTimes>
}

/** Totals take about 300 bytes each. */
const maxTotals = 5000

/**
 * Returns a function that gives the totals to a response while it is produced. While notifications of changes do not arrive,
 * no total is used or cached.
 */
export function createTotals(changes: Changes, isConnected: () => boolean): (reading: Reading) => Totals {
  const totals = new LRUCache<string, CachedTotal>({ max: maxTotals })
  const isValid = ({ from, until, dependencies, version }: CachedTotal, now: number) =>
    now >= from && now < until && changes.isCurrent(dependencies, version)

  return ({ now, version, until, expiryTimes }) => ({
    get(key) {
      const cached = isConnected() ? totals.get(key) : undefined
      if (!cached) return undefined
      if (isValid(cached, now)) return cached.total
      totals.delete(key)
      return undefined
    },
    set(key, total, dependencies) {
      if (!isConnected()) return
      const ownUntil = until()
      expiryTimes().then(
        ({ publication, eventBoundary }) => {
          if (!isConnected() || !changes.isCurrent(dependencies, version)) return
          const time = Math.min(ownUntil, publication, dependencies.comparesTimes ? eventBoundary : publication)
          totals.set(key, { total, dependencies, version, from: now, until: time })
        },
        // The times could not be read, so the total is not cached.
        () => {},
      )
    },
  })
}
