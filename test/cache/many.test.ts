import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

test('to tell of very many changes takes time in proportion', { timeout: 60_000 }, async () => {
  const id = await makeVenue(app.db, 'Hall')
  await app.db.$executeRaw`
    INSERT INTO venue (status, published_at, modified_at, original_language)
    SELECT 'publish', now(), now(), 'en' FROM generate_series(1, 15000)`
  // The plans of the triggers are made for few rows, and kept.
  for (let n = 0; n < 8; n++) await app.db.venue.update({ where: { id }, data: { city: `City ${n}` } })
  await app.graphql('{ venues { totalCount } }')
  const start = performance.now()
  await app.db.$executeRaw`UPDATE venue SET modified_at = now(), published_at = published_at - interval '1 day'`
  expect(performance.now() - start).toBeLessThan(15_000)
  const after = await app.graphql('{ venues { totalCount } }')
  expect(after.headers['cache-status']).toBe('calendar; fwd=miss')
})
