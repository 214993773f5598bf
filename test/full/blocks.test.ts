// With 100,000 freshly loaded events, lists do not read most of an index for a few records, or again for each parent.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve, type TestApp } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'
import { blocksOf, isRead, type Recorder, recorderOf } from '../helpers/large-plans.ts'

let app: TestApp
let recorder: Recorder

beforeAll(async () => {
  const database = await openLarge(100_000, { isFresh: true })
  app = await serve(database, { CACHE_BYTES: '0', QUERY_COST_MAX: '100000' })
  recorder = recorderOf(app)
})
afterAll(() => app?.close())

test.each([
  ['the first events of tags', '{ tags(first: 50) { nodes { events(first: 3) { nodes { title } } } } }', 100_000],
  ['the numbers of events of categories', '{ categories(first: 50) { nodes { events { totalCount } } } }', 10_000],
  ['the first events by venue', '{ eventsPage(orderBy: { field: PLACE_NAME }) { items { title } } }', 1000],
])('%s', async (_name, query, max) => {
  const ask = async () => {
    const { body } = await app.graphql(query)
    expect(body.errors).toBeUndefined()
  }
  await ask()
  const statements = await recorder.record(ask)
  expect(await blocksOf(app.database.pool, statements.filter(isRead))).toBeLessThan(max)
})
