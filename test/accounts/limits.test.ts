// Throttling of password guessing, which must not affect users with correct passwords.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureAdministrator } from '../../src/service/auth/first-administrator.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { basic, bearer, createCredential } from '../helpers/users.ts'

let app: TestApp
let password: string

beforeAll(async () => {
  app = await openTestApp()
  const { id } = await app.db.user.create({ data: { login: 'ada', name: 'Ada', role: 'author' } })
  password = await createCredential(app.db, id, 'application_password')
})
afterAll(() => app?.close())

const send = (address: string, authorization: string, on = app) =>
  on.get('/cal/events/v1/tags', { headers: { authorization }, remoteAddress: address })

async function statuses(times: number, address: string, authorization: (n: number) => string): Promise<number[]> {
  const results: number[] = []
  for (let n = 0; n < times; n += 1) results.push((await send(address, authorization(n))).status)
  return results
}

const times = (count: number, status: number) => Array.from({ length: count }, () => status)

describe('throttling of wrong passwords', () => {
  test('blocks a login for an address after ten failures', async () => {
    expect(await statuses(12, '192.0.2.1', () => basic('ada', 'wrong'))).toEqual([...times(10, 401), 429, 429])
    const rejected = await send('192.0.2.1', basic('ADA', 'wrong'))
    expect(rejected.status).toBe(429)
    expect(rejected.body).toMatchObject({ code: 'rest_too_many_requests', data: { status: 429 } })
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(rejected.headers['www-authenticate']).toBeUndefined()
  })
  test('never blocks generated credentials', async () => {
    await statuses(60, '192.0.2.10', (n) => (n % 2 ? basic('ada', 'wrong') : bearer('wrong')))
    expect((await send('192.0.2.10', basic('ADA', password))).status).toBe(200)
  })
  test('blocks neither other logins nor other addresses', async () => {
    await statuses(10, '192.0.2.7', () => basic('ada', 'wrong'))
    expect((await send('192.0.2.7', basic('bob', 'wrong'))).status).toBe(401)
    expect((await send('192.0.2.8', basic('ada', password))).status).toBe(200)
    expect((await app.get('/cal/events/v1/tags', { remoteAddress: '192.0.2.7' })).status).toBe(200)
  })
  test('applies to GraphQL too', async () => {
    await statuses(10, '192.0.2.9', () => basic('ada', 'wrong'))
    const headers = { authorization: basic('ada', 'wrong') }
    const request = { method: 'POST', url: '/graphql', headers, payload: { query: '{ __typename }' } } as const
    const response = await app.app.inject({ ...request, remoteAddress: '192.0.2.9' })
    expect(response.statusCode).toBe(429)
    expect(response.headers['retry-after']).toMatch(/^\d+$/)
    expect(response.json().errors[0].extensions).toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  })
})

test('blocks an address after fifty failures of any kind', async () => {
  const guesses = [(n: number) => basic(`user${n}`, 'wrong'), (n: number) => bearer(`wrong${n}`), () => 'nonsense']
  const guess = (n: number) => guesses[n % 3]?.(n) ?? ''
  expect(await statuses(51, '192.0.2.3', guess)).toEqual([...times(50, 401), 429])
})

test('treats an IPv6 /64 prefix as one address', async () => {
  const guess = (n: number) => send(`2001:db8::${n.toString(16)}`, basic('ada', 'wrong'))
  const results: number[] = []
  for (let n = 1; n <= 11; n += 1) results.push((await guess(n)).status)
  expect(results).toEqual([...times(10, 401), 429])
  expect((await send('2001:db8:0:1::1', basic('ada', 'wrong'))).status).toBe(401)
})

test('does not count correct passwords', async () => {
  const rights = await Promise.all(times(60, 0).map(() => send('192.0.2.4', basic('ada', password))))
  expect(rights.map(({ status }) => status)).toEqual(times(60, 200))
})

test('counts concurrent guesses before it hashes them', async () => {
  const setting = { adminLogin: 'root', adminPassword: 'correct horse' }
  await app.db.$transaction((tx) => ensureAdministrator(tx, setting))
  // However slow the machine is, each of them has its turn.
  const other = await serve(app, { REQUEST_TIMEOUT: '600000' })
  const guesses = await Promise.all(times(14, 0).map((_, n) => send('192.0.2.5', basic('root', `guess ${n}`), other)))
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(4)
  const rights = times(14, 0).map(() => send('192.0.2.6', basic('root', 'correct horse'), other))
  expect((await Promise.all(rights)).map(({ status }) => status)).toEqual(times(14, 200))
  await other.app.close()
})

test('hashes for addresses without failures first', async () => {
  const setting = { adminLogin: 'root', adminPassword: 'correct horse' }
  await app.db.$transaction((tx) => ensureAdministrator(tx, setting))
  // However slow the machine is, each of them has its turn.
  const other = await serve(app, { REQUEST_TIMEOUT: '600000' })
  let finished = 0
  const guesses = Array.from({ length: 18 }, async (_, n) => {
    const { status } = await send(`198.51.100.${n % 6}`, basic('root', `guess ${n}`), other)
    finished += 1
    return status
  })
  // The others are in the queue by then.
  await Promise.race(guesses)
  const right = await send('192.0.2.30', basic('root', 'correct horse'), other)
  expect(right.status).toBe(200)
  // Each address has three guesses, at most one of which is hashed earlier.
  expect(finished).toBeLessThan(12)
  expect(await Promise.all(guesses)).toEqual(times(18, 401))
  await other.app.close()
})
