// What the start of the service writes to the log of changes.
import { isDeepStrictEqual } from 'node:util'
import { type Settings, sharedSettings } from '../../basics/env.ts'
import type { Db } from '../../engine/postgres/client.ts'
import { queryRows } from '../../engine/postgres/query.ts'

/**
 * Adds an entry with all settings except secrets, if they differ from those of the last such entry, and marks entries of another
 * server. Call after the migrations.
 */
export async function logStart(db: Db, settings: Settings): Promise<void> {
  await markRestoredEntries(db)
  const current: Readonly<Record<string, unknown>> = JSON.parse(JSON.stringify(sharedSettings(settings)))
  const [last] = await run<{ fields: Readonly<Record<string, readonly [unknown, unknown]>> }>(
    db,
    `SELECT fields FROM change WHERE kind = 'site' AND record_id = 0 AND action = 'started' ORDER BY id DESC LIMIT 1`,
  )
  const before = Object.fromEntries(Object.entries(last?.fields ?? {}).map(([name, [, value]]) => [name, value]))
  if (isDeepStrictEqual(before, current)) return
  const fields = Object.fromEntries(
    Object.entries(current).map(([name, value]) => [name, [before[name] ?? null, value]]),
  )
  const insert = `INSERT INTO change (kind, action, fields, source) VALUES ('site', 'started', $1::jsonb, 'start')`
  await run(db, insert, JSON.stringify(fields))
}

/**
 * Sets the transaction of entries to 0 that another server wrote, from which a dump was restored: later transactions of this
 * server will have the same IDs.
 */
async function markRestoredEntries(db: Db): Promise<void> {
  const isOther = `transaction >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint`
  const [found] = await run(db, `SELECT id FROM change WHERE transaction > 0 AND record_id > 0 AND ${isOther} LIMIT 1`)
  if (found) await run(db, `UPDATE change SET transaction = 0 WHERE ${isOther}`)
}

// Without Prisma Client, whose first statement would slow down the start.
const run = <Row extends object>(db: Db, text: string, ...values: readonly string[]) =>
  queryRows<Row>(db, { text, values: [...values], prepared: undefined })
