import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { inject } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import type { Db } from '../../src/engine/postgres/client.ts'
import { createEmbeddedPool, type Database, openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient, type ReadEngineMode } from '../../src/engine/reads/client.ts'
import { returnEmbedded, takeEmbedded } from './embedded.ts'
import { administer } from './global-setup.ts'

/** READ_ENGINE of the run: by default, the first reads of each shape are compared with Prisma. */
const { readEngine: testReadEngine } = readSettings({ READ_ENGINE: process.env.READ_ENGINE ?? 'sample' })

/** Whether each read is one statement. Verify mode sends two, Prisma one per relation. */
export const countsStatements = testReadEngine === 'on' || testReadEngine === 'sample'

export interface TestDatabase {
  readonly db: Db
  readonly database: Database
  /** SQL statements; tests empty the array. */
  readonly statements: string[]
  close(): Promise<void>
}

/** Long timeouts, so that tests do not depend on the speed of transactions. */
const transactionOptions = { maxWait: 600_000, timeout: 600_000 }

/** A migrated database for the calling test file. */
export async function openTestDatabase(readEngine: ReadEngineMode = testReadEngine): Promise<TestDatabase> {
  const { database, drop } = inject('server') ? await copyOnServer() : await copyInMemory()
  return connectTo(database, drop, readEngine)
}

/** A client for a database that the calling test has opened. */
export function connectTo(
  database: Database,
  drop: () => Promise<void> = async () => {},
  readEngine: ReadEngineMode = testReadEngine,
): TestDatabase {
  const statements: string[] = []
  const db = createClient(database.pool, {
    readEngine,
    onQuery: ({ query }) => statements.push(query),
    transactionOptions: transactionOptions,
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
  const pool = createEmbeddedPool(embedded)
  const database: Database = { pool, isEmbedded: true, embedded, broken: embedded.broken, close: () => pool.end() }
  return { database, drop: () => returnEmbedded(embedded) }
}

async function copyOnServer() {
  const { url, drop } = await createCopy()
  return { database: openServerDatabase(url.href, 4), drop }
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

/** URL of a new, empty database, in `folder` or on the server. */
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

/** URL of a database without tables, which is there already: creating an embedded one takes 2 s of CPU. */
export async function unmigratedDatabaseUrl(folder: string): Promise<{ url: string; drop: () => Promise<void> }> {
  if (!inject('server')) cpSync(join(dirname(inject('template')), 'unmigrated'), folder, { recursive: true })
  return emptyDatabaseUrl(folder)
}

/** URL of a new, migrated database, which a service opens five times faster. */
export async function migratedDatabaseUrl(folder: string): Promise<{ url: string; drop: () => Promise<void> }> {
  if (inject('server')) {
    const { url, drop } = await createCopy()
    return { url: url.href, drop }
  }
  return { url: embeddedUrl(folder), drop: async () => {} }
}

/** URL of an embedded database in `folder`. It is migrated unless the suite runs on a server. */
export function embeddedUrl(folder: string): string {
  if (!inject('server')) cpSync(join(dirname(inject('template')), 'pg'), join(folder, 'pg'), { recursive: true })
  return `pglite:${folder}`
}

/** Waits in SQL until every transaction of the server that runs now has ended, also those of other databases. */
export const waitForTransactionsSql = `DO $do$
  DECLARE next xid8 := pg_snapshot_xmax(pg_current_snapshot());
  BEGIN
    WHILE pg_snapshot_xmin(pg_current_snapshot()) < next LOOP
      PERFORM pg_sleep(0.005);
    END LOOP;
  END $do$`

/** Waits until `changes` returns all that was written: it ends before the oldest running transaction of the server. */
export const waitForTransactions = (db: Db) => db.$executeRawUnsafe(waitForTransactionsSql)

/**
 * Empties all tables except `site`, and resets sequences. It deletes rows, because TRUNCATE creates a hundred files and takes
 * twenty times as long for the few rows of a test; only large tables are truncated.
 */
export async function truncate(db: Db): Promise<void> {
  await db.$executeRaw`DO $do$
    DECLARE
      tables text[] := ARRAY(
        SELECT quote_ident(relname) FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname NOT IN ('_prisma_migrations', 'site'));
      name text;
    BEGIN
      IF (SELECT max(pg_relation_size(each::regclass)) FROM unnest(tables) AS each) > 131072
        OR current_setting('is_superuser') = 'off' THEN
        EXECUTE 'TRUNCATE ' || array_to_string(tables, ',');
      ELSE
        -- Without triggers, for which one has to be a superuser: they would look for what refers to each row, and count.
        PERFORM set_config('session_replication_role', 'replica', true);
        FOREACH name IN ARRAY tables LOOP
          EXECUTE 'DELETE FROM ' || name;
        END LOOP;
        PERFORM pg_notify('calendar_changes', kind)
        FROM unnest(ARRAY['event', 'venue', 'organizer', 'category', 'tag', 'image', 'user']) AS kind;
      END IF;
      PERFORM setval('post_id_seq', 1, false), setval('term_id_seq', 1, false);
    END $do$`
}
