// Databases of earlier versions.
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import { createClient } from '../../src/engine/postgres/client.ts'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { emptyDatabaseUrl } from './db.ts'

/** A new database with the migrations before this one, until the test ends. `migrateAll` applies the others. */
export async function migrateUntil(migration: string) {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-migration-'))
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
  return { db, migrateAll: () => migrate(database) }
}
