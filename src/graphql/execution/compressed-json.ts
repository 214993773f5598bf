// Compresses the JSON of cached results. Results of one selection in one format have the same keys, and often the same venues
// and categories, so that some of their JSON, as a dictionary, halves the compressed size of all.
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { memoize } from '../../memoize.ts'
import { inOwnMemory } from '../../own-memory.ts'

export interface CompressedJson {
  readonly format: string
  readonly bytes: Buffer
  /** Bytes after decompression. */
  readonly length: number
  /** Weak, so that the dictionaries of many formats cannot take more memory than `dictionaries` allows. */
  readonly dictionary: WeakRef<Buffer> | undefined
}

/** Bytes. Shorter JSON is not compressed: that would save less than the cache needs for an entry. */
const minLength = 1000

/** Bytes. With a third less, a compressed event takes a quarter more. */
const dictionaryLength = 12_000

/**
 * A window of 16 KB, and the lowest level: higher ones save a tenth of the bytes. With zlib's defaults, each call would allocate
 * more than MALLOC_MMAP_THRESHOLD_ (`src/process/allocator.js`), and get new pages from the system, which takes up to 20 times
 * as long.
 */
const zlibOptions = { level: 1, windowBits: 14, memLevel: 6 }

class Dictionary {
  /** Undefined until enough JSON has been compressed. */
  current: WeakRef<Buffer> | undefined
  #bytes: Buffer = Buffer.alloc(0)

  add(json: Buffer): void {
    this.#bytes = inOwnMemory(Buffer.concat([this.#bytes, json.subarray(0, dictionaryLength - this.#bytes.length)]))
    if (this.#bytes.length === dictionaryLength) this.current = new WeakRef(this.#bytes)
  }
}

const dictionaries = memoize({ name: 'jsonDictionaries', max: 50 }, (_format: string) => new Dictionary())

/** `format` is the same for JSON with the same keys. */
export function compressJson(json: Buffer, format: string): CompressedJson {
  const { length } = json
  if (length < minLength) return { format, bytes: inOwnMemory(json), length, dictionary: undefined }
  const forFormat = dictionaries(format)
  const { current } = forFormat
  if (!current) forFormat.add(json)
  const dictionary = current?.deref()
  const bytes = inOwnMemory(deflateRawSync(json, { ...zlibOptions, ...(dictionary && { dictionary }) }))
  return { format, bytes, length, dictionary: current }
}

/** Undefined if the dictionary is no longer in memory. */
export function decompressJson({ format, bytes, length, dictionary }: CompressedJson): Buffer | undefined {
  if (length < minLength) return bytes
  const text = dictionary?.deref()
  if (dictionary && !text) return undefined
  // Dictionaries that are read are evicted last.
  if (text) dictionaries(format)
  // With room for one byte more, zlib finds the end in the first chunk.
  return inflateRawSync(bytes, { ...zlibOptions, chunkSize: length + 1, ...(text && { dictionary: text }) })
}
