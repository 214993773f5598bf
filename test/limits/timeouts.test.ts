// Requests that exceed REQUEST_TIMEOUT get a response.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { limitStatementDuration, openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { administer } from '../helpers/global-setup.ts'

let app: TestApp
/** Warnings and errors in the log. */
const logged: unknown[] = []

beforeAll(async () => {
  app = await openTestApp({ REQUEST_TIMEOUT: '200' })
  const [ignore, record] = [() => {}, (details: { err?: Error }, text?: string) => logged.push(details.err ?? text)]
  const log = { trace: ignore, debug: ignore, info: ignore, warn: record, error: record, fatal: record, level: 'warn' }
  app.app.setChildLoggerFactory(() => ({ ...log, silent: ignore, child: () => app.app.log }))
})
afterAll(() => app?.close())

const requests = [
  { url: '/cal/events/v1/tags' },
  { url: '/graphql', method: 'POST', payload: { query: '{ tags { totalCount } }' } },
  { url: '/en/' },
  { url: '/tag/some/', headers: { accept: 'text/html' } },
  { url: '/events.ics' },
  { url: '/events.rss' },
  { url: '/embed/events' },
  { url: '/oembed?url=http%3A%2F%2Fcalendar.test%2Fevent%2Fsome%2F' },
  { url: '/sitemap.xml' },
  { url: '/en/suggestions?prefix=ab' },
] as const

/** Locks all tables, so that nobody else can read. */
const lockAll = `DO $do$ BEGIN
  EXECUTE 'LOCK TABLE ' || (
    SELECT string_agg(oid::regclass::text, ',') FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> '_prisma_migrations');
END $do$`

test('a request that times out gets 503 in every API, and later requests work', async () => {
  const replies = await app.db.$transaction(async (tx) => {
    await tx.$executeRawUnsafe(lockAll)
    return Promise.all(requests.map(({ url, ...options }) => app.get(url, options)))
  })
  expect(replies.map(({ status }, index) => [requests[index]?.url, status])).toEqual(
    requests.map(({ url }) => [url, 503]),
  )
  expect(replies[0]?.body).toMatchObject({ code: 'rest_unavailable' })
  expect(replies[1]?.body.errors[0].extensions.code).toBe('UNAVAILABLE')
  for (const { url, ...options } of requests) {
    // A machine that is busy may take longer than the limit of this test.
    await expect.poll(async () => (await app.get(url, options)).status).not.toBe(503)
  }
  // What was abandoned has ended, too.
  const { pool } = app.database
  await expect.poll(() => pool.allWaitingCount === 0 && pool.idleCount === pool.totalCount).toBe(true)
  expect(logged.map(String).filter((line) => /already sent|reply\.sent/i.test(line))).toEqual([])
})

test('a request with a body over TCP also gets 503 if the database does not respond', async () => {
  const address = await app.app.listen({ host: '127.0.0.1', port: 0 })
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ query: '{ tags(first: 1) { nodes { name } } }' })
  const ask = () => fetch(`${address}/graphql`, { method: 'POST', headers, body })
  const response = await app.db.$transaction(async (tx) => {
    await tx.$executeRaw`LOCK TABLE tag, tag_text IN ACCESS EXCLUSIVE MODE`
    return ask()
  })
  expect(response.status).toBe(503)
  expect(response.headers.get('connection')).toBe('close')
  await expect.poll(async () => (await ask()).status).toBe(200)
})

// test/embedded-limit.test.ts does the same with an embedded database.
test.runIf(inject('server'))('the server cancels a statement that takes too long', async () => {
  const { database, db, close } = await openTestApp()
  await limitStatementDuration(database, 500)
  const endless = 'SELECT count(*)::text FROM generate_series(1, 1000000) AS a, generate_series(1, 1000000) AS b'
  for (let n = 0; n < 2; n += 1) await expect(db.$queryRawUnsafe(endless)).rejects.toThrow(/canceling statement/)
  expect(await db.tag.count()).toBe(0)
  // Other test files use the same database.
  await limitStatementDuration(database, 600_000)
  await close()
})

test.runIf(inject('server'))(
  'a limit that is stored for the role applies neither to migrations nor to requests',
  async () => {
    const { url, drop } = await emptyDatabaseUrl('')
    const name = new URL(url).pathname.slice(1)
    await administer(url, `ALTER ROLE postgres IN DATABASE "${name}" SET statement_timeout = '20ms'`)
    const database = openServerDatabase(url, 1)
    const sleep = (seconds: number) => database.pool.query(`SELECT pg_sleep(${seconds})`)
    await sleep(0.1)
    await limitStatementDuration(database, 500)
    await sleep(0.1)
    await expect(sleep(5)).rejects.toThrow(/timeout/)
    await database.close()
    await drop()
  },
)
