import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database } from './pool.ts'

const prisma = new URL('../../prisma/', import.meta.url)
const migrations = new URL('migrations/', prisma)

interface State {
  applied: Set<string>
  failed: string[]
}

/**
 * Brings the database to the newest migration and returns the names of those it applied. Several processes may do so at
 * once: they take turns. Throws with the name and the cause of one that fails; each is one transaction, so nothing of
 * it stays, and the next start tries again.
 */
export async function migrate({ pool, isEmbedded }: Database, folder: URL = migrations): Promise<string[]> {
  const names = migrationNames(folder)
  if (isDone(names, await readState(pool))) return []
  // The embedded database has but one process and one connection.
  if (isEmbedded) return applyPending(pool, folder, names)
  // On a server, a connection of its own: what is locked on it is free once it is closed, or the process is killed.
  const turn = new pg.Pool({ ...pool.options, max: 1, idleTimeoutMillis: 0 })
  try {
    await turn.query('select pg_advisory_lock(hashtext($1))', ['event-calendar-gateway migrations'])
    return await applyPending(turn, folder, names)
  } finally {
    await turn.end()
  }
}

/** Whether there is nothing to apply. */
export const isMigrated = async ({ pool }: Database): Promise<boolean> =>
  isDone(migrationNames(migrations), await readState(pool))

function migrationNames(folder: URL): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}

const isDone = (names: readonly string[], { applied, failed }: State) =>
  failed.length === 0 && names.every((name) => applied.has(name))

async function applyPending(pool: pg.Pool, folder: URL, names: readonly string[]): Promise<string[]> {
  const state = await readState(pool)
  if (isDone(names, state)) return []
  // Loaded only when there is something to apply: compiling it takes longer than all the rest of an ordinary start.
  const { schemaEngine } = await import('./schema-engine.ts')
  const engine = await schemaEngine(pool, readFileSync(new URL('schema.prisma', prisma), 'utf8'))
  for (const migrationName of state.failed) await engine.markMigrationRolledBack({ migrationName })
  try {
    const result = await engine.applyMigrations({
      migrationsList: {
        baseDir: fileURLToPath(folder),
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: names.map((path) => ({ path, migrationFile: sqlFile(new URL(`${path}/`, folder)) })),
      },
      filters: { externalTables: [], externalEnums: [] },
    })
    return result.appliedMigrationNames
  } catch (cause) {
    throw new Error(`Migration failed: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

function sqlFile(folder: URL): { path: string; content: { tag: 'ok'; value: string } } {
  return {
    path: 'migration.sql',
    content: { tag: 'ok', value: readFileSync(new URL('migration.sql', folder), 'utf8') },
  }
}

async function readState(pool: pg.Pool): Promise<State> {
  const exists = await pool.query("select to_regclass('_prisma_migrations') is not null as yes")
  if (!exists.rows[0]?.yes) return { applied: new Set(), failed: [] }
  const { rows } = await pool.query<{ name: string; finished: boolean }>(
    `select migration_name as name, finished_at is not null as finished from _prisma_migrations where rolled_back_at is null`,
  )
  return {
    applied: new Set(rows.filter((row) => row.finished).map((row) => row.name)),
    failed: rows.filter((row) => !row.finished).map((row) => row.name),
  }
}
