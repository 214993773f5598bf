// A database of an earlier version gets the folded columns that the service writes now.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/db/client.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open-database.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'

const migration = '20261126140000_spellings'

test('cities and addresses are migrated', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-spellings-'))
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
  await db.$executeRaw`
    INSERT INTO venue (id, status, published_at, modified_at, original_language, city, address)
    SELECT id, 'publish', now(), now(), 'en', 'Łódź', 'Rue de l’Œillet' FROM generate_series(1, 2) AS id`
  await migrate(database)
  const places = await db.$queryRaw`SELECT DISTINCT folded_city, folded_address FROM venue`
  expect(places).toEqual([{ folded_city: 'lodz', folded_address: "rue de l'oeillet" }])
})
