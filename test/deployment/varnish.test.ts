// The service behind a real Varnish with docs/deployment/varnish.vcl. test/full/cdn.test.ts sends many more requests.
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { openPurger } from '../../src/engine/cache/cdn/open.ts'
import type { Purger } from '../../src/engine/cache/cdn/purger.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { measureCdn } from '../helpers/cdn-load.ts'
import { makeEvent } from '../helpers/make.ts'
import { freePort } from '../helpers/process.ts'
import { listenOn } from '../helpers/subscribe.ts'
import { createCredential, makeUser } from '../helpers/users.ts'
import { hasVarnish, startVarnish, type Varnish } from '../helpers/varnish.ts'

const reads = Number(process.env.READS ?? 2000)
const ns = '/cal/events/v1'

/** It needs the Debian packages varnish and varnish-modules, which .ci/run installs, and runs once, on the server. */
describe.runIf(hasVarnish && inject('server'))('behind Varnish', () => {
  let app: TestApp
  let varnish: Varnish
  let purger: Purger | undefined
  let authorization: string
  let service: string
  let event: number
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${varnish.url}${path}`, { headers })
  const cacheOf = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, headers)
    await response.arrayBuffer()
    return response.headers.get('x-cache')
  }

  beforeAll(async () => {
    const port = await freePort()
    app = await openTestApp({
      CDN_MAX_AGE: '600',
      CDN_PURGE: `varnish:http://127.0.0.1:${port}`,
      SUBSCRIPTION_HEARTBEAT: '100',
    })
    Object.defineProperty(app.clock, 'now', { get: () => new Date() })
    const start = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
    event = await makeEvent(app.db, 'version 0', { start })
    authorization = (await makeUser(app.db, 'administrator')).authorization
    service = await listenOn(app)
    varnish = await startVarnish(service, port)
    const log = { info() {}, warn() {} }
    const { db, database, settings } = app
    purger = await openPurger(settings, { db, database, registry: new Registry(), log })
    // The repeated purges of everything after a first start would turn hits of other tests into misses.
    await vi.waitUntil(async () => (await db.cdnPurge.count({ where: { round: 0 } })) === 0, { timeout: 600_000 })
    await db.cdnPurge.deleteMany()
  })
  afterAll(async () => {
    await varnish?.close()
    await purger?.close()
    await app?.close()
  })

  test('visitors get responses from Varnish, without the headers for it', async () => {
    await cacheOf(`${ns}/tags`)
    const response = await get(`${ns}/tags`, { cookie: 'a=1' })
    expect(response.headers.get('x-cache')).toBe('hit')
    expect(response.headers.get('cache-control')).toBe('no-cache')
    for (const name of ['xkey', 'surrogate-key', 'surrogate-control', 'cache-tag', 'cdn-cache-control', 'age'])
      expect(response.headers.get(name), name).toBeNull()
    const etag = response.headers.get('etag') ?? ''
    expect((await get(`${ns}/tags`, { 'if-none-match': etag })).status).toBe(304)
  })

  test('signed-in users, errors and writes pass', async () => {
    for (const path of [`${ns}/events`, '/en/']) {
      await cacheOf(path)
      expect(await cacheOf(path, { authorization })).toBe('miss')
      expect((await get(path, { authorization })).headers.get('cache-control')).toBe('private, no-store')
      expect((await get(path, { authorization: 'Bearer wrong' })).status).toBe(401)
    }
    expect(await cacheOf('/en/', { cookie: 'a=1; calendar_write_position=0/1' })).toBe('miss')
    expect(await cacheOf('/en/', { 'calendar-write-position': '0/1' })).toBe('miss')
    for (const _ of [1, 2]) expect(await cacheOf(`${ns}/events/999999`)).toBe('miss')
  })

  test('people who are signed in reach their account and GraphQL', async () => {
    const { id } = await app.db.user.findFirstOrThrow()
    const cookie = `session=${await createCredential(app.db, id, 'session', { createdAt: app.clock.now })}`
    expect((await get('/fr/account', { cookie })).status).toBe(200)
    const body = JSON.stringify({ query: '{ viewer { databaseId } }' })
    const headers = { cookie, 'content-type': 'application/json', 'x-requested-with': 'editor' }
    const response = await fetch(`${varnish.url}/graphql`, { method: 'POST', headers, body })
    expect(await response.json()).toEqual({ data: { viewer: { databaseId: id } } })
  })

  test('the landing page has a variant for each language, and GraphQL one for each media type', async () => {
    const language = async (accepted: string) =>
      (await get('/', { 'accept-language': accepted })).headers.get('content-language')
    expect([await language('fr-CA,fr;q=0.9'), await language('es'), await language('de')]).toEqual(['fr', 'es', 'en'])
    expect(await cacheOf('/', { 'accept-language': 'fr;q=0.8,de;q=0.1' })).toBe('hit')
    const query = `/graphql?query=${encodeURIComponent('{ events { totalCount } }')}`
    await cacheOf(query)
    expect(await cacheOf(query, { accept: 'application/json;q=0.9, text/plain' })).toBe('hit')
    const other = await get(query, { accept: 'application/graphql-response+json' })
    expect(other.headers.get('content-type')).toContain('application/graphql-response+json')
  })

  test('only the addresses of the service purge, not through a proxy, and nobody reads the metrics', async () => {
    const purge = async (headers: Record<string, string>) =>
      (await fetch(varnish.url, { method: 'PURGE', headers })).status
    expect(await purge({})).toBe(400)
    expect(await purge({ 'xkey-purge': 'nothing' })).toBe(200)
    expect(await purge({ 'xkey-purge': 'nothing', 'x-forwarded-for': '192.0.2.1' })).toBe(403)
    for (const path of ['/metrics', '/metrics?x']) expect((await get(path)).status).toBe(403)
    for (const path of ['/metrics/', '/%6Detrics', '/metric%73?x']) expect((await get(path)).status).toBe(404)
  })

  test('only GraphQL sends streams of events: other responses come from the cache', async () => {
    await cacheOf(`${ns}/tags`)
    expect(await cacheOf(`${ns}/tags`, { accept: 'text/event-stream' })).toBe('hit')
  })

  test('a subscription stays open for longer than any other response may take', async () => {
    const brief = await startVarnish(service, await freePort(), ['send_timeout=1'])
    const query = 'subscription { eventChanged { event { title } } }'
    const response = await fetch(`${brief.url}/graphql`, {
      method: 'POST',
      headers: { accept: 'text/event-stream', 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    // A comment is sent every 100 ms.
    let comments = ''
    for await (const bytes of response.body ?? []) {
      comments += Buffer.from(bytes).toString()
      if (comments.split('\n\n').length > 30) break
    }
    expect(comments).toMatch(/^(:\n\n)+$/)
    await brief.close()
  })

  test('no answer is older than a second while an event is written all the time', async () => {
    const load = { cache: varnish.url, writer: service, authorization, event: { id: event, slug: 'version-0' } }
    const report = await measureCdn({ ...load, reads, connections: 4, writesPerSecond: 4 })
    expect(report.failures).toEqual([])
    expect(report.writes).toBeGreaterThan(0)
    expect(report.hitRate).toBeGreaterThan(0.1)
    expect(report.oldest).toBeLessThan(1000 + report.stall)
  })

  test('after a restart of Varnish it purges again', async () => {
    await varnish.restart()
    const title = async () => (await (await get(`${ns}/events/${event}`)).json()).title
    const before = await title()
    const headers = { authorization, 'content-type': 'application/json' }
    const rename = async (newTitle: string) => {
      const body = JSON.stringify({ title: newTitle })
      await fetch(`${service}${ns}/events/${event}`, { method: 'POST', headers, body })
      await expect.poll(title).toBe(newTitle)
    }
    expect(before).not.toBe('after the restart')
    await rename('after the restart')
    await rename(before)
  })
})
