// Files of the embedded database: their permissions, and when they are flushed to disk.
import fs, { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { restrictFolder } from '../src/engine/postgres/pglite/data-folder.ts'
import type { Durability } from '../src/engine/postgres/pglite/embedded-database.ts'
import { createPGliteOptions } from '../src/engine/postgres/pglite/filesystem.ts'
import type { Database } from '../src/engine/postgres/pool.ts'
import { unmigratedDatabaseUrl } from './helpers/db.ts'
import { openToOthers } from './helpers/file-modes.ts'

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-files-'))
  const { url } = await unmigratedDatabaseUrl(join(folder, 'data'))
  restrictFolder(join(folder, 'data'), './data/images')
  const database = await openDatabase(url, 1, 'relaxed')
  await database.pool.query('CREATE TABLE note (id serial, text text)')
  await database.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

test('database files are accessible only to the owner, including files created later', async () => {
  const place = join(folder, 'data')
  const database = await openDatabase(`pglite:${place}`, 1)
  await database.pool.query(`CREATE TABLE many AS SELECT generate_series(1, 10000) AS n; CHECKPOINT`)
  expect(openToOthers(place)).toEqual([])
  await database.close()
  expect(openToOthers(place)).toEqual([])
})

test('a folder with other files keeps its mode, and so do the files', () => {
  const place = join(folder, 'shared')
  mkdirSync(join(place, 'pg'), { recursive: true, mode: 0o755 })
  for (const name of ['lock', 'other.txt', 'pg/PG_VERSION']) writeFileSync(join(place, name), '', { mode: 0o644 })
  restrictFolder(place, './data/images')
  const others = openToOthers(place).map((path) => path.slice(place.length))
  expect(others.sort()).toEqual(['', '/other.txt'])
})

describe('flushes to the disk', () => {
  /** Those that a hundred reads and ten commits wait for. */
  async function count(durability: Durability) {
    const flush = vi.spyOn(fs, 'fdatasyncSync')
    syncBuiltinESMExports()
    const lite = await PGlite.create(createPGliteOptions(join(folder, 'data', 'pg'), durability, () => {}))
    try {
      const during = async (times: number, statement: string) => {
        flush.mockClear()
        for (let time = 0; time < times; time += 1) await lite.exec(statement)
        return flush.mock.calls.length
      }
      const writes = await during(
        10,
        `BEGIN; INSERT INTO note (text) VALUES ('a'); INSERT INTO note (text) VALUES ('b'); COMMIT`,
      )
      const reads = await during(100, 'SELECT count(*) FROM note')
      const undone = await during(10, `BEGIN; INSERT INTO note (text) VALUES ('a'); ROLLBACK`)
      return { writes, reads, undone }
    } finally {
      await lite.close()
      flush.mockRestore()
      syncBuiltinESMExports()
    }
  }

  test('each commit waits for a flush, and nothing else does', async () => {
    expect(await count('full')).toEqual({ writes: 10, reads: 0, undone: 0 })
  })

  test('with relaxed durability no commit waits for a flush', async () => {
    expect(await count('relaxed')).toEqual({ writes: 0, reads: 0, undone: 0 })
  })
})

describe('changes that are written to the log', () => {
  const logSize = () =>
    readdirSync(join(folder, 'data', 'pg', 'pg_wal'), { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

  /** Writes this many megabytes to the log, and waits until the rows of a table are counted. */
  async function write({ pool }: Database, megabytes: number, pause: number) {
    await pool.query(`
      DROP TABLE IF EXISTS outdated; CREATE TABLE outdated AS SELECT generate_series(1, 1000) AS n;
      DELETE FROM outdated WHERE n > 400`)
    const { rows } = await pool.query<{ at: string }>('SELECT pg_current_wal_insert_lsn()::text AS at')
    for (let written = 0; written < megabytes; written += 10) {
      await pool.query(`SELECT pg_logical_emit_message(true, 'a', repeat('a', 10000000))`)
    }
    const read = async () => {
      const { rows } = await pool.query<{ reltuples: number }>(
        `SELECT reltuples FROM pg_class WHERE relname = 'outdated'`,
      )
      return rows[0]?.reltuples ?? -1
    }
    while ((await read()) < 0) await setTimeout(pause)
    return { countedRows: await read(), start: rows[0]?.at }
  }

  test('are written to the tables when the database is idle, outdated rows are removed, and the rest is counted for the planner', async () => {
    const database = await openDatabase(`pglite:${join(folder, 'data')}`, 1)
    const { countedRows, start } = await write(database, 30, 2500)
    expect(countedRows).toBe(400)
    const isWritten = async () => {
      const { rows } = await database.pool.query('SELECT redo_lsn > $1::pg_lsn AS yes FROM pg_control_checkpoint()', [
        start,
      ])
      return rows[0]?.yes
    }
    while (!(await isWritten())) await setTimeout(2500)
    await database.close()
  })

  test('do not let the log grow without limit, and outdated rows are removed between statements, if it is never idle', async () => {
    const database = await openDatabase(`pglite:${join(folder, 'data')}`, 1, 'relaxed')
    const { countedRows } = await write(database, 200, 0)
    expect(countedRows).toBe(400)
    expect(logSize()).toBeLessThan(150 * 1024 ** 2)
    await database.close()
  })
})
