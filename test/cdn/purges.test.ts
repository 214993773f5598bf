// CDN_PURGE: every write is purged, whatever happens to the CDN or to the service.
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '../../src/basics/env.ts'
import { openPurger } from '../../src/engine/cache/cdn/open.ts'
import { claimPurges } from '../../src/engine/cache/cdn/purge-queue.ts'
import type { Purger } from '../../src/engine/cache/cdn/purger.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { unique } from '../helpers/cache-hits.ts'
import { type CdnApi, keysOf, startCdnApi } from '../helpers/cdn-api.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag } from '../helpers/make.ts'

const token = 's3cret-t0ken'
let app: TestApp
let editor: ApiClient
let api: CdnApi
let event: number
const purgers: Purger[] = []
let logged: unknown[] = []
let registry: Registry

beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(async () => {
  await truncate(app.db)
  editor = await app.signIn('administrator')
  event = await makeEvent(app.db, 'Party')
  api = await startCdnApi()
  logged = []
})
afterEach(async () => {
  await Promise.all(purgers.splice(0).map((purger) => purger.close()))
  await open({})
  api.close()
})
afterAll(() => app?.close())

async function open(env: Readonly<Record<string, string>>): Promise<void> {
  registry = new Registry()
  const write = (...line: unknown[]) => logged.push(line)
  const log = { info: write, warn: write }
  const purger = await openPurger(readSettings(env), { db: app.db, database: app.database, registry, log })
  if (purger) purgers.push(purger)
}

const targets = {
  varnish: () => ({ CDN_PURGE: `varnish:${api.url}` }),
  fastly: () => ({ CDN_PURGE: 'fastly:SU1Z0isxPaozGVKXdv0eY', CDN_FASTLY_URL: api.url, CDN_FASTLY_TOKEN: token }),
  cloudflare: () => ({
    CDN_PURGE: 'cloudflare:023e105f4ecef8ad9ca31a8372d0c353',
    CDN_CLOUDFLARE_URL: `${api.url}/client/v4`,
    CDN_CLOUDFLARE_TOKEN: token,
  }),
}

/** Opens a purger, and waits for the first purge of everything. */
async function opened(target: keyof typeof targets): Promise<void> {
  await open(targets[target]())
  await api.called((call) => keysOf(call).includes('calendar'))
  await app.db.cdnPurge.deleteMany()
  api.calls.length = 0
}

const rename = async () => {
  const { status } = await editor.send('POST', `/cal/events/v1/events/${event}`, { title: unique('Party') })
  expect(status).toBe(200)
}
const hasKey = (key: string) => (call: CdnApi['calls'][number]) => keysOf(call).includes(key)
const queued = () => app.db.cdnPurge.findMany({ orderBy: { id: 'asc' } })

describe('the call after a write is as its provider documents it', () => {
  test('Varnish', async () => {
    await opened('varnish')
    await rename()
    const { method, path, headers } = await api.called(hasKey(`event-${event}`))
    expect([method, path]).toEqual(['PURGE', '/'])
    expect(String(headers['xkey-purge']).split(' ')).toContain('events')
  })

  test('Fastly', async () => {
    await opened('fastly')
    await rename()
    const { method, path, headers } = await api.called(hasKey(`event-${event}`))
    expect([method, path]).toEqual(['POST', '/service/SU1Z0isxPaozGVKXdv0eY/purge'])
    expect(headers).toMatchObject({ 'fastly-key': token, accept: 'application/json' })
    expect(String(headers['surrogate-key']).split(' ')).toContain('events')
  })

  test('Cloudflare', async () => {
    await opened('cloudflare')
    await rename()
    const { method, path, headers, body } = await api.called(hasKey(`event-${event}`))
    expect([method, path]).toEqual(['POST', '/client/v4/zones/023e105f4ecef8ad9ca31a8372d0c353/purge_cache'])
    expect(headers).toMatchObject({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
    expect(JSON.parse(body).tags).toContain('events')
  })
})

test('a purge is repeated, because the CDN may receive an older response after the first one', async () => {
  await opened('varnish')
  await rename()
  const first = await api.called(hasKey(`event-${event}`))
  const second = await api.called((call) => call !== first && keysOf(call).includes(`event-${event}`))
  expect(second.at - first.at).toBeGreaterThan(600)
  const [purge] = await queued()
  expect(Number(purge?.dueAt) - Number(purge?.createdAt)).toBeGreaterThan(3000)
})

describe('what the database queues', () => {
  test('nothing without a target', async () => {
    await rename()
    expect(await queued()).toEqual([])
  })

  test('nothing of a write that is rolled back', async () => {
    await app.db.cdnTarget.create({ data: { name: 'a', fingerprint: '' } })
    const write = app.db.$transaction(async (tx) => {
      await tx.event.update({ where: { id: event }, data: { website: 'https://a.example' } })
      expect(await tx.cdnPurge.count()).toBe(1)
      throw new Error('no')
    })
    await expect(write).rejects.toThrow('no')
    expect(await queued()).toEqual([])
  })

  test('a change once per transaction and target', async () => {
    await app.db.cdnTarget.createMany({
      data: [
        { name: 'a', fingerprint: '' },
        { name: 'b', fingerprint: '' },
      ],
    })
    await app.db.$transaction(async (tx) => {
      for (const n of [1, 2, 3])
        await tx.event.update({ where: { id: event }, data: { website: `https://${n}.example` } })
    })
    const change = `event:${event}`
    expect((await queued()).map((each) => [each.target, each.change])).toEqual([
      ['a', change],
      ['b', change],
    ])
  })

  test('kinds instead of records after many changes of one transaction', async () => {
    await app.db.cdnTarget.create({ data: { name: 'a', fingerprint: '' } })
    await app.db.$transaction(async (tx) => {
      const user = { role: 'author', name: 'Ada' } as const
      for (let n = 0; n < 250; n += 1) {
        const { id } = await tx.user.create({ data: { ...user, login: `user-${n}` } })
        await tx.user.update({ where: { id }, data: { name: 'Grace' } })
      }
    })
    const changes = (await queued()).map(({ change }) => change)
    expect(changes.length).toBeGreaterThan(200)
    expect(changes.length).toBeLessThan(210)
    expect(changes).toContain('user')
  })
})

describe('a call that fails is repeated until it succeeds', () => {
  test.each<[string, CdnApi['next'], string]>([
    ['a closed connection', ['reset'], 'did not respond'],
    ['status 500', [{ status: 500 }], 'status 500'],
    ['a wrong token', [{ status: 403, body: `bad token ${token}` }], 'status 403: the token'],
    ['a refusal in the body', [{ status: 200, body: '{"success": false, "errors": []}' }], 'the purge failed'],
  ])('%s', async (_, replies, reason) => {
    await opened('cloudflare')
    api.next.push(...replies)
    await rename()
    const first = await api.called(hasKey(`event-${event}`))
    await api.called((call) => call !== first && keysOf(call).includes(`event-${event}`))
    await expect.poll(() => JSON.stringify(logged)).toContain('accepts purges again')
    expect(JSON.stringify(logged)).toContain(reason)
    expect(JSON.stringify(logged)).not.toContain(token)
    const metrics = await registry.metrics()
    expect(metrics).toMatch(/cdn_purges_total\{target="cloudflare:\w+",result="failure"\} 1/)
    expect(metrics).toMatch(/cdn_purge_delay_seconds_count\{target="cloudflare:\w+"\} [1-9]/)
    expect(metrics).not.toContain(token)
  })

  test('not before Retry-After, also when there are more writes', async () => {
    await opened('fastly')
    api.next.push({ status: 429, headers: { 'retry-after': '2' } })
    await rename()
    const { at } = await api.called(hasKey(`event-${event}`))
    await rename()
    await expect.poll(() => api.calls.length).toBeGreaterThan(1)
    expect((api.calls[1]?.at ?? 0) - at).toBeGreaterThan(1900)
    const metrics = await registry.metrics()
    expect(metrics).toMatch(/cdn_purges_pending\{target="fastly:\w+"\} [1-9]/)
    expect(metrics).toMatch(/cdn_purge_oldest_seconds\{target="fastly:\w+"\} [\d.]+/)
  })
})

test('a purge that another instance began is done when that instance ended', async () => {
  const { CDN_PURGE } = targets.varnish()
  await app.db.cdnTarget.create({ data: { name: CDN_PURGE, fingerprint: '' } })
  await rename()
  const claimed = await claimPurges(app.db, CDN_PURGE)
  expect(claimed.map(({ change }) => change)).toContain(`event:${event}`)
  expect(await claimPurges(app.db, CDN_PURGE)).toEqual([])
  await app.db.$executeRaw`UPDATE cdn_purge SET due_at = now()`
  await open(targets.varnish())
  await api.called((call) => keysOf(call).includes('calendar'))
  await expect.poll(async () => (await queued()).map(({ round }) => round)).not.toContain(0)
})

test('two instances share the purges', async () => {
  await app.db.cdnTarget.create({ data: { name: 'a', fingerprint: '' } })
  for (let n = 0; n < 5; n += 1) await rename()
  const ids = (await Promise.all([claimPurges(app.db, 'a'), claimPurges(app.db, 'a')])).flat().map(({ id }) => id)
  expect(ids.map(BigInt).sort()).toEqual((await queued()).map(({ id }) => id).sort())
})

test('too many queued changes become one that purges everything', async () => {
  const target = 'varnish:http://127.0.0.1:9'
  await app.db.cdnTarget.create({ data: { name: target, fingerprint: '' } })
  await app.db.$executeRaw`INSERT INTO cdn_purge (target, change, transaction)
    SELECT ${target}, 'event:' || n, 0 FROM generate_series(1, 10001) AS n`
  await open({ CDN_PURGE: target })
  await expect.poll(() => app.db.cdnPurge.count()).toBe(1)
  expect(await queued()).toMatchObject([{ target, change: '*' }])
})

test('too many queued changes become one purge of everything while calls succeed, too', async () => {
  await opened('varnish')
  const { CDN_PURGE } = targets.varnish()
  await app.db.$executeRaw`INSERT INTO cdn_purge (target, change, transaction)
    SELECT ${CDN_PURGE}, 'event:' || n, 0 FROM generate_series(1, 10001) AS n`
  await api.called(hasKey('calendar'))
  await expect.poll(queued).toMatchObject([{ target: CDN_PURGE, change: '*', round: 1 }])
  // Without the keys of single events before.
  expect(api.calls.flatMap(keysOf)).toEqual(['calendar'])
})

test('a new version or setting purges everything, and so does each start in the hour after', async () => {
  await open(targets.varnish())
  const first = await api.called(hasKey('calendar'))
  await open(targets.varnish())
  await api.called((call) => call !== first && keysOf(call).includes('calendar'))
  await app.db.$executeRaw`UPDATE cdn_target SET changed_at = now() - interval '2 hours'`
  await app.db.cdnPurge.deleteMany()
  await open(targets.varnish())
  expect(await queued()).toEqual([])
  await open({ ...targets.varnish(), SITE_NAME: 'Another name' })
  expect(await queued()).toMatchObject([{ change: '*' }])
})

test('a target that is no longer set is forgotten with its purges', async () => {
  await open(targets.varnish())
  await open({})
  await rename()
  expect([await queued(), await app.db.cdnTarget.findMany()]).toEqual([[], []])
})

test('changes of linked records are purged, too', async () => {
  const category = await makeCategory(app.db, 'Music')
  const tag = await makeTag(app.db, 'late')
  await opened('varnish')
  await editor.send('POST', `/cal/events/v1/events/${event}`, { categories: [category], tags: [tag] })
  await api.called(hasKey(`category-${category}`))
  await api.called(hasKey(`tag-${tag}`))
})
