// The database that is measured: migrated, filled, described.
import type pg from 'pg'
import { createClient, type Db } from '../src/db/client.ts'
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'

const tables = ['event', 'event_text', 'venue', 'organizer', 'category', 'tag', 'image'] as const

type Rows = Readonly<Record<(typeof tables)[number], number>>

export interface Facts {
  readonly version: string
  readonly rows: Rows
  /** What filling it took; undefined when it was full already. */
  readonly seconds: number | undefined
}

/** Migrates and fills an empty database; one with exactly so many events is taken as it is. Throws for any other. */
export async function prepareDatabase(url: string, count: number, fill: (db: Db) => Promise<void>): Promise<Facts> {
  const database = await openDatabase(url, 4)
  const { pool } = database
  try {
    await refuseForeign(pool)
    await migrate(database)
    const found = await countRows(pool)
    const isFilled = found.event === count
    if (!isFilled && Object.values(found).some((rows) => rows > 0)) {
      throw new Error(`The database has ${found.event} events, not ${count}: give an empty one`)
    }
    const seconds = isFilled ? undefined : await timed(pool, fill)
    return { version: await versionOf(pool), rows: await countRows(pool), seconds }
  } finally {
    await database.close()
  }
}

/** Tables without migrations are somebody else's. */
async function refuseForeign(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`,
  )
  if (rows.length > 0 && !rows.some((row) => row.table_name === '_prisma_migrations')) {
    throw new Error('The database has tables that are not of this service: give an empty one')
  }
}

async function timed(pool: pg.Pool, fill: (db: Db) => Promise<void>): Promise<number> {
  const db = createClient(pool)
  const start = performance.now()
  await fill(db)
  const seconds = (performance.now() - start) / 1000
  await db.$disconnect()
  return seconds
}

async function countRows(pool: pg.Pool): Promise<Rows> {
  const counts = tables.map((table) => `(SELECT count(*)::int FROM ${table}) AS ${table}`)
  const { rows } = await pool.query<Rows>(`SELECT ${counts.join(', ')}`)
  const [row] = rows
  if (!row) throw new Error('The database does not answer')
  return row
}

async function versionOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version')
  return rows[0]?.server_version ?? 'unknown'
}
