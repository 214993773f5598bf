// The JSON of cached results is the same after it was compressed.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CompressedJson, compressJson, decompressJson } from '../../../src/graphql/execution/compressed-json.ts'

let formats = 0
const newFormat = () => {
  formats += 1
  return `test ${formats}`
}

/** A long text with the same keys as others. */
const venueOf = (number: number) =>
  Buffer.from(JSON.stringify(Array.from({ length: 40 }, (_, n) => ({ name: `Hall ${number * n}`, city: 'Zürich' }))))

test('decompressed JSON equals what was compressed, whatever was compressed before', () => {
  const json = fc
    .tuple(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 400 }))
    .map(([text, times]) => Buffer.from(text.repeat(times)))
  fc.assert(
    fc.property(fc.array(json), (texts) => {
      const format = newFormat()
      const compressed = texts.map((text) => compressJson(text, format))
      expect(compressed.map((each) => decompressJson(each)?.toString())).toEqual(texts.map(String))
    }),
  )
})

test('JSON is compressed to less than half, and with the first JSON of its format to a tenth', () => {
  const format = newFormat()
  const sizes = Array.from({ length: 30 }, (_, n) => {
    const json = venueOf(n + 1)
    return compressJson(json, format).bytes.length / json.length
  })
  expect(sizes[0]).toBeLessThan(0.5)
  expect(sizes.at(-1)).toBeLessThan(0.1)
})

test('short JSON is not compressed', () => {
  const json = Buffer.from('{"name":"Hall"}')
  expect(compressJson(json, newFormat()).bytes).toEqual(json)
})

test('JSON of more formats than there are dictionaries is decompressed, or missing', () => {
  const compressed: (readonly [Buffer, CompressedJson])[] = []
  for (let n = 0; n < 200; n += 1) {
    const format = newFormat()
    for (let number = 0; number < 12; number += 1) {
      const json = venueOf(n + number)
      compressed.push([json, compressJson(json, format)])
    }
  }
  for (const [json, each] of compressed) expect([json, undefined]).toContainEqual(decompressJson(each))
})
