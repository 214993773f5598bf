// Prices that an earlier version read otherwise are read again by a migration.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'

const migration = '20261126150000_prices_as_written'

test('the migration reads stored prices again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-prices-'))
  const { url, drop } = await emptyDatabaseUrl(join(folder, 'data'))
  const database = await openDatabase(url, 2)
  const db = createClient(database.pool)
  onTestFinished(async () => {
    await db.$disconnect()
    await database.close()
    await drop()
    rmSync(folder, { recursive: true })
  })
  const before = join(folder, 'migrations')
  for (const name of readdirSync('prisma/migrations').filter((each) => each < migration)) {
    cpSync(join('prisma/migrations', name), join(before, name), { recursive: true })
  }
  await migrate(database, pathToFileURL(`${before}/`))
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
  await migrate(database)
  expect(await prices()).toEqual([{ lowest: 800, highest: 1000, currency: '€' }, ...others])
})
