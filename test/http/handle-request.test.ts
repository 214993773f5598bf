// In which order GraphQL, REST and the pages look up the response cache, identify the viewer and apply the rate limit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'

let app: TestApp
let limited: TestApp

beforeAll(async () => {
  app = await openTestApp()
  limited = await serve(app, { RATE_LIMIT: '2', QUERY_COST_MAX: '100' })
})
afterAll(async () => {
  await limited?.app.close()
  await app?.close()
})

let addresses = 0
/** Each test is a client of its own for the rate limit. */
const client = () => {
  addresses += 1
  const remoteAddress = `192.0.2.${addresses}`
  return (url: string, headers: Readonly<Record<string, string>> = {}) => limited.get(url, { remoteAddress, headers })
}

let requests = 0
/** An address that nobody has requested before. */
const fresh = (path: string) => {
  requests += 1
  return `${path}${path.includes('?') ? '&' : '?'}fresh=${requests}`
}

const graphql = `/graphql?query=${encodeURIComponent('{ events { totalCount } }')}`
const apis: [name: string, path: string][] = [
  ['GraphQL', graphql],
  ['REST', '/cal/events/v1/tags'],
  ['the pages', '/en/'],
]

describe.each(apis)('%s', (_, path) => {
  test('requests beyond the rate limit are refused', async () => {
    const get = client()
    const statuses: number[] = []
    for (let n = 0; n < 5; n += 1) statuses.push((await get(fresh(path))).status)
    expect([...statuses.slice(0, 2), statuses.at(-1)]).toEqual([200, 200, 429])
  })

  test('a wrong credential is refused before the rate limit applies', async () => {
    const get = client()
    for (let n = 0; n < 5; n += 1) await get(fresh(path))
    const reply = await get(fresh(path), { authorization: 'Bearer wrong' })
    expect(reply.status).toBe(401)
    expect(reply.headers['www-authenticate']).toContain('Basic')
  })
})

describe.each(apis.slice(0, 2))('%s', (_, path) => {
  test('a cached response does not count toward the rate limit, and needs no credential to be checked', async () => {
    const get = client()
    const url = fresh(path)
    expect((await get(url)).headers['cache-status']).toBe('calendar; fwd=miss')
    for (let n = 0; n < 5; n += 1) {
      const reply = await get(url)
      expect([reply.status, reply.headers['cache-status']]).toEqual([200, 'calendar; hit'])
    }
    const replies = [await get(fresh(path)), await get(fresh(path)), await get(fresh(path)), await get(fresh(path))]
    expect(replies.at(-1)?.status).toBe(429)
    expect((await get(url)).status).toBe(200)
  })

  test('a request with a credential is neither answered from the cache nor cached', async () => {
    const { authorization } = await app.signIn('editor')
    const url = fresh(path)
    await client()(url)
    const reply = await client()(url, { authorization })
    expect([reply.status, reply.headers['cache-status']]).toEqual([200, undefined])
    expect(reply.headers['cache-control']).toBe('private, no-store')
    expect((await client()(url, { authorization: 'Bearer wrong' })).status).toBe(401)
  })
})
