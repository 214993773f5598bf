// Caches the results of resolvers by record and ResolverReader, as long as the database returns the same JSON for the record. The
// database is queried every time; only the work of resolvers is saved.
import { LRUCache } from 'lru-cache'
import { responseTooLargeError } from '../../basics/errors.ts'
import { layoutOf, type PreloadedRecord, rawJson } from '../postgres/preloaded-record.ts'
import type { ResolverReader } from './record-resolvers.ts'

interface CachedResult {
  /** JSON of the record. The result is valid as long as the database returns the same JSON for the record. */
  readonly json: string
  /** Milliseconds since 1970. The result is valid for operations from `from` until before `until`. */
  readonly from: number
  readonly until: number
  readonly data: object
  /** Total number of characters of the texts in the result. */
  readonly characters: number
}

/** Maximum size of the cache, in estimated bytes. */
const maxSize = 64_000_000

/** Estimates the bytes of a result, including objects made from the result, such as JSON of the REST API. */
const sizeOf = ({ json, characters }: CachedResult, key: string): number =>
  1000 + key.length + json.length + 4 * Math.max(json.length, characters)

/**
 * A full cache stores only one of this number of new results. Otherwise a client that repeatedly reads more records than fit
 * would replace each result before it is used again.
 */
const admission = 8

/** Cached results of this process, by ID and layout of the record, selection and ResolverReader. */
const results = new LRUCache<string, CachedResult>({ maxSize, sizeCalculation: sizeOf })

/** Resolved fields of a record. `isComplete` if all fields were resolved synchronously and without errors. */
export interface ResolvedFields {
  readonly data: object
  readonly isComplete: boolean
}

/** The cached results for one ResolverReader, at the time of one operation. */
export class RecordCache {
  readonly #reader: ResolverReader
  readonly #size: ResponseSize
  readonly #now: number
  readonly #context: object
  #from = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY

  constructor(reader: ResolverReader, size: ResponseSize) {
    this.#reader = reader
    this.#size = size
    this.#now = reader.now.getTime()
    this.#context = reader.contextWith((time) => this.#hasCome(time.getTime()))
  }

  /** Returns the cached result of a record, or else the result of `resolve`, which is cached if complete. */
  getOrResolve(selection: number, record: PreloadedRecord, resolve: (context: object) => ResolvedFields): object {
    const json = rawJson(record) ?? ''
    const key = `${layoutOf(record)} ${record.id} ${selection} ${this.#reader.key}`
    const cached = results.get(key)
    if (cached && cached.from <= this.#now && this.#now < cached.until && cached.json === json) {
      this.#size.add(cached.characters)
      return cached.data
    }
    this.#from = Number.NEGATIVE_INFINITY
    this.#until = Number.POSITIVE_INFINITY
    const { characters: before } = this.#size
    const { data, isComplete } = resolve(this.#context)
    if (isComplete) {
      const characters = this.#size.characters - before
      const result = { json, from: this.#from, until: this.#until, data: Object.freeze(data), characters }
      if (cached || results.calculatedSize + sizeOf(result, key) <= maxSize || Math.random() * admission < 1) {
        results.set(key, result)
      }
    }
    return data
  }

  /** Whether the time is not after the time of the operation. Records until when this answer is valid. */
  #hasCome(time: number): boolean {
    const has = time <= this.#now
    if (has) this.#from = Math.max(this.#from, time)
    else this.#until = Math.min(this.#until, time)
    return has
  }
}

// Limits the texts of one response. A limit on what is read is not enough, because aliases repeat texts.

/** Maximum number of characters of all texts in a response. */
const maxCharacters = 20_000_000

/** Counts the characters of a response. */
export class ResponseSize {
  characters = 0

  /** Adds to the count. Throws responseTooLargeError above the limit. */
  add(characters: number): void {
    this.characters += characters
    if (this.characters > maxCharacters) throw responseTooLargeError()
  }

  addValue(value: unknown): void {
    if (typeof value === 'string') this.add(value.length)
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      this.add(JSON.stringify(value).length)
    }
  }
}
