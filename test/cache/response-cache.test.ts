// The response cache: what is cached, what invalidates it, and that cached responses equal others.
import { hash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createResponseCache } from '../../src/engine/cache/response-cache.ts'
import { createReadRecorder } from '../../src/engine/reads/read-record.ts'
import { type ApiClient, now, openTestApp, type Reply, serve, type TestApp } from '../helpers/app.ts'
import { type Ask, asker, cacheStatus, unique } from '../helpers/cache-hits.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'

let app: TestApp
let editor: ApiClient
const ids: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('administrator')
  ids.hall = await makeVenue(app.db, 'Hall', { imageId: await makeImage(app.db) })
  ids.garden = await makeVenue(app.db, 'Garden')
  ids.hidden = await makeVenue(app.db, 'Hidden', { status: 'draft' })
  ids.club = await makeOrganizer(app.db, 'Club')
  ids.choir = await makeOrganizer(app.db, 'Choir')
  ids.music = await makeCategory(app.db, 'Music')
  ids.jazz = await makeCategory(app.db, 'Jazz', ids.music)
  ids.sports = await makeCategory(app.db, 'Sports')
  ids.late = await makeTag(app.db, 'late')
  const links = {
    venueIds: [ids.hall, ids.hidden],
    organizerIds: [ids.club],
    categoryIds: [ids.jazz],
    tagIds: [ids.late],
  }
  ids.party = await makeEvent(app.db, 'Party', links)
  ids.match = await makeEvent(app.db, 'Match', { venueIds: [ids.garden], categoryIds: [ids.sports] })
})
afterAll(() => app?.close())

const { rest, graph, again } = asker(() => app)

const everything =
  '{ databaseId title venues { databaseId name } organizers { databaseId } categories { databaseId count } }'

const image = 'image { databaseId }'
const linked = `{ databaseId jsonLd ${image} venues { databaseId ${image} } organizers { databaseId ${image} } }`

const reads: Readonly<Record<string, Ask>> = {
  'events by REST': rest('/events'),
  'events in French': () => app.get(`/fr${ns}/events`),
  'an event by REST': () => rest(`/events/${ids.party}`)(),
  'an event by its slug': rest('/events/by-slug/party'),
  'venues by REST': rest('/venues'),
  'a venue by REST': () => rest(`/venues/${ids.hall}`)(),
  'venues with upcoming events': rest('/venues?only_with_upcoming=true'),
  'organizers by REST': rest('/organizers'),
  'categories by REST': rest('/categories'),
  'tags by REST': rest('/tags'),
  'an event by GraphQL': () => graph(`query ($id: ID) { event(id: $id) ${everything} }`, { id: ids.party })(),
  'an event without its ID': () => graph(`{ event(id: ${ids.party}) { title venues { name } } }`)(),
  'JSON-LD of an event': () => graph(`{ event(id: ${ids.party}) { databaseId jsonLd } }`)(),
  'JSON-LD of an event with linked IDs': () => graph(`{ event(id: ${ids.party}) ${linked} }`)(),
  'events by GraphQL': graph(`{ events { nodes ${everything} } }`),
  'a total': graph('{ events(filter: { categories: ["music"] }) { totalCount } }'),
  'venues by GraphQL': graph('{ venuesPage { total items { name } } }'),
  'events of a venue': () => graph(`{ venue(id: ${ids.hall}) { databaseId events { nodes { title } } } }`)(),
  'the total of a venue': () => graph(`{ venue(id: ${ids.hall}) { databaseId events { totalCount } } }`)(),
  'children of a category': () =>
    graph(`{ category(id: ${ids.music}) { databaseId children { edges { node { databaseId name } } } } }`)(),
  'events of a venue with their tags': () =>
    graph(`{ venue(id: ${ids.hall}) { databaseId events { nodes { tags { databaseId name } } } } }`)(),
}

test.each(Object.entries(reads))('%s: the same bytes again', async (_, ask) => {
  const first = await again(ask)
  const second = await ask()
  expect(cacheStatus(second)).toBe('calendar; hit')
  const { 'cache-status': _first, 'x-request-id': _id, ...headers } = first.headers
  expect(second).toMatchObject({ status: 200, body: first.body, headers: { ...headers, date: expect.anything() } })
})

const edit = (kind: string, id: number | undefined, fields: object) => async () => {
  const { status } = await editor.send('POST', `${ns}/${kind}/${id}`, fields)
  expect(status).toBe(200)
}

test.each<[string, () => Promise<unknown>, readonly string[]]>([
  [
    'an organizer that no event has',
    () => edit('organizers', ids.choir, { organizer: unique('Choir') })(),
    ['events by REST', 'events in French', 'organizers by REST', 'events by GraphQL'],
  ],
  [
    'the organizer of an event',
    () => edit('organizers', ids.club, { organizer: unique('Club') })(),
    [
      'events by REST',
      'events in French',
      'an event by REST',
      'an event by its slug',
      'organizers by REST',
      'an event by GraphQL',
      'JSON-LD of an event',
      'JSON-LD of an event with linked IDs',
      'events by GraphQL',
    ],
  ],
  [
    'a venue of another event',
    () => edit('venues', ids.garden, { venue: unique('Garden') })(),
    [
      'events by REST',
      'events in French',
      'venues by REST',
      'venues with upcoming events',
      'events by GraphQL',
      'venues by GraphQL',
    ],
  ],
  [
    'another event',
    () => edit('events', ids.match, { title: unique('Match') })(),
    [
      'events by REST',
      'events in French',
      'venues with upcoming events',
      'events by GraphQL',
      'a total',
      'events of a venue',
      'the total of a venue',
      'events of a venue with their tags',
    ],
  ],
  [
    'a category above',
    () => edit('categories', ids.music, { name: unique('Music') })(),
    [
      'events by REST',
      'events in French',
      'an event by REST',
      'an event by its slug',
      'categories by REST',
      'an event by GraphQL',
      'events by GraphQL',
      'a total',
      'children of a category',
    ],
  ],
  [
    'a tag',
    () => edit('tags', ids.late, { name: unique('late') })(),
    [
      'events by REST',
      'events in French',
      'an event by REST',
      'an event by its slug',
      'tags by REST',
      'events of a venue with their tags',
    ],
  ],
])('a write to %s drops the responses that depend on it, and no others', async (_, write, dropped) => {
  for (const [name, ask] of Object.entries(reads)) {
    await ask()
    expect(cacheStatus(await ask()), name).toBe('calendar; hit')
  }
  await write()
  const after: [name: string, ask: Ask, reply: Reply][] = []
  for (const [name, ask] of Object.entries(reads)) after.push([name, ask, await ask()])
  const missed = after.filter(([, , reply]) => cacheStatus(reply) !== 'calendar; hit').map(([name]) => name)
  expect(missed.toSorted()).toEqual(dropped.toSorted())
  for (const [name, ask, { body }] of after) expect(body, name).toEqual((await again(ask)).body)
})

describe('is never served from the cache', () => {
  test.each<[string, Ask]>([
    ['somebody signed in', () => editor.get(`${ns}/events`)],
    ['a password', () => app.get(`${ns}/events?password=secret`)],
    ['a password by GraphQL', graph('query @inContext(password: "secret") { events { nodes { title } } }')],
    ['an error', () => app.get(`${ns}/events/999999`)],
    ['a document that is wrong', () => app.graphql('{ nope }', {}, '', { accept: 'application/json' })],
    [
      'a wrong document with a password',
      () => app.graphql('query @inContext(password: "secret") { nope }', {}, '', { accept: 'application/json' }),
    ],
    [
      'a preflight that is none',
      () => app.get('/graphql', { method: 'OPTIONS', payload: { query: '{ __typename }' } }),
    ],
    ['an error by GraphQL', graph('{ event(id: 999999) { title } }')],
    ['who asks what it costs', () => app.graphql('{ events { totalCount } }', {}, '', { 'graphql-cost': '1' })],
    ['a mutation', graph('mutation { trashEvent(input: { id: 1 }) { userErrors { message } } }')],
  ])('%s', async (_, ask) => {
    await ask()
    expect(cacheStatus(await ask())).not.toBe('calendar; hit')
  })

  test('with CACHE_BYTES=0', async () => {
    const without = await serve(app, { CACHE_BYTES: '0' })
    await without.get(`${ns}/events`)
    expect(cacheStatus(await without.get(`${ns}/events`))).toBe('calendar; fwd=miss')
    await without.app.close()
  })
})

describe.each([
  ['POST', (query: string) => ({ method: 'POST' as const, payload: { query } })],
  ['GET', (query: string) => ({ query: { query } })],
])('GraphQL by %s', (_, request) => {
  test('caches a response for each media type', async () => {
    for (const accept of ['application/json', 'application/graphql-response+json', 'application/json']) {
      const options = { headers: { accept }, ...request('{ events { totalCount } }') }
      expect((await app.get('/graphql', options)).headers['content-type']).toContain(accept)
    }
  })

  test('caches a response for each language in the URL', async () => {
    const id = await makeEvent(app.db, { en: unique('Day'), fr: unique('Jour') })
    for (const [root, title] of [
      ['', /^Day/],
      ['/fr', /^Jour/],
      ['', /^Day/],
    ] as const) {
      const { body } = await app.get(`${root}/graphql`, request(`{ event(id: ${id}) { title } }`))
      expect(body.data.event.title).toMatch(title)
    }
  })
})

test('a matching ETag gets 304 without a database query', async () => {
  const { headers } = await rest('/events')()
  app.statements.length = 0
  const reply = await app.get(`${ns}/events`, { headers: { 'if-none-match': headers.etag } })
  expect([reply.status, reply.body, app.statements]).toEqual([304, '', []])
  expect(reply.headers).toMatchObject({ etag: headers.etag, vary: headers.vary, 'cache-control': 'no-cache' })
})

test.each<[string, Ask]>([
  ['REST', rest('/events?per_page=3')],
  ['GraphQL', graph('{ eventsPage(perPage: 3) { items { title } } }')],
])('identical concurrent requests by %s share one response', async (_, ask) => {
  await again(ask)
  app.statements.length = 0
  await again(ask)
  const alone = app.statements.length
  await app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
  app.statements.length = 0
  const replies = await Promise.all(Array.from({ length: 20 }, ask))
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(1)
  expect(app.statements.length).toBeLessThanOrEqual(alone)
})

test('a failure is not shared with later requests', async () => {
  const cache = createResponseCache(app.database, app.db, 1_000_000)
  await cache.open()
  const { promise, reject } = Promise.withResolvers<never>()
  const early = cache.load('key', now, true, () => promise)
  const response = { status: 200, headers: {}, body: Buffer.from('{}'), etag: '' }
  const late = cache.load('key', now, true, async () => response)
  reject(new Error('not yet'))
  await expect(early).rejects.toThrow('not yet')
  expect(await late).toBe(response)
  await cache.close()
})

test('a request after a write does not share a response that started before it', async () => {
  const cache = createResponseCache(app.database, app.db, 1_000_000)
  await cache.open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const answerOf = (text: string) => ({ status: 200, headers: {}, body: Buffer.from(text), etag: '' })
  const [before, after] = [answerOf('before'), answerOf('after')]
  const early = cache.load('key', now, true, async (recorder) => {
    const read = createReadRecorder(now)
    read.addKinds(['event'])
    recorder?.add(read.snapshot())
    await promise
    return before
  })
  await app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
  await cache.waitForChanges()
  const late = cache.load('key', now, true, async () => after)
  resolve()
  expect([await early, await late]).toEqual([before, after])
  await cache.close()
})

test('fragments that spread each other twice are analyzed in linear time', async () => {
  const spread = (type: string, leaf: string) => {
    const fragments = Array.from({ length: 45 }, (_, n) => `fragment F${n} on ${type} { ...F${n + 1} ...F${n + 1} }`)
    return `${fragments.join(' ')} fragment F45 on ${type} { ${leaf} }`
  }
  const documents = [
    `{ nodes(ids: []) { ...F0 } } ${spread('Node', 'id')}`,
    `{ venue(id: ${ids.hall}) { databaseId events(first: 0) { nodes { ...F0 } } } } ${spread('Event', 'title')}`,
  ]
  for (const document of documents) expect((await app.graphql(document)).body.errors).toBeUndefined()
})

test('skipped fields may have invalid variables', async () => {
  const query =
    'query ($c: ID = "a") { events(filter: { categories: [$c] }) @skip(if: true) { totalCount } __typename }'
  expect((await app.graphql(query, { c: null })).body).toEqual({ data: { __typename: 'Query' } })
})

test('two URLs whose checksums are equal get their own responses', async () => {
  const [one, two] = urlsWithSameChecksum()
  await makeEvent(app.db, `Named ${one.word}`)
  await makeEvent(app.db, `Named ${two.word}`)
  await app.cache.waitForChanges()
  for (const { url, word } of [one, two, one, one, two, two]) {
    const { body } = await app.get(url)
    expect(body.events.map(({ title }: { title: string }) => title)).toEqual([`Named ${word}`])
  }
  expect(cacheStatus(await app.get(two.url))).toBe('calendar; hit')
})

function urlsWithSameChecksum() {
  const words = new Map<number, string>()
  for (let count = 0; ; count += 1) {
    const word = hash('sha1', String(count))
      .slice(0, 8)
      .replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))
    const url = `${ns}/events?search=${word}`
    const other = words.get(crc32(url))
    if (other !== undefined && other !== word)
      return [
        { word, url },
        { word: other, url: `${ns}/events?search=${other}` },
      ] as const
    words.set(crc32(url), word)
  }
}

test('small responses retain no more memory than is counted', async () => {
  const cache = createResponseCache(app.database, app.db, 1_000_000)
  await cache.open()
  const body = Buffer.from('{}')
  expect(body.buffer.byteLength).toBeGreaterThan(1000)
  await cache.load('key', now, true, async (recorder) => {
    recorder?.add(createReadRecorder(now).snapshot())
    return { status: 200, headers: {}, body, etag: '' }
  })
  expect(cache.get('key', now)?.body.buffer.byteLength).toBe(2)
  await cache.close()
})

test('the cache does not exceed CACHE_BYTES', async () => {
  const small = await serve(app, { CACHE_BYTES: '20KB' })
  for (let page = 1; page <= 50; page++) await small.get(`${ns}/tags?per_page=${page}`)
  const { entries, bytes } = small.cache.stats()
  expect(entries).toBeGreaterThan(2)
  expect(bytes).toBeLessThanOrEqual(20_480)
  await small.app.close()
})
