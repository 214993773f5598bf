import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { createClient, type Db } from '../../src/db/client.ts'
import { connectEmbedded, type Database, openServer } from '../../src/db/pool.ts'
import { readSettings } from '../../src/env.ts'
import { returnEmbedded, takeEmbedded } from './embedded.ts'
import { administer } from './global-setup.ts'

/** READ_ENGINE of the run: `verify` compares each read with Prisma's, `prisma` does without the read engine. */
const { readEngine: testReadEngine } = readSettings({ READ_ENGINE: process.env.READ_ENGINE ?? 'on' })

export interface TestDatabase {
  readonly db: Db
  readonly database: Database
  /** SQL statements since the last time this was emptied. */
  readonly statements: string[]
  close(): Promise<void>
}

/** Nothing of a test depends on how fast a transaction is. */
const patient = { maxWait: 600_000, timeout: 600_000 }

/** A migrated database of the calling file's own. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const { database, drop } = inject('server') ? await copyOnServer() : await copyInMemory()
  const statements: string[] = []
  const db = createClient(database.pool, {
    readEngine: testReadEngine,
    onQuery: ({ query }) => statements.push(query),
    transactionOptions: patient,
  })
  const close = async () => {
    await db.$disconnect()
    await database.close()
    await drop()
  }
  return { db, database, statements, close }
}

async function copyInMemory() {
  const embedded = await takeEmbedded()
  const pool = connectEmbedded(embedded)
  const database: Database = { pool, isEmbedded: true, broken: embedded.broken, close: () => pool.end() }
  return { database, drop: () => returnEmbedded(embedded) }
}

async function copyOnServer() {
  const { url, drop } = await createCopy()
  return { database: openServer(url.href, 4), drop }
}

async function createCopy() {
  const template = new URL(inject('template'))
  const name = `calendar_test_${randomUUID()}`
  const url = new URL(`/${name}`, template)
  const admin = new URL('/postgres', template).href
  await administer(admin, `CREATE DATABASE "${name}" TEMPLATE "${template.pathname.slice(1)}"`)
  const drop = () => administer(admin, `DROP DATABASE "${name}" WITH (FORCE)`)
  return { url, drop }
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

/** The same of a migrated database, which a service opens in a fifth of the time. */
export async function migratedDatabaseUrl(folder: string): Promise<{ url: string; drop: () => Promise<void> }> {
  if (inject('server')) {
    const { url, drop } = await createCopy()
    return { url: url.href, drop }
  }
  cpSync(join(dirname(inject('template')), 'pg'), join(folder, 'pg'), { recursive: true })
  return { url: `pglite:${folder}`, drop: async () => {} }
}

/** Empties every table but what the site was set up with, and starts the numbers anew. */
export async function truncate(db: Db): Promise<void> {
  await db.$executeRaw`TRUNCATE "user", image, event, venue, organizer, category, tag CASCADE`
  await db.$executeRaw`ALTER SEQUENCE post_id_seq RESTART`
  await db.$executeRaw`ALTER SEQUENCE term_id_seq RESTART`
}
