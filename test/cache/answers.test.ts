// Answers from memory: which are kept, what drops them, and that nobody can tell them from others.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openCache } from '../../src/cache/answers.ts'
import { type Doors, now, openTestApp, type Reply, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
let editor: Doors
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
  ids.party = await makeEvent(app.db, 'Party', {
    ...links,
    imageId: await makeImage(app.db, 'https://images.test/p.jpg'),
  })
  ids.match = await makeEvent(app.db, 'Match', { venueIds: [ids.garden], categoryIds: [ids.sports] })
})
beforeEach(() => {
  app.clock.now = now
})
afterAll(() => app?.close())

const cacheStatus = ({ headers }: Reply) => headers['cache-status']

type Ask = () => Promise<Reply>

const rest =
  (path: string): Ask =>
  () =>
    app.get(`${ns}${path}`)
const graph =
  (query: string, variables = {}): Ask =>
  () =>
    app.graphql(query, variables)

/** Asks until the answer is kept, then again after `write`: whether it comes from memory still. */
async function isKeptAfter(ask: Ask, write: () => Promise<unknown>): Promise<boolean> {
  await ask()
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  await write()
  const after = await ask()
  const fresh = await again(ask)
  expect(after.body).toEqual(fresh.body)
  return cacheStatus(after) === 'calendar; hit'
}

/** The same from the database. */
async function again(ask: Ask): Promise<Reply> {
  await app.db.$executeRaw`NOTIFY calendar_changes, 'anything'`
  const reply = await ask()
  expect(cacheStatus(reply)).toBe('calendar; fwd=miss')
  return reply
}

const everything =
  '{ databaseId title venues { databaseId name } organizers { databaseId } categories { databaseId count } }'

const questions: Readonly<Record<string, Ask>> = {
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
  'an event without its number': () => graph(`{ event(id: ${ids.party}) { title venues { name } } }`)(),
  'events by GraphQL': graph(`{ events { nodes ${everything} } }`),
  'a total': graph('{ events(filter: { categories: ["music"] }) { totalCount } }'),
  'venues by GraphQL': graph('{ venuesPage { total items { name } } }'),
  'events of a venue': () => graph(`{ venue(id: ${ids.hall}) { databaseId events { title } } }`)(),
}

test.each(Object.entries(questions))('%s: the same bytes again', async (_, ask) => {
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

let counter = 0
const unique = (name: string) => {
  counter += 1
  return `${name} ${counter}`
}

describe.each<[string, () => Promise<unknown>, readonly string[]]>([
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
      'an event without its number',
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
      'an event without its number',
      'events by GraphQL',
      'a total',
      'events of a venue',
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
    ],
  ],
  [
    'a tag',
    () => edit('tags', ids.late, { name: unique('late') })(),
    ['events by REST', 'events in French', 'an event by REST', 'an event by its slug', 'tags by REST'],
  ],
])('after a write to %s', (_, write, dropped) => {
  test.each(Object.entries(questions))('%s', async (name, ask) => {
    expect(await isKeptAfter(ask, write)).toBe(!dropped.includes(name))
  })
})

describe('a single read shows at once', () => {
  const party = () => rest(`/events/${ids.party}`)()
  test.each<[string, () => Promise<unknown>]>([
    ['a venue of it that is published', () => edit('venues', ids.hidden, { status: 'publish' })()],
    ['a venue of it that is hidden', () => edit('venues', ids.hidden, { status: 'draft' })()],
    ['a new link', () => edit('events', ids.party, { venue: [ids.hall, ids.garden] })()],
    [
      'an image that is gone',
      async () => app.db.$executeRaw`DELETE FROM image WHERE url = 'https://images.test/p.jpg'`,
    ],
    ['a count of its category', () => makeEvent(app.db, 'Concert', { categoryIds: [ids.jazz ?? 0] })],
    [
      'its author',
      async () => {
        const { id } = await app.db.user.create({ data: { login: unique('author'), name: 'Author', role: 'author' } })
        await app.db.event.update({ where: { id: ids.party ?? 0 }, data: { authorId: id } })
      },
    ],
    ['its author gone', async () => app.db.user.deleteMany({ where: { role: 'author' } })],
    ['a new slug', () => edit('events', ids.party, { slug: unique('party') })()],
    ['the trash', () => editor.send('DELETE', `${ns}/events/${ids.party}`)],
  ])('%s', async (_, write) => {
    const before = await again(party)
    await write()
    expect((await party()).body).not.toEqual(before.body)
  })
})

test.each([
  ['venue', 'venues', makeVenue],
  ['organizer', 'organizers', makeOrganizer],
] as const)('the only %s of an event shows once it is published', async (name, kind, make) => {
  const id = await make(app.db, 'Secret', { status: 'draft' })
  const event = await makeEvent(app.db, 'Alone', { [`${name}Ids`]: [id] })
  const single = rest(`/events/${event}`)
  const query = graph(`{ event(id: ${event}) { databaseId ${kind} { databaseId name } } }`)
  expect([(await single()).body[name], (await query()).body.data.event[kind]]).toEqual([[], []])
  await edit(kind, id, { status: 'publish' })()
  expect([(await single()).body[name]].flat()).toMatchObject([{ [name]: 'Secret' }])
  expect((await query()).body.data.event[kind]).toMatchObject([{ name: 'Secret' }])
})

test.each([
  ['categories', 'event_category'],
  ['tags', 'event_tag'],
])('links that go without a word to the %s are seen', async (kind, table) => {
  const id = kind === 'tags' ? await makeTag(app.db, unique('linked')) : await makeCategory(app.db, unique('Linked'))
  await makeEvent(app.db, 'Linking', { [kind === 'tags' ? 'tagIds' : 'categoryIds']: [id] })
  const ask = graph(`{ ${kind}(filter: { hideEmpty: true }) { totalCount } }`)
  const { body } = await ask()
  expect(body.data[kind].totalCount).toBeGreaterThan(0)
  await app.db.$executeRawUnsafe(`TRUNCATE ${table}`)
  expect((await ask()).body.data[kind].totalCount).toBe(0)
})

describe('what time does', () => {
  const at = (text: string) => {
    app.clock.now = new Date(text)
  }
  const titles = async () =>
    (await rest('/events?per_page=50')()).body.events.map(({ title }: { title: string }) => title)

  test('a publication comes due to the millisecond', async () => {
    await makeEvent(app.db, 'Scheduled', { status: 'future', publishedAt: new Date('2026-11-21T12:30:00.500Z') })
    expect(await titles()).not.toContain('Scheduled')
    at('2026-11-21T12:30:00.499Z')
    expect(cacheStatus(await rest('/events?per_page=50')())).toBe('calendar; hit')
    at('2026-11-21T12:30:00.500Z')
    expect(await titles()).toContain('Scheduled')
  })

  test('a linked venue comes due', async () => {
    const venue = await makeVenue(app.db, 'Soon', { status: 'future', publishedAt: new Date('2026-11-21T13:00:00Z') })
    const event = await makeEvent(app.db, 'Opening', { venueIds: [venue] })
    const shown = async () => (await rest(`/events/${event}`)()).body.venue
    expect(await shown()).toEqual([])
    at('2026-11-21T13:00:00Z')
    expect(await shown()).toMatchObject({ venue: 'Soon' })
  })

  test('the default window moves at midnight', async () => {
    const url = async () => (await rest('/events')()).body.rest_url
    at('2026-11-21T22:00:00Z')
    const before = await url()
    at('2026-11-21T23:59:59.999Z')
    expect(cacheStatus(await rest('/events')())).toBe('calendar; hit')
    expect(await url()).toBe(before)
    at('2026-11-22T00:00:00Z')
    expect(await url()).not.toBe(before)
  })

  test('a date that is said as a moment from now is true for a second', async () => {
    const ask = rest('/events?strict_dates=true&starts_after=now')
    const first = await ask()
    at('2026-11-21T12:00:00.999Z')
    expect((await ask()).body).toEqual(first.body)
    at('2026-11-21T12:00:01Z')
    expect((await ask()).body.rest_url).not.toBe(first.body.rest_url)
  })

  test.each<[string, Ask]>([
    ['venues with upcoming events', rest('/venues?only_with_upcoming=true')],
    ['upcoming events', graph('{ events(filter: { when: UPCOMING }) { totalCount } }')],
    [
      'by a variable',
      graph('query ($when: EventTime) { events(filter: { when: $when }) { totalCount } }', { when: 'UPCOMING' }),
    ],
    ['by default', graph('{ venues { nodes { events { title } } } }')],
  ])('%s end', async (_, ask) => {
    const venue = await makeVenue(app.db, unique('Stadium'))
    await makeEvent(app.db, unique('Game'), { venueIds: [venue], start: '2026-11-21T18:00:00', timeZone: 'UTC' })
    const before = await ask()
    expect(cacheStatus(await ask())).toBe('calendar; hit')
    at('2026-11-21T20:00:00.001Z')
    const after = await ask()
    expect(after.body).not.toEqual(before.body)
    expect(after.body).toEqual((await again(ask)).body)
  })

  test.each([
    ['+6 hours', '06:00'],
    ['now Asia/Tokyo', '00:00'],
  ])('%s moves where days end at %s', async (text, cutoff) => {
    const [kept, plain] = [
      await serve(app, { END_OF_DAY_CUTOFF: cutoff }),
      await serve(app, { END_OF_DAY_CUTOFF: cutoff, CACHE_BYTES: '0' }),
    ]
    for (const hour of [14, 16, 18, 20, 22]) {
      kept.clock.now = plain.clock.now = new Date(`2026-11-21T${hour}:00:00Z`)
      const url = `${ns}/events?starts_after=${encodeURIComponent(text)}`
      expect((await kept.get(url)).body).toEqual((await plain.get(url)).body)
    }
  })

  test('a failure is not told to who asked later', async () => {
    const cache = await openCache(app.database, app.db, 1_000_000)
    const { promise, reject } = Promise.withResolvers<never>()
    const early = cache.make('key', now, true, () => promise)
    const answer = { status: 200, headers: {}, body: Buffer.from('{}'), etag: '' }
    const late = cache.make('key', now, true, async () => answer)
    reject(new Error('not yet'))
    await expect(early).rejects.toThrow('not yet')
    expect(await late).toBe(answer)
    await cache.close()
  })

  test('a clock that is set back', async () => {
    at('2026-11-21T14:00:00Z')
    expect(await titles()).toContain('Scheduled')
    at('2026-11-21T12:00:00Z')
    expect(await titles()).not.toContain('Scheduled')
  })
})

describe('never from memory', () => {
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
    const without = await openTestApp({ CACHE_BYTES: '0' })
    await without.get(`${ns}/events`)
    expect(cacheStatus(await without.get(`${ns}/events`))).toBe('calendar; fwd=miss')
    await without.close()
  })
})

test('a tag that is known gets a 304, which asks the database nothing', async () => {
  const { headers } = await rest('/events')()
  app.statements.length = 0
  const reply = await app.get(`${ns}/events`, { headers: { 'if-none-match': headers.etag } })
  expect([reply.status, reply.body, app.statements]).toEqual([304, '', []])
  expect(reply.headers).toMatchObject({ etag: headers.etag, vary: headers.vary, 'cache-control': 'no-cache' })
})

test.each<[string, Ask]>([
  ['REST', rest('/events?per_page=3')],
  ['GraphQL', graph('{ eventsPage(perPage: 3) { items { title } } }')],
])('who asks the same at the same time by %s shares one answer', async (_, ask) => {
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

test('fragments that spread each other twice take no time', async () => {
  const spread = (type: string, leaf: string) => {
    const fragments = Array.from({ length: 45 }, (_, n) => `fragment F${n} on ${type} { ...F${n + 1} ...F${n + 1} }`)
    return `${fragments.join(' ')} fragment F45 on ${type} { ${leaf} }`
  }
  const documents = [
    `{ nodes(ids: []) { ...F0 } } ${spread('Node', 'id')}`,
    `{ venue(id: ${ids.hall}) { databaseId ...F0 } } ${spread('Venue', 'events(first: 0) { title }')}`,
  ]
  for (const document of documents) expect((await app.graphql(document)).body.errors).toBeUndefined()
})

test('what is left out may have variables that are wrong', async () => {
  const query =
    'query ($c: ID = "a") { events(filter: { categories: [$c] }) @skip(if: true) { totalCount } __typename }'
  expect((await app.graphql(query, { c: null })).body).toEqual({ data: { __typename: 'Query' } })
})

test('small answers hold no more memory than they count', async () => {
  const cache = await openCache(app.database, app.db, 1_000_000)
  const body = Buffer.from('{}')
  expect(body.buffer.byteLength).toBeGreaterThan(1000)
  await cache.make('key', now, true, async (recorder) => {
    recorder?.note({ kinds: new Set(), records: new Map(), comparesTimes: false })
    return { status: 200, headers: {}, body, etag: '' }
  })
  expect(cache.get('key', now)?.body.buffer.byteLength).toBe(2)
  await cache.close()
})

test('memory has an end', async () => {
  const small = await openTestApp({ CACHE_BYTES: '20KB' })
  for (let page = 1; page <= 50; page++) await small.get(`${ns}/tags?per_page=${page}`)
  const { answers, bytes } = small.cache.state()
  expect(answers).toBeGreaterThan(2)
  expect(bytes).toBeLessThanOrEqual(20_480)
  await small.close()
})
