// Compresses the JSON of cached results. Results of one selection in one format have the same keys, and often the same venues
// and categories. With JSON of some of them as the dictionary, the compressed JSON of the others is 40 % shorter.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { inOwnMemory } from '../../basics/own-memory.ts'

export interface CompressedJson {
  readonly bytes: Buffer
  /** Whether `bytes` are compressed. */
  readonly isCompressed: boolean
  /** Bytes after decompression. */
  readonly length: number
  readonly format: string
  /** Weak, so that evicted dictionaries take no memory. */
  readonly dictionary: WeakRef<Buffer> | undefined
}

/** Bytes. To compress shorter JSON would save less than the cache needs for an entry. */
const minLength = 1000

/** Bytes. To compress longer JSON, or to decompress it, would block the event loop for more than half a millisecond. */
const maxLength = 50_000

/** Bytes. With a third less, a compressed event takes a quarter more. */
const dictionaryLength = 12_000

/** Bytes of one record in a dictionary, so that a long text cannot fill it. */
const sampleLength = 6000

const maxDictionaries = 50

/** Milliseconds after its last use for which a dictionary is not evicted, so that clients cannot make cached results unreadable. */
const minIdleTime = 60_000

/**
 * A window of 16 KB, and the lowest level: higher ones save a tenth of the bytes. With zlib's defaults, each call would make four
 * allocations above MALLOC_MMAP_THRESHOLD_ (`src/process/allocator.js`) instead of one, and take up to 20 times as long.
 */
const zlibOptions = { level: 1, windowBits: 14, memLevel: 6 }

interface Dictionary {
  /** JSON of the first records of the format. */
  bytes: Buffer
  /** Set when `bytes` has its full length. */
  complete: WeakRef<Buffer> | undefined
  /** Milliseconds since 1970. */
  usedAt: number
}

/** `now` returns milliseconds since 1970. */
export class JsonCompressor {
  readonly #dictionaries = new LRUCache<string, Dictionary>({ max: maxDictionaries })
  readonly #now: () => number

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** JSON of the same format shares a dictionary. The format affects only the compressed size. */
  compress(json: Buffer, format: string): CompressedJson {
    const { length } = json
    if (length < minLength || length > maxLength) {
      return { bytes: inOwnMemory(json), isCompressed: false, length, format, dictionary: undefined }
    }
    const dictionary = this.#use(format) ?? this.#create(format)
    const complete = dictionary?.complete
    const bytes = inOwnMemory(deflateRawSync(json, optionsWith(complete?.deref())))
    if (dictionary && !complete) extend(dictionary, json)
    return { bytes, isCompressed: true, length, format, dictionary: complete }
  }

  /** Undefined if the dictionary was evicted. */
  decompress({ bytes, isCompressed, length, format, dictionary }: CompressedJson): Buffer | undefined {
    if (!isCompressed) return bytes
    const text = dictionary?.deref()
    if (dictionary && !text) return undefined
    if (text) this.#use(format)
    // With room for one byte more, zlib finds the end in the first chunk.
    return inflateRawSync(bytes, { ...optionsWith(text), chunkSize: length + 1 })
  }

  #use(format: string): Dictionary | undefined {
    const dictionary = this.#dictionaries.get(format)
    if (dictionary) dictionary.usedAt = this.#now()
    return dictionary
  }

  /** Undefined while all dictionaries are in use. */
  #create(format: string): Dictionary | undefined {
    const usedAt = this.#now()
    const [oldest] = this.#dictionaries.rvalues()
    if (this.#dictionaries.size === maxDictionaries && oldest && usedAt - oldest.usedAt < minIdleTime) return undefined
    const dictionary = { bytes: Buffer.alloc(0), complete: undefined, usedAt }
    this.#dictionaries.set(format, dictionary)
    return dictionary
  }
}

const optionsWith = (dictionary: Buffer | undefined) => (dictionary ? { ...zlibOptions, dictionary } : zlibOptions)

function extend(dictionary: Dictionary, json: Buffer): void {
  const half = sampleLength / 2
  const sample = json.length <= sampleLength ? [json] : [json.subarray(0, half), json.subarray(-half)]
  dictionary.bytes = inOwnMemory(Buffer.concat([dictionary.bytes, ...sample]).subarray(0, dictionaryLength))
  if (dictionary.bytes.length === dictionaryLength) dictionary.complete = new WeakRef(dictionary.bytes)
}
