// The embedded database behaves like a server for the pg driver.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { QueryConfig } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listenForNotifications } from '../src/engine/postgres/notifications.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { type Database, openEmbeddedDatabase } from '../src/engine/postgres/pool.ts'
import { toUnavailableError } from '../src/engine/postgres/unavailable.ts'
import { embeddedUrl } from './helpers/db.ts'

let folder = ''
let database: Database

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-'))
  database = await openDatabase(embeddedUrl(join(folder, 'session')), 1)
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

describe('a session', () => {
  test('continues after a failed statement', async () => {
    await expect(database.pool.query('SELECT $1::int', ['x'])).rejects.toThrow('invalid input syntax')
    await expect(database.pool.query('SELECT 1; SELECT nothing')).rejects.toThrow('nothing')
    expect((await database.pool.query('SELECT $1::int AS one', [1])).rows).toEqual([{ one: 1 }])
  })

  test('returns results of any length', async () => {
    for (const length of [0, 1, 8191, 8192, 65_535, 65_536, 3_000_000]) {
      const sent = 'é'.repeat(length)
      const { rows } = await database.pool.query('SELECT $1::text AS text FROM generate_series(1, 3)', [sent])
      expect(rows.map(({ text }) => text === sent)).toEqual([true, true, true])
    }
  })

  test('has no state of an abandoned session that it replaces', async () => {
    const heard: string[] = []
    const missed: number[] = []
    const listener = await listenForNotifications(database, {
      invalidate: (message) => heard.push(message),
      invalidateAll: () => missed.push(heard.length),
    })
    const named = { name: 'named', text: 'SELECT current_setting($1) AS value' }
    const settings = ['TimeZone', 'random_page_cost', 'lock_timeout']
    const values = async () => {
      const rows = []
      for (const name of settings) rows.push((await database.pool.query({ ...named, values: [name] })).rows[0].value)
      return rows
    }
    const before = await values()
    const client = await database.pool.connect()
    await client.query(`BEGIN; CREATE TABLE half (id int); SET lock_timeout = '5s'`)
    const lost = client.query('SELECT pg_sleep(0.1)').catch((error: Error) => error.message)
    client.release(true)
    expect(await values()).toEqual(before)
    expect(await lost).toMatch(/terminated/)
    expect((await database.pool.query("SELECT to_regclass('half') AS half")).rows).toEqual([{ half: null }])
    await database.pool.query(`SELECT pg_notify('calendar_changes', 'event')`)
    expect(heard).toEqual(['event'])
    // A listener that loses its session may miss notifications until it listens again.
    expect(missed).toEqual([0, 0, 0])
    await listener.close()
  })
})

test('a statement that is abandoned before its end leaves no changes', async () => {
  const client = await database.pool.connect()
  await client.query('BEGIN')
  // A statement that fetches only some of its rows is sent in separate messages.
  const lost = client.query({ text: 'SELECT nothing', rows: 2 } as QueryConfig).catch((error: Error) => error.message)
  client.release(true)
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  expect(await lost).toMatch(/terminated/)
})

test('a long statement does not block the event loop', async () => {
  const times: number[] = []
  const timer = setInterval(() => times.push(performance.now()), 10)
  await database.pool.query('SELECT count(*) FROM generate_series(1, 1000000)')
  clearInterval(timer)
  expect(times.length).toBeGreaterThan(5)
})

describe('a database that cannot be opened', () => {
  test('reports the reason for each query, and can be closed', async () => {
    const place = join(folder, 'file')
    writeFileSync(place, '')
    const broken = openEmbeddedDatabase(place)
    for (const _ of [1, 2]) {
      const error = await broken.pool.query('SELECT').catch((error: unknown) => error)
      expect(String(error)).toContain(`database ${place} is not running`)
      expect(toUnavailableError(error)?.code).toBe('UNAVAILABLE')
    }
    await broken.close()
    await expect(openDatabase(`pglite:${place}`, 1)).rejects.toThrow(/file/)
  })
})

test('a folder is opened by one process at a time, closing waits for running statements, and a crash is reported', async () => {
  const place = join(folder, 'new')
  embeddedUrl(place)
  const open = () => openDatabase(`pglite:${place}`, 1)
  const count = async ({ pool }: Database, table: string) =>
    (await pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count

  const first = await open()
  await expect(open()).rejects.toThrow('in use by another process')
  await first.pool.query('CREATE TABLE note (id int)')
  const written = first.pool.query('CREATE TABLE many AS SELECT generate_series(1, 100000) AS n')
  await setTimeout(5)
  await first.close()
  await written

  const second = await open()
  expect([await count(second, 'note'), await count(second, 'many')]).toEqual([0, 100_000])
  // It has no stream to copy from.
  await expect(second.pool.query('COPY many FROM STDIN')).rejects.toThrow(place)
  expect((await second.broken)?.message).toContain(place)
  await second.close()

  const third = await open()
  expect([await count(third, 'note'), await count(third, 'many')]).toEqual([0, 100_000])
  await third.close()
})
