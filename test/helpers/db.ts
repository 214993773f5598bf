import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { inject } from 'vitest'
import { createClient, type Db } from '../../src/db/client.ts'
import { type Database, openLite, openServer } from '../../src/db/pool.ts'
import { administer } from './global-setup.ts'

export interface TestDatabase {
  readonly db: Db
  readonly database: Database
  /** SQL statements since the last time this was emptied. */
  readonly statements: string[]
  close(): Promise<void>
}

/** A migrated database of the calling file's own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { database, drop } = inject('server') ? await copyOnServer() : await copyInMemory()
  const statements: string[] = []
  const db = createClient(database.pool, (sql) => statements.push(sql))
  const close = async () => {
    await db.$disconnect()
    await database.close()
    await drop()
  }
  return { db, database, statements, close }
}

async function copyInMemory() {
  const dump = new Blob([readFileSync(inject('template'))])
  return { database: openLite(undefined, { loadDataDir: dump }), drop: async () => {} }
}

async function copyOnServer() {
  const template = new URL(inject('template'))
  const name = `calendar_test_${randomUUID()}`
  const url = new URL(`/${name}`, template)
  const admin = new URL('/postgres', template).href
  await administer(admin, `CREATE DATABASE "${name}" TEMPLATE "${template.pathname.slice(1)}"`)
  const drop = () => administer(admin, `DROP DATABASE "${name}" WITH (FORCE)`)
  return { database: openServer(url.href, 4), drop }
}

/** Where a database not yet set up can be opened: in `folder`, or on the server. */
export async function emptyDatabaseUrl(folder: string): Promise<{ url: string; drop: () => Promise<void> }> {
  if (!inject('server')) return { url: `pglite:${folder}`, drop: async () => {} }
  const name = `calendar_test_${randomUUID()}`
  const template = new URL(inject('template'))
  const admin = new URL('/postgres', template).href
  await administer(admin, `CREATE DATABASE "${name}"`)
  return {
    url: new URL(`/${name}`, template).href,
    drop: () => administer(admin, `DROP DATABASE "${name}" WITH (FORCE)`),
  }
}

/** Empties every table but what the site was set up with, and starts the numbers anew. */
export async function truncate(db: Db): Promise<void> {
  await db.$executeRaw`TRUNCATE "user", image, event, venue, organizer, category, tag CASCADE`
  await db.$executeRaw`ALTER SEQUENCE post_id_seq RESTART`
  await db.$executeRaw`ALTER SEQUENCE term_id_seq RESTART`
}
