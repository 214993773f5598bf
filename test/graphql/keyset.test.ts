import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  betweenCursorsFilter,
  keysetOrderBy,
  newestFirst,
  type SortKey,
  toCursor,
} from '../../src/service/graphql/keyset.ts'

const keys: readonly SortKey[] = [
  { column: 'at', type: 'date' },
  { column: 'name', type: 'text', descending: true },
  { column: 'id', type: 'integer' },
]
const at = new Date('2026-12-01T10:00:00.123Z')

test('a cursor carries the sort values, opaque and safe in a URL', () => {
  const cursor = toCursor(keys, { id: 3, name: 'Ünï', at, other: 'hush' })
  expect(cursor).toMatch(/^[\w-]+$/)
  expect(JSON.parse(Buffer.from(cursor, 'base64url').toString())).toEqual(['at', at.toISOString(), 'Ünï', 3])
})

test('rows after a cursor: the first conjunct lets an index start there', () => {
  const after = toCursor(keys, { at, name: 'b', id: 3 })
  const tie = (rest: object) => [{ AND: [{ at }, rest] }]
  const byName = {
    AND: [{ name: { lte: 'b' } }, { OR: [{ name: { lt: 'b' } }, { AND: [{ name: 'b' }, { id: { gt: 3 } }] }] }],
  }
  expect(betweenCursorsFilter(keys, { after })).toEqual([
    { AND: [{ at: { gte: at } }, { OR: [{ at: { gt: at } }, ...tie(byName)] }] },
  ])
})

test('without cursors the list is unbounded, with two it is bounded at both ends', () => {
  const cursor = toCursor(newestFirst, { publishedAt: at, id: 3 })
  expect(betweenCursorsFilter(newestFirst, {})).toEqual([])
  expect(betweenCursorsFilter(newestFirst, { after: cursor, before: cursor })).toHaveLength(2)
})

test.each([
  [false, [{ at: 'asc' }, { name: 'desc' }, { id: 'asc' }]],
  [true, [{ at: 'desc' }, { name: 'asc' }, { id: 'desc' }]],
])('the order, inverted %s', (inverted, expected) => {
  expect(keysetOrderBy(keys, inverted)).toEqual(expected)
})

interface Row {
  readonly at: Date
  readonly name: string
  readonly id: number
}

type Condition = { AND?: Condition[]; OR?: Condition[] } & Record<string, unknown>

/** What the database makes of the conditions that this module writes. */
function holds(row: Row, condition: Condition): boolean {
  return Object.entries(condition).every(([name, expected]) => {
    if (name === 'AND') return (expected as Condition[]).every((each) => holds(row, each))
    if (name === 'OR') return (expected as Condition[]).some((each) => holds(row, each))
    const value = row[name as keyof Row]
    if (expected instanceof Date || typeof expected !== 'object') return String(value) === String(expected)
    return Object.entries(expected as Record<string, Row[keyof Row]>).every(([operator, bound]) => {
      if (operator === 'lt') return value < bound
      if (operator === 'gt') return value > bound
      return operator === 'lte' ? value <= bound : value >= bound
    })
  })
}

function compare(a: Row, b: Row): number {
  return Number(a.at) - Number(b.at) || (a.name < b.name ? 1 : a.name > b.name ? -1 : 0) || a.id - b.id
}

const row = fc.record({
  at: fc.integer({ min: 0, max: 2 }).map((second) => new Date(second * 1000)),
  name: fc.constantFrom('a', 'b', 'c'),
  id: fc.integer({ min: 1, max: 4 }),
})

test('a cursor divides every list at its row', () => {
  fc.assert(
    fc.property(fc.array(row), row, (rows, edge) => {
      const cursor = toCursor(keys, edge)
      const [after] = betweenCursorsFilter<Condition>(keys, { after: cursor })
      const [before] = betweenCursorsFilter<Condition>(keys, { before: cursor })
      for (const each of rows) {
        expect(holds(each, after ?? {})).toBe(compare(each, edge) > 0)
        expect(holds(each, before ?? {})).toBe(compare(each, edge) < 0)
      }
    }),
  )
})

describe('an invalid cursor', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const date = at.toISOString()

  test('of another order is refused', () => {
    const row = { at, name: 'a', id: 3 }
    const [first, ...others] = keys as [SortKey, ...SortKey[]]
    for (const other of [
      { ...first, descending: true },
      { ...first, column: 'until' },
    ]) {
      const after = toCursor([other, ...others], { ...row, until: at })
      expect(() => betweenCursorsFilter(keys, { after })).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
    }
    expect(betweenCursorsFilter(keys, { after: toCursor(keys, row) })).toHaveLength(1)
  })

  test.each([
    ['empty', ''],
    ['no JSON', 'nonsense'],
    ['no list', encode({ at: date })],
    ['too few values', encode(['at', date, 'a'])],
    ['too many values', encode(['at', date, 'a', 1, 1])],
    ['no date', encode(['at', 'soon', 'a', 1])],
    ['number as date', encode(['at', 1, 'a', 1])],
    ['year 0', encode(['at', '0000-06-01T00:00:00Z', 'a', 1])],
    ['year of five digits', encode(['at', '+010000-01-01T00:00:00Z', 'a', 1])],
    ['NUL in text', encode(['at', date, 'a\0', 1])],
    ['null as text', encode(['at', date, null, 1])],
    ['text as number', encode(['at', date, 'a', '1'])],
    ['number beyond the database', encode(['at', date, 'a', 2 ** 31])],
  ])('is refused by name: %s', (_, cursor) => {
    for (const name of ['after', 'before']) {
      const wrong = expect.objectContaining({ code: 'BAD_INPUT', data: { fields: { [name]: expect.any(String) } } })
      expect(() => betweenCursorsFilter(keys, { [name]: cursor })).toThrow(wrong)
    }
  })
})
