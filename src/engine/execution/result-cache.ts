// Caches the results of resolvers by record, its JSON and viewer. The database is queried every time; only the work of
// resolvers and serializers for the same JSON and the same viewer is saved.
import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { objectNumber } from '../../basics/memoize.ts'
import type { Context } from '../../service/context.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'
import type { Serializations } from '../../service/graphql/serializations.ts'
import { layoutOf, type PreloadedRecord, rawJson } from '../postgres/preloaded-record.ts'
import { type CompressedJson, JsonCompressor } from './json-compressor.ts'
import { type LazySelection, lazyResult } from './lazy-result.ts'

type Fields = Record<string, unknown>

interface CachedResult {
  /** The result is valid as long as the database returns the same JSON for the record. */
  readonly jsonHash: string
  /** Milliseconds since 1970. The result is valid for operations from `from` until before `until`. */
  readonly from: number
  readonly until: number
  /** Undefined once JSON is cached, to save memory. Then fields are resolved again when they are read. */
  readonly fields: Fields | undefined
  readonly serialized: readonly { readonly format: string; readonly json: CompressedJson }[]
  /** Estimated bytes. */
  readonly size: number
}

/** Bytes. */
const maxSize = 12_000_000

/** Characters. Shorter records do not count towards the text limit when their result is cached. */
const longRecord = 4000

/** Estimated bytes of a result besides its fields and serializations. */
const entryOverhead = 1000

/** Bytes of an object per character of the JSON that it was resolved from. */
const bytesPerCharacter = 2

/** Serializations of one result, such as those with links of several languages. */
const maxSerializations = 8

/**
 * While the cache is full, one of this many new results enters it. Otherwise, if more records are requested in turn than it
 * holds, each would replace another before that is requested again.
 */
const entersFullCache = 7

/** Results by ID and layout of the record, selection and viewer. */
export class ResultCache {
  readonly compressor = new JsonCompressor()
  readonly #results = new LRUCache<string, CachedResult>({ maxSize, sizeCalculation: ({ size }) => size })
  #candidates = 0

  get(key: string): CachedResult | undefined {
    return this.#results.get(key)
  }

  /** Like `get`, without updating recency. */
  peek(key: string): CachedResult | undefined {
    return this.#results.peek(key)
  }

  set(key: string, result: CachedResult): void {
    this.#results.set(key, result)
  }

  /** Whether a new result of this size is to be cached. */
  enters(size: number): boolean {
    if (this.#results.calculatedSize + size <= maxSize) return true
    this.#candidates = (this.#candidates + 1) % entersFullCache
    return this.#candidates === 0
  }
}

const resultsOfProcess = new ResultCache()

/** A record, and how to resolve its selected fields. */
export interface RecordSource {
  readonly selection: LazySelection & { readonly number: number }
  readonly record: PreloadedRecord
  /** The result is complete if all fields were resolved at once and without errors. */
  resolveAll(context: RecordContext): { readonly data: Fields; readonly isComplete: boolean }
  resolveField(key: string, context: RecordContext): unknown
}

const uncounted: RecordContext['texts'] = { spend: (text) => text, check: () => undefined }

/** The results for one viewer, at the time of one operation. */
export class ReaderCache {
  /** The context of cached resolvers, built from the same values as the cache key. */
  readonly #context: RecordContext
  /** For fields that are resolved again: getOrResolve has already counted the texts of the record towards the limit. */
  readonly #uncountedContext: RecordContext
  readonly #viewerKey: string
  readonly #clock: ClockTracker
  readonly #now: number
  readonly #uncached = new Set<object>()
  readonly #results: ResultCache

  constructor(
    { settings, site, language, viewer, forEditing, passwordKey, now, texts }: Context,
    results: ResultCache = resultsOfProcess,
  ) {
    this.#results = results
    const reader = viewer && { id: viewer.id, role: viewer.role }
    this.#now = now.getTime()
    this.#clock = new ClockTracker(this.#now)
    this.#viewerKey = JSON.stringify([
      objectNumber(settings),
      site.uidHost,
      language,
      reader?.id,
      reader?.role,
      forEditing,
      passwordKey,
    ])
    const { hasCome } = this.#clock
    this.#context = Object.freeze({ settings, site, language, viewer: reader, forEditing, passwordKey, texts, hasCome })
    this.#uncountedContext = Object.freeze({ ...this.#context, texts: uncounted })
  }

  /** The cached result of a record, or the one that is resolved now, which is cached unless it fails. */
  getOrResolve(source: RecordSource): object {
    const { selection, record } = source
    const json = rawJson(record) ?? ''
    const key = `${layoutOf(record)} ${record.id} ${selection.number} ${this.#viewerKey}`
    const cached = this.#results.get(key)
    const jsonHash = cached && hashOf(json)
    if (cached && cached.jsonHash === jsonHash && cached.from <= this.#now && this.#now < cached.until) {
      // A response may contain the same record many times, such as an event of several days in a calendar.
      if (json.length > longRecord) this.#context.texts.spend(json)
      return this.#lazyResult(source, key, cached)
    }
    this.#clock.reset()
    const { data, isComplete } = source.resolveAll(this.#context)
    if (!isComplete) return data
    const size = entryOverhead + key.length + json.length * bytesPerCharacter
    if (!cached && !this.#results.enters(size)) {
      this.#uncached.add(data)
      return data
    }
    const { from, until } = this.#clock
    const result = { jsonHash: jsonHash ?? hashOf(json), from, until, fields: data, serialized: [], size }
    this.#results.set(key, result)
    return this.#lazyResult(source, key, result)
  }

  /** Whether the object is the result of a record that is not cached, and contains no cached result. */
  isUncached(result: object): boolean {
    return this.#uncached.has(result)
  }

  #lazyResult(source: RecordSource, key: string, result: CachedResult): object {
    const { selection } = source
    const entry = new CacheEntry(this.#results, { key, selectionNumber: selection.number }, result)
    return lazyResult(selection, entry, (key) => source.resolveField(key, this.#uncountedContext))
  }
}

const hashOf = (json: string): string => hash('sha256', json, 'base64')

interface EntryKey {
  readonly key: string
  readonly selectionNumber: number
}

/** A result in the cache, which its serializations replace. */
class CacheEntry implements Serializations {
  readonly #results: ResultCache
  readonly #key: string
  readonly #selectionNumber: number
  #result: CachedResult

  constructor(results: ResultCache, { key, selectionNumber }: EntryKey, result: CachedResult) {
    this.#results = results
    this.#key = key
    this.#selectionNumber = selectionNumber
    this.#result = result
  }

  get fields(): Fields | undefined {
    return this.#result.fields
  }

  get(format: string): Buffer | undefined {
    this.#update()
    const serialization = this.#result.serialized.find((one) => one.format === format)
    return serialization && this.#results.compressor.decompress(serialization.json)
  }

  set(format: string, bytes: Buffer): void {
    // Evicted, or replaced because the record has changed.
    if (!this.#update()) return
    const { jsonHash, from, until, serialized } = this.#result
    const others = serialized.filter((one) => one.format !== format).slice(1 - maxSerializations)
    const json = this.#results.compressor.compress(bytes, `${this.#selectionNumber} ${format}`)
    const all = [...others, { format, json }]
    const size = all.reduce((sum, one) => sum + one.json.bytes.length, entryOverhead + this.#key.length)
    this.#result = { jsonHash, from, until, fields: undefined, serialized: all, size }
    this.#results.set(this.#key, this.#result)
  }

  /**
   * Reads the result again: the same record elsewhere in the response, or another operation, may have added bytes. False if it
   * is no longer cached.
   */
  #update(): boolean {
    const current = this.#results.peek(this.#key)
    const { jsonHash, from, until } = this.#result
    if (current?.jsonHash !== jsonHash || current.from !== from || current.until !== until) return false
    this.#result = current
    return true
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
