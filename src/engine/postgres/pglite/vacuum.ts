// Vacuums and analyzes the tables of PGlite, which has no autovacuum. Without VACUUM, outdated rows would take more and more
// space; without ANALYZE, the planner would not know how many rows the tables have.
import type { PGlite } from '@electric-sql/pglite'

/** Bytes written to the WAL after which tables are vacuumed while the database is idle, and after which also between statements. */
const idleLimit = 16 * 1024 ** 2
const busyLimit = 8 * idleLimit

export function createVacuumScheduler(hasDiskSpace: () => boolean) {
  let loggedBytes = 0
  let tables: string[] = []

  const vacuumNext = async (lite: PGlite): Promise<void> => {
    if (tables.length === 0) tables = await listTables(lite)
    const table = tables.shift()
    // If VACUUM fails, a later run tries again.
    if (table !== undefined) await lite.exec(`VACUUM (ANALYZE) ${table}`).catch(() => {})
    if (tables.length === 0) loggedBytes = 0
  }

  return {
    addLogged(bytes: number): void {
      loggedBytes += bytes
    },
    /** Vacuums the tables that are due until all are done or `isIdle` returns false. The next call continues. */
    async runWhile(lite: PGlite, isIdle: () => boolean): Promise<void> {
      while (isIdle() && (tables.length > 0 || loggedBytes >= idleLimit) && hasDiskSpace()) await vacuumNext(lite)
    },
    /** Vacuums one table if the database has not been idle for long enough. Call it between statements, outside of transactions. */
    async runBetweenStatements(lite: PGlite): Promise<void> {
      if (loggedBytes >= busyLimit && hasDiskSpace()) await vacuumNext(lite)
    },
  }
}

async function listTables(lite: PGlite): Promise<string[]> {
  // One protocol message, so that no message of the session comes between the parts of the query.
  const [result] = await lite.exec(
    `SELECT oid::regclass::text AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`,
  )
  return (result?.rows ?? []).map(({ name }) => name as string)
}
