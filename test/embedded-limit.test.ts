// Statements of the embedded database that take too long are ended, and nothing acknowledged is lost.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { type Database, limitStatementDuration } from '../src/engine/postgres/pool.ts'
import { createClient } from '../src/engine/reads/client.ts'
import { serve, type TestApp } from './helpers/app.ts'
import { embeddedUrl } from './helpers/db.ts'
import { runs } from './helpers/runs.ts'
import { listenOn, subscribe } from './helpers/subscribe.ts'
import { openLedger } from './helpers/write-ledger.ts'

/** Takes hours. */
const endless = 'SELECT count(*) FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
/** Uses no CPU. */
const stuck = 'SELECT pg_sleep(3600)'

let folder: string
let database: Database
let app: TestApp
let url: string

beforeAll(async () => {
  if (inject('server')) return
  folder = mkdtempSync(join(tmpdir(), 'calendar-limit-'))
  database = await openDatabase(embeddedUrl(folder), 1)
  const db = createClient(database.pool)
  app = await serve({ db, database, statements: [], close: () => database.close() }, { REQUEST_TIMEOUT: '60000' })
  url = await listenOn(app)
})
afterAll(async () => {
  await app?.close()
  if (folder) rmSync(folder, { recursive: true })
})

// In order: only the first runs without a limit.
describe.skipIf(inject('server'))('the limit of statements', { shuffle: false }, () => {
  test('a statement without limit runs, and the service is ready only until requests wait too long', async () => {
    const running = database.pool.query('SELECT pg_sleep(3)')
    database.pool.maxWaitMs = 100
    await expect.poll(async () => (await app.get('/health/ready')).status).toBe(503)
    const [ready, live, list] = await Promise.all([
      app.get('/health/ready'),
      app.get('/health/live'),
      app.get('/cal/events/v1/events'),
    ])
    expect([ready.body, ready.headers['retry-after'], live.status]).toEqual([
      { status: 'the database is busy' },
      '1',
      200,
    ])
    expect([list.status, list.body.message]).toEqual([503, 'The service is busy. Retry later.'])
    await running
    await expect.poll(async () => (await app.get('/health/ready')).status).toBe(200)
  })

  test('after a statement that takes too long, the database starts again, and others are answered', async () => {
    await limitStatementDuration(database, 2000)
    database.pool.maxWaitMs = 600_000
    const stream = await subscribe(url)
    const failed = expect(database.pool.query(stuck)).rejects.toMatchObject({ code: '57014' })
    const waiting = database.pool.query('SELECT 1 AS one')
    const list = app.get('/cal/events/v1/events')
    await failed
    expect((await waiting).rows).toEqual([{ one: 1 }])
    expect((await list).status).toBe(200)
    const { rows } = await database.pool.query(
      "SELECT current_setting('jit') AS jit, current_setting('TimeZone') AS zone, pg_listening_channels() AS channel",
    )
    expect(rows).toEqual([{ jit: 'off', zone: 'UTC', channel: 'calendar_changes' }])
    // Changes may have been missed.
    await expect.poll(() => stream.code()).toBe('CHANGES_MISSED')
    expect((await app.get('/health/ready')).status).toBe(200)
  })

  test('writes that were acknowledged are stored, and others are not, whenever statements are ended', async () => {
    const { authorization } = await app.signIn('administrator')
    const ledger = openLedger()
    let isOver = false
    const write = async (writer: number) => {
      for (let n = 0; !isOver; n += 1) await ledger.write(url, authorization, `${writer} ${n}`)
    }
    const writers = Array.from({ length: 5 }, (_, writer) => write(writer))
    for (const sql of [endless, stuck, endless].slice(0, runs(3))) {
      const before = ledger.stored()
      await expect(database.pool.query(sql)).rejects.toMatchObject({ code: '57014' })
      await expect.poll(() => ledger.stored()).toBeGreaterThan(before + 5)
    }
    const author = await app.signIn('author')
    for (const sql of [stuck, endless].slice(0, runs(2))) {
      const runInTransaction = app.db.$transaction(async (tx) => {
        await tx.user.update({ where: { id: author.id }, data: { name: 'Never' } })
        await tx.$executeRawUnsafe(sql)
      })
      await expect(runInTransaction).rejects.toThrow()
    }
    isOver = true
    await Promise.all(writers)
    expect((await app.db.user.findUniqueOrThrow({ where: { id: author.id } })).name).not.toBe('Never')
    await ledger.expectStored(url)
  })
})
