// Rate limits per client and minute.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp
let limited: TestApp

beforeAll(async () => {
  app = await openTestApp()
  // What comes from memory counts for nothing.
  limited = await serve(app, { RATE_LIMIT: '3', QUERY_COST_MAX: '200', CACHE_BYTES: '0' })
})
afterAll(async () => {
  await limited?.app.close()
  await app?.close()
})

const tags = '/cal/events/v1/tags'
const from = (remoteAddress: string, url: string, payload?: object, headers = {}) =>
  limited.get(url, { remoteAddress, headers, ...(payload ? { method: 'POST', payload } : {}) })
const times = async <T>(count: number, work: (n: number) => Promise<T>) => {
  const results: T[] = []
  for (let n = 0; n < count; n += 1) results.push(await work(n))
  return results
}
const statuses = (replies: readonly { status: number }[]) => replies.map(({ status }) => status)

test('REST writes count against the address, rejected or not', async () => {
  const replies = await times(4, () => from('192.0.2.1', tags, { name: 'x' }))
  expect(statuses(replies)).toEqual([401, 401, 401, 429])
  expect(replies.at(-1)?.headers['retry-after']).toMatch(/^[1-9]\d?$/)
  expect(replies.at(-1)?.body).toMatchObject({
    code: 'rest_too_many_requests',
    message: expect.stringMatching(/^Rate limit for writes exceeded\. Retry in \d+ seconds\.$/),
    data: { status: 429 },
  })
  expect((await from('192.0.2.2', tags, { name: 'x' })).status).toBe(401)
  expect((await from('192.0.2.1', tags)).status).toBe(200)
})

test('each mutation field counts as a write', async () => {
  const fields = (count: number) =>
    Array.from({ length: count }, (_, n) => `a${n}: deleteTag(input: { id: 9 }) { userErrors { code } }`).join(' ')
  const ask = (count: number) => from('192.0.2.3', '/graphql', { query: `mutation { ${fields(count)} }` })
  expect((await ask(2)).status).toBe(200)
  const refused = await ask(2)
  expect([refused.status, refused.body.errors[0].extensions.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
  expect(refused.headers['retry-after']).toMatch(/^[1-9]\d?$/)
})

test('the rate limit counts reads by their cost in every API', async () => {
  expect(statuses(await times(7, () => from('192.0.2.4', tags)))).toEqual([...Array(6).fill(200), 429])
  const page = await from('192.0.2.4', '/en/')
  expect([page.status, page.headers['retry-after']]).toEqual([429, expect.stringMatching(/^[1-9]\d?$/)])
  const query = '{ a: tags { totalCount } b: tags { totalCount } c: tags { totalCount } }'
  expect((await from('192.0.2.4', '/graphql', { query: '{ __typename }' })).status).toBe(429)
  expect(statuses(await times(4, () => from('192.0.2.5', '/graphql', { query })))).toEqual([200, 200, 200, 429])
})

test('IPv6 clients count by their first 64 bits, signed-in users apart from addresses', async () => {
  const replies = await times(4, (n) => from(`2001:db8::${n + 1}`, tags, { name: 'x' }))
  expect(statuses(replies)).toEqual([401, 401, 401, 429])
  const { authorization } = await app.signIn('editor')
  const signedIn = await times(4, (n) => from('2001:db8::1', tags, { name: `tag ${n}` }, { authorization }))
  expect(statuses(signedIn)).toEqual([201, 201, 201, 429])
})

test('RATE_LIMIT=0 disables the rate limit', async () => {
  const replies = await times(10, () => app.get(tags, { method: 'POST', payload: {}, remoteAddress: '192.0.2.9' }))
  expect(new Set(statuses(replies))).toEqual(new Set([400]))
})
