// An unreachable database, and one without free connections.
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { readSettings } from '../../src/basics/env.ts'
import { createResponseCache } from '../../src/engine/cache/response-cache.ts'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { createSignIn } from '../../src/service/auth/sign-in.ts'
import { openTestApp } from '../helpers/app.ts'
import { freePort } from '../helpers/process.ts'
import { basic } from '../helpers/users.ts'

const settings = readSettings({ PUBLIC_URL: 'http://calendar.test', LOG_LEVEL: 'silent' })
let app: Awaited<ReturnType<typeof withoutDatabase>>

async function withoutDatabase() {
  const database = openServerDatabase(`postgresql://postgres@127.0.0.1:${await freePort()}/none`, 2)
  const site = { passwordSalt: new Uint8Array(16), uidHost: 'calendar.test' }
  const signIn = createSignIn(settings)
  const db = createClient(database.pool)
  const app = buildApp(
    { db, settings, site, now: () => new Date(), signIn, cache: createResponseCache(database, db, 0) },
    { database, registry: new Registry(), stopping: new AbortController().signal },
  )
  app.addHook('onClose', () => database.close())
  return app
}

beforeAll(async () => {
  app = await withoutDatabase()
})
afterAll(() => app.close())

const graphql = (query: string, accept: string, authorization?: string) =>
  app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { accept, ...(authorization ? { authorization } : {}) },
    payload: { query },
  })

describe('while the database is unreachable', () => {
  test('the process is live but not ready', async () => {
    expect((await app.inject('/health/live')).statusCode).toBe(200)
    const ready = await app.inject('/health/ready')
    expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'the database cannot be reached' }])
    expect(ready.headers['retry-after']).toBe('1')
    expect((await app.inject('/metrics')).statusCode).toBe(200)
  })

  test.each(['application/json', 'application/graphql-response+json'])('GraphQL returns 503 as %s', async (accept) => {
    const reply = await graphql('{ events { totalCount } }', accept)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(reply.json().errors[0].extensions).toEqual({ code: 'UNAVAILABLE', retryAfter: 1 })
    expect(reply.payload).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|prisma|"http"/i)
  })

  test('requests without database access succeed', async () => {
    expect((await graphql('{ __typename }', 'application/json')).statusCode).toBe(200)
    // One of two mutations may have run: such a request is not to be sent again.
    const partly = await graphql('{ __typename event(id: "1") { title } }', 'application/json')
    expect([partly.statusCode, partly.json().data]).toEqual([200, { __typename: 'Query', event: null }])
    const nothing = await graphql('{ event(id: "1") { title } }', 'application/json')
    expect([nothing.statusCode, nothing.json().data]).toEqual([503, { event: null }])
  })

  test.each([
    '/cal/events/v1/events',
    '/cal/events/v1/events/1',
    '/fr/cal/events/v1/venues/by-slug/a',
    '/cal/events/v1/events?venue=7',
  ])('REST returns 503 at %s', async (url) => {
    const reply = await app.inject(url)
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(reply.json()).toMatchObject({ code: 'rest_unavailable', data: { status: 503, retry_after: 1 } })
  })

  test('so does signing in, by every API', async () => {
    const authorization = basic('boss', 'a long enough password')
    const body = { title: 'A', start_date: '2030-01-01 10:00', end_date: '2030-01-01 11:00' }
    const replies = [
      await app.inject({ method: 'POST', url: '/cal/events/v1/events', headers: { authorization }, payload: body }),
      await graphql('{ __typename }', 'application/json', authorization),
      await app.inject({ url: '/', headers: { authorization } }),
    ]
    for (const { statusCode, headers } of replies) expect([statusCode, headers['retry-after']]).toEqual([503, '1'])
  })

  test.each(['/', '/event/some', '/fr/tag/some'])('so does the page %s', async (url) => {
    const reply = await app.inject({ url, headers: { accept: 'text/html' } })
    expect([reply.statusCode, reply.headers['retry-after']]).toEqual([503, '1'])
    expect(reply.headers['content-type']).toMatch(/text\/html/)
  })
})

describe.runIf(inject('server'))('while every connection is taken', () => {
  test('requests are refused after 3 s, and the service is ready', async () => {
    const busy = await openTestApp()
    const clients = await Promise.all(Array.from({ length: 4 }, () => busy.database.pool.connect()))
    const [rest, graph, feed, page, ready] = await Promise.all([
      busy.get('/cal/events/v1/events'),
      busy.graphql('{ events { totalCount } }'),
      busy.get('/events.ics'),
      busy.get('/'),
      busy.get('/health/ready'),
    ])
    for (const { status, headers } of [rest, graph, feed, page])
      expect([status, headers['retry-after']]).toEqual([503, '1'])
    const busyMessage = 'The service is busy. Retry later.'
    const messages = [rest.body.message, graph.body.errors[0].message, feed.body.message]
    expect(messages).toEqual([busyMessage, busyMessage, busyMessage])
    expect(ready.status).toBe(200)
    for (const client of clients) client.release()
    expect((await busy.get('/cal/events/v1/events')).status).toBe(200)
    await busy.close()
  })
})
