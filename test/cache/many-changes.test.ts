import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

async function timed(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}

test('invalidating very many records takes linear time', async () => {
  const id = await makeEvent(app.db, 'Party')
  await app.db.$executeRaw`
    INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone)
    SELECT 'publish', now(), now(), 'en', now(), now(), now(), now(), 'UTC' FROM generate_series(1, 5000)`
  // PostgreSQL caches the plans of the triggers, which it chose for few rows.
  for (let n = 0; n < 8; n++) await app.db.event.update({ where: { id }, data: { sticky: n % 2 === 0 } })
  await app.graphql('{ events { totalCount } }')
  const tenth = []
  const whole = []
  for (let n = 0; n < 2; n++) {
    tenth.push(await timed(() => app.db.$executeRaw`UPDATE event SET modified_at = now() WHERE id % 10 = 0`))
    whole.push(await timed(() => app.db.$executeRaw`UPDATE event SET modified_at = now()`))
  }
  // The database may run elsewhere, so that its CPU time is not to be had; in proportion to the square it would be 100.
  expect(Math.min(...whole) / Math.min(...tenth)).toBeLessThan(50)
  const after = await app.graphql('{ events { totalCount } }')
  expect(after.headers['cache-status']).toBe('calendar; fwd=miss')
})
