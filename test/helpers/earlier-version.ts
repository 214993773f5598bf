// Databases of earlier versions.
import { readFileSync } from 'node:fs'
import type { Database } from '../../src/engine/postgres/pool.ts'

/** The last migration of version 0.2 with its later changes, whose schema pg_dump wrote to earlier-schema.sql. */
export const lastMigration = '20261126010000_written_languages_in_index'

/** Creates the tables, functions and history of that version in an empty database. */
export async function loadEarlierVersion({ pool }: Database): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(readFileSync(new URL('earlier-schema.sql', import.meta.url), 'utf8'))
    await client.query('RESET ALL')
  } finally {
    client.release()
  }
}
