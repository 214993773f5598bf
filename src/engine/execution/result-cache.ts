// Caches the results of resolvers by record, its JSON and reader. The database is queried every time; only the work of resolvers
// for the same JSON and the same reader is saved.
import { LRUCache } from 'lru-cache'
import { responseTooLarge } from '../../basics/errors.ts'
import { layoutOf, type PreloadedRecord, rawJson } from '../postgres/preloaded-record.ts'
import type { Reader } from './record-resolvers.ts'

interface CachedResult {
  /** The result is valid as long as the database returns the same JSON for the record. */
  readonly json: string
  /** Milliseconds since 1970. The result is valid for operations from `from` until before `until`. */
  readonly from: number
  readonly until: number
  readonly data: object
  /** Length of the texts in the result. */
  readonly characters: number
}

/** Estimated bytes of all results. */
const maxSize = 64_000_000

/** Estimated bytes of a result. Objects made from it, such as JSON of the REST API, take as much memory as its texts. */
const sizeOf = ({ json, characters }: CachedResult, key: string): number =>
  1000 + key.length + json.length + 4 * Math.max(json.length, characters)

/**
 * A full cache takes one new result of so many. Otherwise whoever reads more records in turn than fit would replace each of
 * them before it is read again.
 */
const admission = 8

/** The results of this process by ID and layout of the record, selection and reader. */
const results = new LRUCache<string, CachedResult>({ maxSize, sizeCalculation: sizeOf })

/** A result is complete if all fields were resolved at once and without errors. */
export interface Resolved {
  readonly data: object
  readonly isComplete: boolean
}

/** The results for one reader, at the time of one operation. */
export class RecordCache {
  readonly #reader: Reader
  readonly #size: ResponseSize
  readonly #now: number
  readonly #context: object
  #from = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY

  constructor(reader: Reader, size: ResponseSize) {
    this.#reader = reader
    this.#size = size
    this.#now = reader.now.getTime()
    this.#context = reader.contextWith((time) => this.#hasCome(time.getTime()))
  }

  /** The cached result of a record, or the one that is resolved now, which is cached if it is complete. */
  getOrResolve(selection: number, record: PreloadedRecord, resolve: (context: object) => Resolved): object {
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

  /** Compares a time with the time of the operation, and notes how long the comparison has the same result. */
  #hasCome(time: number): boolean {
    const has = time <= this.#now
    if (has) this.#from = Math.max(this.#from, time)
    else this.#until = Math.min(this.#until, time)
    return has
  }
}

// Limits the texts of one response: aliases repeat the texts that its statements have read.

/** Characters. */
const maxCharacters = 20_000_000

export class ResponseSize {
  characters = 0

  /** Throws if the response becomes too large. */
  add(characters: number): void {
    this.characters += characters
    if (this.characters > maxCharacters) throw responseTooLarge()
  }

  addValue(value: unknown): void {
    if (typeof value === 'string') this.add(value.length)
    else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      this.add(JSON.stringify(value).length)
    }
  }
}
