// With 100,000 events, the events of many tags or categories are read together, not the whole index for each of them.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serve, type TestApp } from '../helpers/app.ts'
import { openLarge } from '../helpers/large.ts'
import { blocksOf, isRead, type Recorder, recorderOf } from '../helpers/large-plans.ts'

let app: TestApp
let recorder: Recorder

beforeAll(async () => {
  app = await serve(await openLarge(100_000), { CACHE_BYTES: '0', QUERY_COST_MAX: '100000' })
  recorder = recorderOf(app)
}, 1_800_000)
afterAll(() => app?.close())

test.each([
  ['the first events of tags', '{ tags(first: 50) { nodes { events(first: 3) { nodes { title } } } } }', 60_000],
  ['the numbers of events of categories', '{ categories(first: 50) { nodes { events { totalCount } } } }', 10_000],
])('%s', { timeout: 300_000 }, async (_name, query, max) => {
  const statements = await recorder.record(async () => {
    const { body } = await app.graphql(query)
    expect(body.errors).toBeUndefined()
  })
  expect(await blocksOf(app.database.pool, statements.filter(isRead))).toBeLessThan(max)
})
