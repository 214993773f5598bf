// Caches the results of resolvers by record, its JSON and viewer. The database is queried every time; only the work of
// resolvers for the same JSON and the same viewer is saved.
import { LRUCache } from 'lru-cache'
import type { Context } from '../../context.ts'
import { layoutOf, type PreloadedRecord, rawJson } from '../../db/preloaded-record.ts'
import { objectNumber } from '../../memoize.ts'
import type { RecordContext } from '../record-resolver.ts'
import { cacheSerialized } from './serialize.ts'

interface CachedResult {
  readonly data: object
  /** Milliseconds since 1970. The result is valid for operations from `from` until before `until`. */
  readonly from: number
  readonly until: number
}

/** Characters of cached JSON. */
const maxSize = 2_000_000

/** Characters. Shorter records do not count towards the text limit when their result is cached. */
const longRecord = 4000

/** Estimated memory of a result besides its JSON, in characters. */
const entryOverhead = 500

/** Results per JSON text. More than these come from viewers or documents that are unlikely to return. */
const maxResults = 32

/**
 * While the cache is full, one of this many new records enters it. Otherwise, if more records are requested in turn than it
 * holds, each would replace another before that is requested again.
 */
const entersFullCache = 7
let candidates = 0

interface CachedRecord {
  /** The results are valid as long as the database returns this JSON for the record. */
  readonly json: string
  readonly results: ReadonlyMap<string, CachedResult>
}

/**
 * The results of all viewers and selections, by layout and ID of the record. JSON as the key would have to be hashed for each
 * lookup, which takes longer than comparing it.
 */
const cache = new LRUCache<string, CachedRecord>({
  maxSize,
  sizeCalculation: ({ json, results }) => results.size * (json.length + entryOverhead),
})

function enters(json: string): boolean {
  if (cache.calculatedSize + json.length + entryOverhead <= maxSize) return true
  candidates = (candidates + 1) % entersFullCache
  return candidates === 0
}

/** The cached results for one viewer, at the time of one operation. */
export class ReaderCache {
  /** The context of cached resolvers, built from the same values as the cache key. */
  readonly recordContext: RecordContext
  readonly #prefix: string
  readonly #clock: ClockTracker
  readonly #now: number

  constructor({ settings, language, viewer, forEditing, passwordKey, now, texts }: Context) {
    const reader = viewer && { id: viewer.id, role: viewer.role }
    this.#now = now.getTime()
    this.#clock = new ClockTracker(this.#now)
    this.#prefix = JSON.stringify([objectNumber(settings), language, reader?.id, reader?.role, forEditing, passwordKey])
    const { hasCome } = this.#clock
    this.recordContext = Object.freeze({ settings, language, viewer: reader, forEditing, passwordKey, texts, hasCome })
  }

  /** The cached result of a selection, or the one that `resolve` returns, which is cached unless it fails. */
  getOrResolve(
    selection: number,
    record: PreloadedRecord,
    resolve: () => { data: object; isComplete: boolean },
  ): object {
    const json = rawJson(record) ?? ''
    const recordKey = `${layoutOf(record)} ${record.id}`
    const key = `${selection} ${this.#prefix}`
    const cachedRecord = cache.get(recordKey)
    const results = cachedRecord?.json === json ? cachedRecord.results : undefined
    const cached = results?.get(key)
    if (cached && cached.from <= this.#now && this.#now < cached.until) {
      // A response may contain the same record many times, such as an event of several days in a calendar.
      if (json.length > longRecord) this.recordContext.texts.spend(json)
      return cached.data
    }
    this.#clock.reset()
    const { data, isComplete } = resolve()
    // Serializing it as a whole is faster, cached or not.
    if (isComplete) cacheSerialized(data)
    if (isComplete && (cachedRecord || enters(json))) {
      const { from, until } = this.#clock
      // A new map: the cache takes the size of a value once.
      const others = results && results.size < maxResults ? results : []
      cache.set(recordKey, { json, results: new Map(others).set(key, { data, from, until }) })
    }
    return data
  }
}

/** Records which points in time a resolver compared with the time of the operation. */
class ClockTracker {
  from = Number.NEGATIVE_INFINITY
  until = Number.POSITIVE_INFINITY
  readonly #now: number

  constructor(now: number) {
    this.#now = now
  }

  readonly hasCome = (time: Date): boolean => {
    const milliseconds = time.getTime()
    const has = milliseconds <= this.#now
    if (has) this.from = Math.max(this.from, milliseconds)
    else this.until = Math.min(this.until, milliseconds)
    return has
  }

  reset(): void {
    this.from = Number.NEGATIVE_INFINITY
    this.until = Number.POSITIVE_INFINITY
  }
}
