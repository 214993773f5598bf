// The JSON of cached results is the same after decompression, or missing if its dictionary was evicted.
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonCompressor } from '../../../src/engine/execution/json-compressor.ts'

const minute = 60_000

/** JSON of 2 to 4 KB with the same keys as others. */
const venueOf = (number: number) =>
  Buffer.from(JSON.stringify(Array.from({ length: 60 }, (_, n) => ({ name: `Hall ${number * n}`, city: 'Zürich' }))))

/** More JSON than a dictionary takes. */
const venues = Array.from({ length: 30 }, (_, n) => venueOf(n + 1))

/** A WeakRef keeps its target until the end of the turn in which it was read. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  await setImmediate()
  runInNewContext('gc')()
}

test('decompressed JSON equals what was compressed, whatever was compressed before', () => {
  const json = fc
    .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 400 }))
    .map(([text, times]) => Buffer.from(text.repeat(times)))
  fc.assert(
    fc.property(fc.array(json), (texts) => {
      const compressor = new JsonCompressor()
      const compressed = texts.map((text) => compressor.compress(text, 'format'))
      expect(compressed.map((each) => compressor.decompress(each)?.toString())).toEqual(texts.map(String))
    }),
  )
})

test('JSON is compressed to less than half, and with a dictionary to a tenth', () => {
  const compressor = new JsonCompressor()
  const ratios = venues.map((json) => compressor.compress(json, 'format').bytes.length / json.length)
  expect(ratios[0]).toBeLessThan(0.5)
  expect(ratios.at(-1)).toBeLessThan(0.1)
})

test('a record with a long text does not fill the dictionary', () => {
  const compressor = new JsonCompressor()
  const random = Array.from({ length: 2000 }, () => Math.random()).join('')
  compressor.compress(Buffer.concat([venueOf(1), Buffer.from(random.slice(0, 30_000))]), 'format')
  const ratios = venues.map((json) => compressor.compress(json, 'format').bytes.length / json.length)
  expect(ratios.at(-1)).toBeLessThan(0.1)
})

test.each([999, 50_001])('JSON of %i bytes is not compressed', (length) => {
  const compressor = new JsonCompressor()
  const json = Buffer.alloc(length, 'x')
  const compressed = compressor.compress(json, 'format')
  expect(compressed.bytes).toEqual(json)
  expect(compressor.decompress(compressed)).toEqual(json)
})

test('other formats evict dictionaries a minute after their last use, the least recently used first', async () => {
  let now = 0
  const compressor = new JsonCompressor(() => now)
  const compressAll = (format: string) => venues.map((json) => compressor.compress(json, format)).at(-1)
  const formats = Array.from({ length: 50 }, (_, n) => compressAll(`format ${n}`))
  const readable = () => formats.flatMap((json, n) => (json && compressor.decompress(json) ? [n] : []))
  expect(readable()).toHaveLength(50)

  now = minute - 1
  const withoutDictionary = compressAll('new')
  await collectGarbage()
  expect(withoutDictionary?.dictionary).toBeUndefined()
  expect(withoutDictionary && compressor.decompress(withoutDictionary)).toEqual(venues.at(-1))

  const [first] = formats
  expect(first && compressor.decompress(first)).toEqual(venues.at(-1))
  now = minute
  for (let n = 0; n < 10; n += 1) expect(compressAll(`new ${n}`)?.dictionary).toBeDefined()
  await collectGarbage()
  expect(readable()).toEqual([0, ...Array.from({ length: 39 }, (_, n) => n + 11)])
})
