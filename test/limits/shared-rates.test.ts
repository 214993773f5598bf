// RATE_LIMIT_STORE=database: instances that share a database count together.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createSharedCounters } from '../../src/engine/postgres/rate-limit-counters.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp
let instances: TestApp[]

beforeAll(async () => {
  app = await openTestApp()
  const env = { RATE_LIMIT: '4', RATE_LIMIT_STORE: 'database', CACHE_BYTES: '0' }
  instances = [await serve(app, env), await serve(app, env)]
})
afterAll(async () => {
  for (const instance of instances ?? []) await instance.app.close()
  await app?.close()
})

const rows = () => app.db.rateLimit.findMany()
const countedPoints = async () => (await rows()).reduce((sum, { points }) => sum + points, 0)

/** Statuses of requests to the instances in turn. Waits until each one is counted, which requests do not wait for. */
async function inTurn(count: number, send: (instance: TestApp) => Promise<{ status: number }>, rejected: number) {
  const statuses: number[] = []
  for (let n = 0; n < count; n += 1) {
    const [instance] = instances.slice(n % 2)
    if (!instance) throw new Error('There is no instance.')
    statuses.push((await send(instance)).status)
    const admitted = statuses.filter((status) => status !== rejected).length
    await expect.poll(countedPoints).toBe(admitted)
  }
  return statuses
}

test('instances count the writes of a client together, in one row', async () => {
  await app.db.rateLimit.deleteMany()
  const write = (instance: TestApp) =>
    instance.get('/cal/events/v1/tags', { method: 'POST', payload: { name: 'x' }, remoteAddress: '192.0.2.1' })
  // An instance learns what the others counted when it counts itself, so the first one lets one request too many pass.
  expect(await inTurn(8, write, 429)).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
  const [row, ...others] = await rows()
  expect(others).toEqual([])
  expect(row?.points).toBe(5)
  expect(row?.key).not.toContain('192.0.2.1')
})

test('instances count wrong passwords together, of each login and of each address', async () => {
  await app.db.rateLimit.deleteMany()
  const attempt = (login: string) => async (instance: TestApp) => {
    const authorization = `Basic ${Buffer.from(`${login}:wrong`).toString('base64')}`
    return instance.get('/graphql?query={site{name}}', { headers: { authorization }, remoteAddress: '192.0.2.2' })
  }
  const [first, second] = instances
  if (!first || !second) throw new Error('There are no two instances.')
  const statuses = async (count: number, login: (n: number) => string) => {
    const replies: number[] = []
    for (let n = 0; n < count; n += 1) replies.push((await attempt(login(n))(n % 2 === 0 ? first : second)).status)
    return replies
  }
  expect(await statuses(12, () => 'ada')).toEqual([...Array(10).fill(401), 429, 429])
  // Keys that are long, or have characters that the database does not store, count like others.
  const long = `\0${'x'.repeat(3000)}`
  expect(await statuses(12, () => long)).toEqual([...Array(10).fill(401), 429, 429])
  expect(await statuses(32, (n) => `user ${n}`)).toEqual([...Array(30).fill(401), 429, 429])
})

test('each process counts for itself while the database cannot be reached', async () => {
  const unreachable = openServerDatabase('postgresql://nobody@127.0.0.1:1/nothing', 1)
  const db = createClient(unreachable.pool, {})
  const counter = createSharedCounters({ rateLimitStore: 'database' }, db)?.('any', 2)
  await counter?.penalty('client', 1)
  await counter?.penalty('client', 1)
  expect((await counter?.get('client'))?.consumedPoints).toBe(2)
  await unreachable.close()
})

test('each process counts for itself while the database can only be read', async () => {
  const counter = createSharedCounters({ rateLimitStore: 'database' }, app.db)?.('any', 2)
  await counter?.penalty('reader', 1)
  await app.db.$executeRaw`ALTER TABLE rate_limit ADD CONSTRAINT nothing CHECK (false) NOT VALID`
  try {
    for (let n = 0; n < 3; n += 1) await counter?.penalty('reader', 1)
    expect((await counter?.get('reader'))?.consumedPoints).toBe(3)
  } finally {
    await app.db.$executeRaw`ALTER TABLE rate_limit DROP CONSTRAINT nothing`
  }
})
