import { hash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'
import { type Database, openSingleConnectionPool, sessionOptions } from './pool.ts'

const migrations = new URL('../../../prisma/migrations/', import.meta.url)

/** Number of the advisory lock that `prisma migrate` acquires. */
export const migrationLockNumber = 72707369

/** Creates the table of `prisma migrate`, so that this command can be used with the database, too. */
const createHistory = `
  CREATE TABLE _prisma_migrations (
    id varchar(36) PRIMARY KEY,
    checksum varchar(64) NOT NULL,
    finished_at timestamptz,
    migration_name varchar(255) NOT NULL,
    logs text,
    rolled_back_at timestamptz,
    started_at timestamptz NOT NULL DEFAULT now(),
    applied_steps_count integer NOT NULL DEFAULT 0
  )`

/**
 * Applies the pending migrations and returns their names. If several processes start at once, one applies them and the
 * others wait. If a migration fails, throws an error with its name and the cause. Each migration is one transaction: a
 * failed one is rolled back, and the next start tries again. `onUpgrade` is called with the number of pending migrations of
 * an earlier version's database, before they run.
 */
export async function migrate(
  database: Database,
  folder: URL = migrations,
  onUpgrade?: (pending: number) => unknown,
): Promise<string[]> {
  const { pool, isEmbedded } = database
  if (isDone(migrationNames(folder), await readHistory(pool))) return []
  // The embedded database has one process and one connection, so it needs no lock.
  if (isEmbedded) return withClient(pool, (client) => applyPending(client, folder, onUpgrade))
  // On a server, a separate connection holds the lock: it is released when the connection is closed or the process is killed.
  const single = openSingleConnectionPool({ ...sessionOptions(database), idleTimeoutMillis: 0 })
  try {
    return await withClient(single, async (client) => {
      await client.query('SELECT pg_advisory_lock($1)', [migrationLockNumber])
      return applyPending(client, folder, onUpgrade)
    })
  } finally {
    await single.end()
  }
}

/** Whether all migrations are applied. */
export const isMigrated = async ({ pool }: Database): Promise<boolean> =>
  isDone(migrationNames(migrations), await readHistory(pool))

function migrationNames(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

async function withClient<Result>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  // Without a listener, a lost connection would end the process. The running query throws the same error.
  client.on('error', ignoreError)
  try {
    return await work(client)
  } finally {
    client.off('error', ignoreError)
    client.release()
  }
}

function ignoreError() {}

interface History {
  readonly applied: ReadonlySet<string>
  /** Whether the table has a migration that was started and neither finished nor rolled back. */
  readonly hasUnfinished: boolean
}

const isDone = (names: readonly string[], history: History | undefined) =>
  history !== undefined && !history.hasUnfinished && names.every((name) => history.applied.has(name))

/** Reads the applied migrations; undefined if no migration was ever applied. */
async function readHistory(queryable: Pick<pg.PoolClient, 'query'>): Promise<History | undefined> {
  const table = await queryable.query("SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists")
  if (!table.rows[0]?.exists) return undefined
  const { rows } = await queryable.query<{ name: string; finished: boolean }>(
    'SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations WHERE rolled_back_at IS NULL',
  )
  return {
    applied: new Set(rows.filter(({ finished }) => finished).map(({ name }) => name)),
    hasUnfinished: rows.some(({ finished }) => !finished),
  }
}

async function applyPending(
  client: pg.PoolClient,
  folder: URL,
  onUpgrade?: (pending: number) => unknown,
): Promise<string[]> {
  const history = await readHistory(client)
  if (history) {
    // Prisma's command and version 0.1 insert a row before a migration runs, and leave it if the migration fails.
    await client.query(
      'UPDATE _prisma_migrations SET rolled_back_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL',
    )
  } else {
    await requireEmpty(client)
    await client.query(createHistory)
  }
  const names = migrationNames(folder)
  const pending = names.filter((name) => !history?.applied.has(name))
  if (history && pending.length > 0) await onUpgrade?.(pending.length)
  for (const name of pending) {
    const file = new URL(`${name}/migration.sql`, folder)
    const isTakenOver = name === names[0] && history !== undefined && history.applied.size > 0
    await apply(client, name, file, isTakenOver ? takeOverScript(history.applied, folder) : file)
  }
  return pending
}

/** Returns the script that upgrades a database of an older version, named after the last migration that was applied there. */
function takeOverScript(applied: ReadonlySet<string>, folder: URL): URL {
  const last = [...applied].sort().at(-1)
  const script = new URL(`../earlier/${last}.sql`, folder)
  if (existsSync(script)) return script
  throw new Error(
    `The database is of an earlier version, whose last migration is ${last}. Migrate it as docs/operations.md#databases-of-earlier-versions describes, and start again.`,
  )
}

/** Throws an error if the database has tables of other software: table names such as "event" could collide. */
async function requireEmpty(client: pg.PoolClient): Promise<void> {
  const { rows } = await client.query<{ name: string }>(`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
      AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname LIMIT 1`)
  const [table] = rows
  if (table) {
    throw new Error(
      `The database is not this service's: it has "${table.name}". Set DATABASE_URL to an empty database.`,
    )
  }
}

async function apply(client: pg.PoolClient, name: string, file: URL, script: URL): Promise<void> {
  try {
    await client.query('BEGIN')
    await client.query(statementsOf(readFileSync(script, 'utf8')))
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES ($1, $2, $3, now(), clock_timestamp(), 1)`,
      [randomUUID(), hash('sha256', readFileSync(file)), name],
    )
    await client.query('COMMIT')
  } catch (cause) {
    // ROLLBACK fails only if the connection is lost, and PostgreSQL then rolls back by itself.
    await client.query('ROLLBACK').catch(ignoreError)
    const { message, detail } = cause as pg.DatabaseError
    throw new Error(`Migration ${name} failed: ${[message, detail].filter(Boolean).join(' ')}`, { cause })
  }
}

const transaction = /^(?:--.*\n|\s)*BEGIN;\n([\s\S]*)\nCOMMIT;\s*$/

/** Returns the statements between BEGIN and COMMIT, to run in a transaction that also records the migration. */
function statementsOf(sql: string): string {
  const statements = transaction.exec(sql)?.[1]
  if (statements === undefined) throw new Error('The migration must be one transaction, from "BEGIN;" to "COMMIT;".')
  return statements
}
