// The JSON of records in lists.
import { expect, test } from 'vitest'
import { listJson } from '../../src/apis/rest/json.ts'

const options = { key: 'links' }

/** Serializes a list of records with texts of these lengths. Returns it with the turn of the event loop of each record. */
async function serializeList(lengths: readonly number[]) {
  let turn = 0
  let next = setImmediate(function count() {
    turn += 1
    next = setImmediate(count)
  })
  const turns: number[] = []
  const serialize = ({ length }: { length: number }) => {
    turns.push(turn)
    return { text: 'x'.repeat(length) }
  }
  const list = await listJson(
    serialize,
    lengths.map((length) => ({ length })),
    options,
  )
  clearImmediate(next)
  return { texts: list.map(({ bytes }) => JSON.parse(bytes.toString()).text.length), turns }
}

test('a list of long records is serialized in several turns of the event loop', async () => {
  const lengths = Array.from({ length: 50 }, (_, index) => 90_000 + index)
  const { texts, turns } = await serializeList(lengths)
  expect(texts).toEqual(lengths)
  const perTurn = turns.map((turn) => turns.filter((other) => other === turn).length)
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(3)
})

test('a list of short records is serialized at once', async () => {
  const { texts, turns } = await serializeList([100, 2000, 0])
  expect(texts).toEqual([100, 2000, 0])
  expect(new Set(turns).size).toBe(1)
})
