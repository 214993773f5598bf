// Of many matches, only some are ranked. The list still has all of them, in one order for pages and cursors.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyRows } from '../../bench/copy-rows.ts'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

const copies = 229
/** Those with the word in the title, and their originals in the text. */
const titles = 4
const total = copies + 1 + titles

let app: TestApp
/** All events by relevance. */
let ascending: Promise<Found[]>

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', QUERY_COST_MAX: '100000' })
  const { db } = app
  const original = await makeEvent(
    db,
    { en: { name: 'Walk', description: 'An orchid' } },
    { start: '2026-12-01T10:00:00' },
  )
  const shift = (column: string) => ({ [column]: `t.${column} + k * 1000` })
  // Five sixths of the copies are past.
  const day = 'make_interval(days => CASE k % 6 WHEN 0 THEN k ELSE -20 - k END)'
  await copyRows(db, 'event', copies, {
    ...shift('id'),
    ...Object.fromEntries(['starts_at', 'ends_at', 'starts_local', 'ends_local'].map((at) => [at, `t.${at} + ${day}`])),
  })
  await copyRows(db, 'content_text', copies, { ...shift('content_id'), slug: `t.slug || '-' || k` })
  expect(original).toBeLessThan(1000)
  // Long ago: only their titles make them candidates.
  for (let n = 0; n < titles; n++) await makeEvent(db, `Orchid ${n}`, { start: `1999-05-0${n + 1}T10:00:00` })
  ascending = pages('ASC')
})
afterAll(() => app?.close())

interface Found {
  readonly databaseId: number
  readonly title: string
  readonly startsLocal: string
}

const fields = 'databaseId title startsLocal'
const order = (direction: string) =>
  `filter: { search: "orchid" }, orderBy: { field: RELEVANCE, direction: ${direction} }`

async function ask(query: string) {
  const { body } = await app.graphql(query)
  expect(body.errors).toBeUndefined()
  return body.data.list
}

async function pages(direction: string): Promise<Found[]> {
  const found: Found[] = []
  for (let page = 1; found.length < total; page++) {
    const list = await ask(
      `{ list: eventsPage(${order(direction)}, perPage: 50, page: ${page}) { total items { ${fields} } } }`,
    )
    expect(list.total).toBe(total)
    expect(list.items.length).toBeGreaterThan(0)
    found.push(...list.items)
  }
  return found
}

async function walk(direction: string, count: 'first' | 'last', size: number): Promise<Found[]> {
  const [beyond, cursor, more] =
    count === 'first' ? ['after', 'endCursor', 'hasNextPage'] : ['before', 'startCursor', 'hasPreviousPage']
  const parts: Found[][] = []
  for (let from = ''; ; ) {
    const list = await ask(
      `{ list: events(${order(direction)}, ${count}: ${size}${from}) { totalCount nodes { ${fields} } pageInfo { ${cursor} ${more} } } }`,
    )
    expect(list.totalCount).toBe(total)
    parts.push(list.nodes)
    if (!list.pageInfo[more]) break
    from = `, ${beyond}: "${list.pageInfo[cursor]}"`
  }
  return (count === 'first' ? parts : parts.toReversed()).flat()
}

const ids = (found: readonly Found[]) => found.map(({ databaseId }) => databaseId)

test('the events with the word in the title come first, although they are long ago', async () => {
  const found = await ascending
  expect(
    found
      .slice(0, titles)
      .map(({ title }) => title)
      .toSorted(),
  ).toEqual([0, 1, 2, 3].map((n) => `Orchid ${n}`))
})

test('upcoming events are ranked before past ones, and events that are not ranked follow by start', async () => {
  const found = await ascending
  const rest = found.slice(50)
  expect(rest).toHaveLength(total - 50)
  expect(rest.map(({ startsLocal }) => startsLocal)).toEqual(rest.map(({ startsLocal }) => startsLocal).toSorted())
  const lastPast = (rest.at(-1) as Found).startsLocal
  expect(lastPast < now.toISOString()).toBe(true)
  const ranked = found.slice(titles, 50)
  expect(ranked.every(({ startsLocal }) => startsLocal > lastPast)).toBe(true)
})

describe.each(['ASC', 'DESC'])('%s', (direction) => {
  test('pages and cursors have each event once, in the same order', async () => {
    const expected = ids(direction === 'ASC' ? await ascending : await pages(direction))
    expect(new Set(expected).size).toBe(total)
    expect(ids(await walk(direction, 'first', 33))).toEqual(expected)
    expect(ids(await walk(direction, 'last', 33))).toEqual(expected)
  })
})
