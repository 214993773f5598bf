// Measures how many events per second the command line imports.
import { join } from 'node:path'
import { migrate } from '../src/engine/postgres/migrate.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { createDatabase, type NewDatabase } from './database.ts'
import { runFile } from './processes.ts'
import { measured } from './targets.ts'

/** Events per second of the import command, including its start, into a database that is set up. */
export async function measureImport(database: string, folder: string, events: number): Promise<number> {
  const file = join(folder, 'export.ndjson')
  const settings = { ...measured, IMAGES_DIR: join(folder, 'images') }
  await runFile('src/tools/main.ts', ['export', file, '--json'], { ...settings, DATABASE_URL: database })
  const { url, drop } = await createEmptyDatabase(database, join(folder, 'imported'))
  try {
    const begun = performance.now()
    await runFile('src/tools/main.ts', ['import', file, '--json'], { ...settings, DATABASE_URL: url })
    return events / ((performance.now() - begun) / 1000)
  } finally {
    await drop()
  }
}

async function createEmptyDatabase(database: string, folder: string): Promise<NewDatabase> {
  if (database.startsWith('pglite:')) {
    const url = `pglite:${folder}`
    await setUp(url)
    return { url, drop: async () => {} }
  }
  const created = await createDatabase(database)
  await setUp(created.url)
  return created
}

async function setUp(url: string): Promise<void> {
  const database = await openDatabase(url, 2)
  await migrate(database)
  await database.close()
}
