// A database of an earlier version gets the folded columns that the service writes now.
import { expect, test } from 'vitest'
import { migrateUntil } from '../helpers/migrate-until.ts'

const migration = '20261126140000_spellings'

test('cities and addresses are migrated', async () => {
  const { db, migrateAll } = await migrateUntil(migration)
  await db.$executeRaw`
    INSERT INTO venue (id, status, published_at, modified_at, original_language, city, address)
    SELECT id, 'publish', now(), now(), 'en', 'Łódź', 'Rue de l’Œillet' FROM generate_series(1, 2) AS id`
  await migrateAll()
  const places = await db.$queryRaw`SELECT DISTINCT folded_city, folded_address FROM venue`
  expect(places).toEqual([{ folded_city: 'lodz', folded_address: "rue de l'oeillet" }])
})
