// Embedded databases of this worker. Starting one takes half a second of CPU and 160 MB, emptying one a tenth of that. So the
// test files of a worker share them, which are emptied between files.
import { readFileSync } from 'node:fs'
import type pg from 'pg'
import { inject } from 'vitest'
import type { EmbeddedDatabase } from '../../src/engine/postgres/pglite/embedded-database.ts'
import { createEmbeddedPool } from '../../src/engine/postgres/pool.ts'
import { openInThread } from './in-thread-database.ts'

let loadDataDir: Blob | undefined
const idle: EmbeddedDatabase[] = []
/** Some files open two databases at a time. */
const maxIdle = 2
/** Schema of each database after the migrations. */
const schemas = new WeakMap<EmbeddedDatabase, string>()
/** Number of files that used each database. It never releases memory, so it is replaced after some uses. */
const uses = new WeakMap<EmbeddedDatabase, number>()
const maxUses = 30

export async function takeEmbedded(): Promise<EmbeddedDatabase> {
  const reused = idle.pop()
  if (reused) {
    uses.set(reused, (uses.get(reused) ?? 1) + 1)
    return reused
  }
  loadDataDir ??= new Blob([readFileSync(inject('template'))])
  const embedded = await openInThread(loadDataDir)
  schemas.set(embedded, await withPool(embedded, describeSchema))
  return embedded
}

/** Empties the database for the next file, or closes it if enough are idle or the schema was changed. */
export async function returnEmbedded(embedded: EmbeddedDatabase): Promise<void> {
  const isUsedUp = (uses.get(embedded) ?? 1) >= maxUses
  const isFull = () => idle.length >= maxIdle
  const schema = isFull() || isUsedUp ? undefined : await withPool(embedded, empty).catch(() => undefined)
  if (isFull() || schema === undefined || schema !== schemas.get(embedded)) return embedded.close()
  idle.push(embedded)
}

async function withPool<Done>(embedded: EmbeddedDatabase, work: (pool: pg.Pool) => Promise<Done>): Promise<Done> {
  const pool = createEmbeddedPool(embedded)
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

/** Resets rows, sequences and planner statistics. */
async function empty(pool: pg.Pool): Promise<string> {
  const isTable = "relkind = 'r' AND relname <> '_prisma_migrations'"
  const tables = await list(pool, isTable)
  const used = await list(pool, `${isTable} AND pg_relation_size(oid) > 0`)
  const large = await list(pool, `${isTable} AND pg_relation_size(oid) > 131072`)
  // TRUNCATE creates a file for every table and index, which takes longer than to delete few rows.
  if (large) await pool.query(`TRUNCATE ${tables} CASCADE`)
  else if (used) {
    const deletions = used.split(',').map((table) => `DELETE FROM ${table}`)
    await pool.query(`SET session_replication_role = replica; ${deletions.join(';')}; RESET session_replication_role`)
    await pool.query(`VACUUM ${used}`)
    await pool.query(`UPDATE pg_class SET reltuples = -1, relpages = 0, relallvisible = 0 WHERE oid >= 16384`)
  }
  for (const sequence of (await list(pool, "relkind = 'S'")).split(',')) {
    await pool.query(`ALTER SEQUENCE ${sequence} RESTART`)
  }
  await pool.query('DELETE FROM pg_statistic WHERE starelid >= 16384')
  // Also keeps its in-memory files from growing.
  await pool.query('CHECKPOINT')
  return describeSchema(pool)
}

async function list(pool: pg.Pool, which: string): Promise<string> {
  const { rows } = await pool.query<{ names: string }>(
    `SELECT string_agg(quote_ident(relname), ',') AS names FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND ${which}`,
  )
  return rows[0]?.names ?? ''
}

/** A description of the schema, which differs if anything but rows was changed. */
async function describeSchema(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ schema: string }>(
    `SELECT md5(string_agg(what, ' ' ORDER BY what)) AS schema FROM (
       SELECT 'class ' || oid || relname || relkind::text || coalesce(reloptions::text, '') FROM pg_class WHERE oid >= 16384
       UNION ALL SELECT 'attribute ' || attrelid || attname || xmin FROM pg_attribute WHERE attrelid >= 16384
       UNION ALL SELECT 'procedure ' || oid || xmin FROM pg_proc WHERE oid >= 16384
       UNION ALL SELECT 'trigger ' || oid || xmin FROM pg_trigger
       UNION ALL SELECT 'constraint ' || oid || xmin FROM pg_constraint WHERE oid >= 16384
       UNION ALL SELECT 'schema ' || oid || xmin FROM pg_namespace
       UNION ALL SELECT 'settings ' || xmin FROM pg_db_role_setting
       UNION ALL SELECT 'extension ' || oid || xmin FROM pg_extension
     ) AS described (what)`,
  )
  return rows[0]?.schema ?? ''
}
