import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type GrowOptions, grow } from '../../bench/grow.ts'
import { migrate } from '../../src/engine/postgres/migrate.ts'
import { openDatabase } from '../../src/engine/postgres/open-database.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { now } from './app.ts'
import { emptyDatabaseUrl, type TestDatabase } from './db.ts'

/** A database with `count` events. An embedded one is stored on disk, since it does not fit into memory. */
export async function openLarge(
  events: number,
  { connections = 4, ...options }: Omit<GrowOptions, 'now'> & { readonly connections?: number } = {},
): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-large-'))
  const { url, drop } = await emptyDatabaseUrl(folder)
  const database = await openDatabase(url, connections)
  await migrate(database)
  const statements: string[] = []
  const db = createClient(database.pool, { onQuery: ({ query }) => statements.push(query) })
  await grow(db, events, { now, ...options })
  const close = async () => {
    await db.$disconnect()
    await database.close()
    await drop()
    rmSync(folder, { recursive: true })
  }
  return { db, database, statements, close }
}
