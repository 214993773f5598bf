// Migrates, fills and describes the database of a benchmark.
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Db } from '../src/engine/postgres/client.ts'
import { migrate } from '../src/engine/postgres/migrate.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { createClient } from '../src/engine/reads/client.ts'

const tables = ['event', 'event_text', 'venue', 'organizer', 'category', 'tag', 'image'] as const

type Rows = Readonly<Record<(typeof tables)[number], number>>

export interface Facts {
  readonly version: string
  readonly rows: Rows
  /** Seconds that filling it took; undefined if it was filled already. */
  readonly seconds: number | undefined
}

/** Migrates and fills an empty database, or uses one that has exactly `count` events. Throws for any other. */
export async function prepareDatabase(url: string, count: number, fill: (db: Db) => Promise<void>): Promise<Facts> {
  const database = await openDatabase(url, 4)
  const { pool } = database
  try {
    await rejectForeignTables(pool)
    await migrate(database)
    const rows = await countRows(pool)
    const isFilled = rows.event === count
    if (!isFilled && Object.values(rows).some((count) => count > 0)) {
      throw new Error(`The database has ${rows.event} events, not ${count}. Give an empty database.`)
    }
    const seconds = isFilled ? undefined : await timed(pool, fill)
    return { version: await versionOf(pool), rows: await countRows(pool), seconds }
  } finally {
    await database.close()
  }
}

/** Throws if the database has tables but no migrations: it belongs to another application. */
async function rejectForeignTables(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ table_name: string }>(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()`,
  )
  if (rows.length > 0 && !rows.some((row) => row.table_name === '_prisma_migrations')) {
    throw new Error('The database has tables of another application. Give an empty database.')
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
  if (!row) throw new Error('The query returned no row')
  return row
}

async function versionOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ server_version: string }>('SHOW server_version')
  return rows[0]?.server_version ?? 'unknown'
}

export interface NewDatabase {
  readonly url: string
  drop(): Promise<void>
}

/**
 * Creates a database on the PostgreSQL server of the URL. With the name of a database as the template it is a copy, which takes
 * much less time than filling it.
 */
export async function createDatabase(server: string, template = 'template1'): Promise<NewDatabase> {
  const url = new URL(server)
  const name = `calendar_bench_${randomUUID()}`
  url.pathname = `/${name}`
  await administer(server, `CREATE DATABASE "${name}" TEMPLATE "${template.replaceAll('"', '""')}"`)
  return { url: url.href, drop: () => administer(server, `DROP DATABASE "${name}" WITH (FORCE)`) }
}

async function administer(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
