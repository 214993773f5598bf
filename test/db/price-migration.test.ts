// Prices that an earlier version read otherwise are read again by a migration.
import { expect, test } from 'vitest'
import { migrateUntil } from '../helpers/migrate-until.ts'

const migration = '20261126150000_prices_as_written'

test('the migration reads stored prices again', async () => {
  const { db, migrateAll } = await migrateUntil(migration)
  await db.$executeRaw`INSERT INTO site (password_salt, languages, default_language) VALUES ('', '{en}', 'en')`
  for (const cost of [['1\u00a0000 € / 800 €'], ['$5'], []]) {
    await db.$executeRaw`
      INSERT INTO event (status, published_at, modified_at, original_language, starts_at, ends_at, starts_local, ends_local, time_zone, cost)
      VALUES ('publish', now(), now(), 'en', now(), now(), now(), now(), 'UTC', ${cost}::text[])`
  }
  const prices = () => db.$queryRaw`
    SELECT lowest_cost AS lowest, highest_cost AS highest, cost_currency AS currency FROM event ORDER BY id`
  const others = [
    { lowest: 5, highest: 5, currency: '$' },
    { lowest: null, highest: null, currency: null },
  ]
  expect(await prices()).toEqual([{ lowest: 0, highest: 800, currency: '' }, ...others])
  await migrateAll()
  expect(await prices()).toEqual([{ lowest: 800, highest: 1000, currency: '€' }, ...others])
})
