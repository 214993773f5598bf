// Copies rows inside the database.
import type { Db } from '../src/engine/postgres/client.ts'

/** SQL expressions of the columns of a copy: `t` is the original row, `k` the number of the copy. */
export type Columns = Readonly<Record<string, string>>

/** `condition` selects the rows that are copied. Copies of events have contents of their own. */
export async function copyRows(
  db: Db,
  table: string,
  copies: number,
  columns: Columns,
  condition = 'TRUE',
): Promise<void> {
  const rows = await db.$queryRaw<{ name: string }[]>`
    SELECT column_name::text AS name FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ${table} AND is_generated = 'NEVER'`
  const names = rows.map(({ name }) => name).filter((name) => table !== 'event' || name !== 'content_id')
  await db.$executeRawUnsafe(
    `INSERT INTO "${table}" (${names.join(', ')}) SELECT ${names.map((name) => columns[name] ?? `t.${name}`).join(', ')}
      FROM "${table}" t, generate_series(1, ${copies}) AS k WHERE ${condition}`,
  )
}

/** Drops the indexes that meet the condition, because creating them afterwards is faster. Returns the statements for that. */
export async function dropIndexes(db: Db, condition: string): Promise<string[]> {
  const indexes = await db.$queryRawUnsafe<{ name: string; definition: string }[]>(
    `SELECT indexname::text AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND ${condition}`,
  )
  for (const { name } of indexes) await db.$executeRawUnsafe(`DROP INDEX "${name}"`)
  return indexes.map(({ definition }) => definition)
}
