// The first cached response passes all hooks, later ones are sent with its stored headers. Clients see no difference.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
const others: TestApp[] = []

beforeAll(async () => {
  app = await openTestApp({ EMBED_ORIGINS: '*' })
  await makeEvent(app.db, 'Choir')
  await app.cache.waitForChanges()
})
afterAll(async () => {
  for (const other of others) await other.app.close()
  await app?.close()
})

const rest = '/cal/events/v1/events'
const query = '{ events { nodes { title } } }'
const graphql = `/graphql?query=${encodeURIComponent(query)}`

type Headers = Readonly<Record<string, string>>

/** Sends a request several times, and returns the last response. */
async function sendOften(url: string, headers: Headers = {}, { app: instance } = app) {
  let reply = await instance.inject({ url, headers })
  for (let count = 0; count < 3; count += 1) reply = await instance.inject({ url, headers })
  return reply
}

const withoutRequest = ({
  'x-request-id': _,
  date: __,
  'cache-status': ___,
  ...headers
}: object & Record<string, unknown>) => headers

describe.each([rest, `${rest}?per_page=1`, graphql, '/feed/', '/embed/events'])('%s', (url) => {
  test('has the same headers and body each time, and an ID of its own', async () => {
    const first = await app.app.inject(url)
    const ids = new Set([first.headers['x-request-id']])
    for (let count = 1; count < 5; count += 1) {
      const again = await app.app.inject(url)
      expect([again.statusCode, again.payload]).toEqual([200, first.payload])
      expect(withoutRequest(again.headers)).toEqual(withoutRequest(first.headers))
      expect(again.headers['cache-status']).toBe('calendar; hit')
      ids.add(again.headers['x-request-id'])
    }
    expect(ids.size).toBe(5)
  })

  test('gets no body by HEAD, and 304 for its version', async () => {
    const { headers } = await sendOften(url)
    const head = await app.app.inject({ url, method: 'HEAD' })
    expect([head.statusCode, head.payload, withoutRequest(head.headers)]).toEqual([200, '', withoutRequest(headers)])
    for (const method of ['GET', 'HEAD'] as const) {
      const same = await app.app.inject({ url, method, headers: { 'if-none-match': String(headers.etag) } })
      expect([same.statusCode, same.payload, same.headers['content-type']]).toEqual([304, '', undefined])
      // Without those of the body, which the client has.
      const kept = Object.entries(withoutRequest(headers)).filter(([name]) => name in same.headers)
      expect(withoutRequest(same.headers)).toEqual(Object.fromEntries(kept))
      for (const name of ['etag', 'cache-control', 'vary', 'access-control-allow-origin', 'content-language']) {
        expect(same.headers[name]).toBe(headers[name])
      }
      expect(same.headers['content-security-policy']).toBeUndefined()
    }
    const other = await app.app.inject({ url, headers: { 'if-none-match': 'W/"other"' } })
    expect(other.statusCode).toBe(200)
  })

  test('is not sent to a client with a credential', async () => {
    await sendOften(url)
    const reply = await app.get(url, { headers: { authorization: 'Bearer wrong' } })
    expect(reply.headers['cache-status']).toBeUndefined()
  })

  test('has Server-Timing for a client that requests it, only', async () => {
    await sendOften(url)
    const timed = await app.get(url, { headers: { 'x-server-timing': '1' } })
    expect(timed.headers['server-timing']).toContain('cache;desc="hit"')
    expect((await app.get(url)).headers['server-timing']).toBeUndefined()
  })

  test('closes the connection while the process stops', async () => {
    const stopping = await serve(app, {})
    others.push(stopping)
    expect((await sendOften(url, {}, stopping)).headers.connection).not.toBe('close')
    stopping.stop()
    expect((await sendOften(url, {}, stopping)).headers.connection).toBe('close')
  })

  test('names the origin of the page if only listed origins are allowed', async () => {
    const listed = await serve(app, { CORS_ORIGINS: 'https://one.test,https://two.test' })
    others.push(listed)
    for (const origin of ['https://one.test', 'https://two.test']) {
      const { headers } = await sendOften(url, { origin }, listed)
      expect(headers['access-control-allow-origin']).toBe(origin)
    }
    const { headers } = await sendOften(url, { origin: 'https://evil.test' }, listed)
    expect(headers['access-control-allow-origin']).toBeUndefined()
  })
})

describe('with CDN_MAX_AGE', () => {
  const cdn = { CDN_MAX_AGE: '600', CDN_STALE_WHILE_REVALIDATE: '30' }

  test.each([rest, graphql, '/feed/'])('%s has the same headers each time, without an ID', async (url) => {
    const instance = await serve(app, cdn)
    others.push(instance)
    const first = await instance.app.inject(url)
    expect(first.headers['surrogate-control']).toBe('max-age=600, stale-while-revalidate=30')
    const { headers, payload } = await sendOften(url, {}, instance)
    expect([payload, headers['x-request-id'], headers['cache-status']]).toEqual([
      first.payload,
      undefined,
      'calendar; hit',
    ])
    expect(withoutRequest(headers)).toEqual(withoutRequest(first.headers))
    const same = await sendOften(url, { 'if-none-match': String(headers.etag) }, instance)
    expect([same.statusCode, same.headers['surrogate-key']]).toEqual([304, headers['surrogate-key']])
    const timed = await sendOften(url, { 'x-server-timing': '1' }, instance)
    expect([timed.headers['surrogate-key'], timed.headers['x-request-id']]).toEqual([undefined, expect.any(String)])
  })

  test('a CDN may keep a response until it changes, even if the response is sent again', async () => {
    const instance = await serve(app, cdn)
    others.push(instance)
    const later = (minutes: number) => new Date(now.getTime() + minutes * 60_000)
    await makeEvent(app.db, 'Soon', { status: 'future', publishedAt: later(20) })
    await instance.cache.waitForChanges()
    const kept: unknown[] = []
    for (const minutes of [0, 0, 0, 5, 9.75, 15]) {
      instance.clock.now = later(minutes)
      const { headers } = await instance.app.inject(rest)
      kept.push([headers['surrogate-control'], headers['cache-status']])
    }
    const whole = 'max-age=600, stale-while-revalidate=30'
    expect(kept).toEqual([
      [whole, 'calendar; fwd=miss'],
      [whole, 'calendar; hit'],
      [whole, 'calendar; hit'],
      [whole, 'calendar; hit'],
      ['max-age=600, stale-while-revalidate=15', 'calendar; hit'],
      ['max-age=300', 'calendar; hit'],
    ])
  })
})

test('a query by POST has the same response each time, with CORS headers', async () => {
  const post = () => app.app.inject({ method: 'POST', url: '/graphql', payload: { query: '{ tags { totalCount } }' } })
  const first = await post()
  for (let count = 1; count < 4; count += 1) {
    const again = await post()
    expect([again.statusCode, again.payload]).toEqual([200, first.payload])
    expect(withoutRequest(again.headers)).toEqual(withoutRequest(first.headers))
  }
  expect(first.headers['access-control-allow-origin']).toBe('*')
})

test('a form of another site with a cached query is refused', async () => {
  const payload = JSON.stringify({ query: '{ venues { totalCount } }' })
  const send = (type: string) =>
    app.app.inject({ method: 'POST', url: '/graphql', payload, headers: { 'content-type': type } })
  for (let count = 0; count < 4; count += 1) expect((await send('application/json')).statusCode).toBe(200)
  expect((await send('text/plain')).statusCode).toBe(415)
})

test('a browser gets GraphiQL at the URL of a cached query, and each client the media type that it accepts', async () => {
  for (const accept of ['application/graphql-response+json', 'application/json']) {
    expect((await sendOften(graphql, { accept })).headers['content-type']).toContain(accept)
  }
  expect((await sendOften(graphql, { accept: 'text/html' })).headers['content-type']).toContain('text/html')
  expect((await sendOften(graphql, { accept: 'image/png' })).statusCode).toBe(406)
})

test('metrics count each response by its route, and each hit once', async () => {
  const counted = await serve(app, {})
  others.push(counted)
  await sendOften(rest, {}, counted)
  await counted.app.inject({ url: rest, headers: { 'if-none-match': '*' } })
  const metrics = (await counted.app.inject('/metrics')).payload
  expect(metrics).toContain(`http_requests_total{method="GET",route="${rest}",status="200"} 5`)
  expect(metrics).toContain('cache_requests_total{result="hit"} 4')
  expect(metrics).toContain('cache_requests_total{result="miss"} 1')
})
