// CDN_MAX_AGE: what a CDN may keep, for how long, and which keys name what a response depends on.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { invalidatedSurrogateKeys, surrogateKeys } from '../../src/engine/cache/surrogate-keys.ts'
import {
  listenForNotifications,
  type NotificationListener,
  parseNotification,
} from '../../src/engine/postgres/notifications.ts'
import { createReadRecorder } from '../../src/engine/reads/read-record.ts'
import { type ApiClient, now, openTestApp, type Reply, serve, type TestApp } from '../helpers/app.ts'
import { unique } from '../helpers/cache-hits.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { makeTemporaryEvent } from '../helpers/make-temporary.ts'

const ns = '/cal/events/v1'
let app: TestApp
let plain: TestApp
let editor: ApiClient & { authorization: string }
let listener: NotificationListener
const changed = new Set<string>()
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp({ CDN_MAX_AGE: '600', CDN_STALE_WHILE_REVALIDATE: '30' })
  plain = await serve(app)
  editor = await app.signIn('administrator')
  ids.hall = await makeVenue(app.db, 'Hall')
  ids.barn = await makeVenue(app.db, 'Barn')
  ids.club = await makeOrganizer(app.db, 'Club')
  ids.music = await makeCategory(app.db, 'Music')
  ids.late = await makeTag(app.db, 'late')
  ids.deleted = await makeTag(app.db, 'deleted')
  const links = {
    venueIds: [ids.hall],
    organizerIds: [ids.club],
    categoryIds: [ids.music],
    tagIds: [ids.late, ids.deleted],
  }
  ids.party = await makeEvent(app.db, 'Party', links)
  ids.match = await makeEvent(app.db, 'Match', { venueIds: [ids.barn] })
  ids.trashed = await makeEvent(app.db, 'Trashed', { venueIds: [ids.barn] })
  ids.secret = await makeEvent(app.db, 'Secret', { passwordKey: 'x'.repeat(64) })
  listener = await listenForNotifications(app.database, {
    invalidate(message) {
      for (const key of invalidatedSurrogateKeys(parseNotification(message))) changed.add(key)
    },
    invalidateAll: () => changed.add('calendar'),
  })
})
beforeEach(() => {
  app.clock.now = now
})
afterAll(async () => {
  await listener?.close()
  await plain?.app.close()
  await app?.close()
})

const byGet = (query: string, variables = {}) =>
  `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`

const eventByGet = (id: number | undefined) =>
  byGet('query ($id: ID) { event(id: $id) { databaseId title venues { databaseId name } } }', { id })

const urls: Readonly<Record<string, () => string>> = {
  'events by REST': () => `${ns}/events`,
  'events in French': () => `/fr${ns}/events`,
  'an event by REST': () => `${ns}/events/${ids.party}`,
  'a venue by REST': () => `${ns}/venues/${ids.hall}`,
  'venues with upcoming events': () => `${ns}/venues?only_with_upcoming=true`,
  'tags by REST': () => `${ns}/tags`,
  'an event by GraphQL': () => eventByGet(ids.party),
  'events by GraphQL': () => byGet('{ events { totalCount nodes { title organizers { name } } } }'),
  'the landing page': () => '/en/',
  'the page of an event': () => '/event/party/',
  'the page of a venue': () => '/venue/hall/',
  'the page of a category': () => '/events/category/music/',
  'an iCalendar feed': () => '/events.ics',
  'the feed of an event': () => '/event/party/?ical=1',
  'a news feed': () => '/events.rss',
  'a widget of events': () => '/embed/events',
  'a widget of an event': () => '/embed/event/party',
  oEmbed: () => `/oembed?url=${encodeURIComponent('http://calendar.test/event/party/')}`,
  'a sitemap': () => '/sitemap-event-1.xml',
  suggestions: () => '/en/suggestions?prefix=par',
}

const keysOf = ({ headers }: Reply) => headers['surrogate-key']?.split(' ') ?? []
const cdnHeaders = ['surrogate-key', 'cache-tag', 'surrogate-control', 'cdn-cache-control'] as const

describe.each(Object.entries(urls))('%s', (_, url) => {
  test('a CDN may keep it, and clients revalidate it', async () => {
    for (const reply of [await app.get(url()), await app.get(url()), await app.get(url(), { method: 'HEAD' })]) {
      expect(reply.status).toBe(200)
      expect(reply.headers).toMatchObject({
        'cache-control': 'public, max-age=0, must-revalidate, s-maxage=600, stale-while-revalidate=30',
        'cdn-cache-control': 'public, max-age=600, stale-while-revalidate=30',
        'surrogate-control': 'max-age=600, stale-while-revalidate=30',
        'cache-tag': keysOf(reply).join(','),
      })
      expect(reply.headers).not.toHaveProperty('x-request-id')
      expect(reply.headers).not.toHaveProperty('set-cookie')
      expect(keysOf(reply)).toContain('calendar')
    }
  })

  test('a 304 has the same headers', async () => {
    const { headers } = await app.get(url())
    const reply = await app.get(url(), { headers: { 'if-none-match': headers.etag } })
    expect(reply.status).toBe(304)
    for (const name of ['cache-control', ...cdnHeaders]) expect(reply.headers[name]).toBe(headers[name])
  })

  test('without the setting its headers are as before', async () => {
    const { headers } = await plain.get(url())
    expect(headers['cache-control']).toBe('no-cache')
    for (const name of cdnHeaders) expect(headers).not.toHaveProperty(name)
    expect(headers).toHaveProperty('x-request-id')
  })

  test('a signed-in user gets a response that no CDN keeps', async () => {
    const reply = await editor.get(url())
    expect(reply.headers['cache-control']).not.toContain('s-maxage')
    for (const name of cdnHeaders) expect(reply.headers).not.toHaveProperty(name)
  })
})

test('keys name the lists and records that a response depends on', async () => {
  expect(keysOf(await app.get(`${ns}/events`))).toContain('events')
  const id = await makeTemporaryEvent(app.db, 'Dance', { venueIds: [ids.hall ?? 0] })
  const event = keysOf(await app.get(eventByGet(id)))
  expect(event.sort()).toEqual(['any-event', 'any-venue', 'calendar', `event-${id}`, `venue-${ids.hall}`].sort())
})

const readAll = async () => {
  const replies = new Map<string, { keys: string[]; body: string }>()
  for (const [name, url] of Object.entries(urls)) {
    const reply = await app.get(url())
    replies.set(name, { keys: keysOf(reply), body: JSON.stringify(reply.body) })
  }
  return replies
}

const edit = (kind: string, id: string, fields: () => object) => async () => {
  const { status } = await editor.send('POST', `${ns}/${kind}/${ids[id]}`, fields())
  expect(status).toBe(200)
}

describe('whatever a write changes has a key that the write purges', () => {
  let before: Awaited<ReturnType<typeof readAll>> | undefined
  test.each<[string, () => Promise<unknown>]>([
    ['an event is renamed', edit('events', 'party', () => ({ title: unique('Party') }))],
    ['another event is renamed', edit('events', 'match', () => ({ title: unique('Match') }))],
    ['a venue is renamed', edit('venues', 'hall', () => ({ venue: unique('Hall') }))],
    ['an organizer is renamed', edit('organizers', 'club', () => ({ organizer: unique('Club') }))],
    ['a category is renamed', edit('categories', 'music', () => ({ name: unique('Music') }))],
    ['a tag is renamed', edit('tags', 'late', () => ({ name: unique('late') }))],
    ['an event moves to another venue', edit('events', 'party', () => ({ venue: ids.barn }))],
    [
      'a user is renamed',
      async () => {
        await app.db.user.updateMany({ data: { name: unique('Ada') } })
      },
    ],
    ['a venue is hidden', edit('venues', 'barn', () => ({ status: 'draft' }))],
    ['an event is trashed', () => editor.send('DELETE', `${ns}/events/${ids.trashed}`)],
    ['a tag is deleted', () => editor.send('DELETE', `${ns}/tags/${ids.deleted}`)],
  ])('%s', async (_, write) => {
    before ??= await readAll()
    changed.clear()
    await write()
    const after = await readAll()
    for (const [name, { keys, body }] of before) {
      if (after.get(name)?.body === body) continue
      expect(
        keys.filter((key) => changed.has(key)),
        name,
      ).not.toEqual([])
    }
    before = after
    expect(changed).not.toEqual(new Set())
    expect(changed).not.toContain('calendar')
  })
})

test('a trusted document that is requested by GET is as cacheable as REST', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-trusted-'))
  const file = join(folder, 'documents.json')
  writeFileSync(file, JSON.stringify({ a1: 'query ($first: Int) { events(first: $first) { nodes { title } } }' }))
  const trusted = await serve(app, { TRUSTED_OPERATIONS: file, CDN_MAX_AGE: '600' })
  const url = `/graphql?documentId=a1&variables=${encodeURIComponent('{"first":3}')}`
  const [first, second] = [await trusted.get(url), await trusted.get(url)]
  expect(first.body.data.events.nodes).not.toEqual([])
  expect(second.headers).toMatchObject({ 'cache-status': 'calendar; hit', 'surrogate-key': expect.anything() })
  expect(second.headers['cache-control']).toContain('s-maxage=600')
  await trusted.app.close()
  rmSync(folder, { recursive: true })
})

describe('a CDN keeps nothing of', () => {
  test.each<[string, () => Promise<Reply>]>([
    ['an unknown record', () => app.get(`${ns}/events/999999`)],
    ['an unknown page', () => app.get('/event/nowhere/', { headers: { accept: 'text/html' } })],
    ['an invalid request', () => app.get(`${ns}/events?per_page=x`)],
    ['an operation with errors', () => app.get(byGet('{ event(id: 999999) { title } node(id: "x") { id } }'))],
    ['a request with a password', () => app.get(`${ns}/events?password=secret`)],
    ['a password in an operation', () => app.get(byGet('query @inContext(password: "a") { events { totalCount } }'))],
    ['a POST', () => app.graphql('{ events { totalCount } }')],
    ['a redirect', () => app.get('/events/')],
    ['a request for timings', () => app.get(`${ns}/events`, { headers: { 'x-server-timing': '1' } })],
    ['GraphiQL', () => app.get('/graphql', { headers: { accept: 'text/html' } })],
    ['health', () => app.get('/health/ready')],
  ])('%s', async (_, ask) => {
    const { headers } = await ask()
    expect(headers['cache-control'] ?? '').not.toContain('s-maxage')
    for (const name of cdnHeaders) expect(headers).not.toHaveProperty(name)
  })
})

test('a response that changes at a certain time is kept no longer than until then', async () => {
  const soon = new Date('2026-11-21T18:00:20Z')
  const id = await makeEvent(app.db, 'Soon', { status: 'future', publishedAt: soon })
  const url = `${ns}/tags?per_page=7`
  app.clock.now = new Date('2026-11-21T17:50:05.500Z')
  expect((await app.get(url)).headers['cache-control']).toMatch(/s-maxage=600, stale-while-revalidate=14$/)
  app.clock.now = new Date('2026-11-21T18:00:10.500Z')
  expect((await app.get(url)).headers['cache-control']).toMatch(/s-maxage=9$/)
  app.clock.now = new Date('2026-11-21T18:00:19.500Z')
  expect((await app.get(url)).headers['cache-control']).toBe('no-cache')
  await app.db.event.delete({ where: { id } })
})

test.each([
  ['an event ends', '2026-12-01T19:59:50Z', 9, ['the page of an event', 'venues with upcoming events']],
  ['a day begins', '2026-12-01T23:59:50Z', 10, ['the landing page']],
])('pages and lists are kept no longer than until %s', async (_, time, seconds, names) => {
  app.clock.now = new Date(time)
  for (const name of names) {
    const { headers } = await app.get(urls[name]?.() ?? '')
    expect(Number(/s-maxage=(\d+)/.exec(headers['cache-control'] ?? '')?.[1]), name).toBeLessThanOrEqual(seconds + 1)
  }
})

test('a response that was produced while its records changed is not kept', async () => {
  const read = createReadRecorder(now)
  read.addKinds(['event'])
  const produce = (write: () => Promise<unknown>) =>
    app.cache.track(now, async (recorder) => {
      recorder?.add(read.snapshot())
      await write()
      await app.cache.waitForChanges()
    })
  // Writes of the tests before.
  await app.cache.waitForChanges()
  expect((await produce(async () => {})).validity).toMatchObject({ kinds: new Set(['event']) })
  expect((await produce(() => app.db.$executeRaw`NOTIFY calendar_changes, 'event:1'`)).validity).toBeUndefined()
  expect((await produce(() => app.db.$executeRaw`NOTIFY calendar_changes, 'tag:1'`)).validity).toBeDefined()
})

test('many records are named by their list, so that the header stays short', () => {
  const range = (length: number) => new Set(Array.from({ length }, (_, n) => 2_000_000_000 + n))
  const records = new Map([
    ['event', range(5000)],
    ['venue', range(40)],
    ['tag', range(40)],
    ['organizer', range(2)],
  ] as const)
  const keys = surrogateKeys({ kinds: new Set(['category']), records })
  expect(keys.join(' ').length).toBeLessThanOrEqual(1000)
  expect(keys).toEqual(expect.arrayContaining(['calendar', 'categories', 'organizer-2000000001', 'events']))
  expect(keys).not.toContain('event-2000000000')
})

test('a change without IDs purges everything that depends on a record of the kind', () => {
  const records = new Map([['venue', new Set([7])]] as const)
  const keys = surrogateKeys({ kinds: new Set(), records })
  expect(keys).toEqual(['calendar', 'any-venue', 'venue-7'])
  expect(invalidatedSurrogateKeys({ kind: 'venue', ids: undefined })).toEqual(['venues', 'any-venue'])
  expect(invalidatedSurrogateKeys({ kind: 'venue', ids: [7, 8] })).toEqual(['venues', 'venue-7', 'venue-8'])
  expect(invalidatedSurrogateKeys({ kind: 'festival', ids: [7] })).toEqual(['calendar'])
})
