// Requests with an Idempotency-Key write once, however often they are sent.
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { type Method, openTestApp, type Reply, serve, now as start, type TestApp } from '../helpers/app.ts'
import { openTestDatabase, truncate } from '../helpers/db.ts'
import { makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  app.clock.now = start
  admin = await app.signIn('administrator')
})

const events = '/cal/events/v1/events'
const party = { title: 'Party', start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
const keyed = (key: string) => ({ 'idempotency-key': key })

const createEvent = `mutation ($input: CreateEventInput!) {
  createEvent(input: $input) { event { databaseId title } userErrors { code } } }`
const input = { title: 'Party', startsLocal: '2027-05-01T20:00:00', endsLocal: '2027-05-01T22:00:00' }

const replayed = ({ headers }: Reply) => headers['idempotency-replayed']

describe('REST', () => {
  test('a repeated request returns the first response and writes nothing', async () => {
    const first = await admin.send('POST', events, party, keyed('a'))
    expect([first.status, replayed(first)]).toEqual([201, undefined])
    await admin.send('PUT', `${events}/${first.body.id}`, { title: 'Renamed' })
    const second = await admin.send('POST', events, party, keyed('a'))
    expect([second.status, replayed(second)]).toEqual([201, 'true'])
    expect(second.body).toEqual(first.body)
    for (const name of ['content-type', 'content-language', 'cache-control']) {
      expect([name, second.headers[name]]).toEqual([name, first.headers[name]])
    }
    expect(await app.db.event.count()).toBe(1)
    const other = await admin.send('POST', events, party, keyed('b'))
    expect(other.body.id).not.toBe(first.body.id)
  })

  test('a key is the same with and without quotes', async () => {
    const first = await admin.send('POST', events, party, keyed('"8e03978e-40d5-43e8-bc93-6894a57f9324"'))
    const second = await admin.send('POST', events, party, keyed('8e03978e-40d5-43e8-bc93-6894a57f9324'))
    expect([second.body.id, replayed(second)]).toEqual([first.body.id, 'true'])
  })

  test.each<[Method, (id: number, tag: number) => string, object | undefined]>([
    ['PUT', (id) => `${events}/${id}`, { title: 'Other' }],
    ['PATCH', (id) => `${events}/${id}`, { title: 'Other' }],
    ['DELETE', (id) => `${events}/${id}`, undefined],
    ['PUT', () => `${events}/by-slug/party`, { slug: 'feast' }],
    ['DELETE', (_, tag) => `/cal/events/v1/tags/${tag}`, undefined],
  ])('%s %s is executed once', async (method, url, body) => {
    const { body: event } = await admin.send('POST', events, party)
    const address = url(event.id, await makeTag(app.db, 'jazz'))
    const first = await admin.send(method, address, body, keyed('a'))
    expect([first.status, replayed(first)]).toEqual([200, undefined])
    const second = await admin.send(method, address, body, keyed('a'))
    expect([second.status, replayed(second), second.body]).toEqual([200, 'true', first.body])
  })

  test('a different request with the same key is a 422, also at another URL or with another method', async () => {
    const { body } = await admin.send('POST', events, party, keyed('a'))
    const others = [
      await admin.send('POST', events, { ...party, title: 'Other' }, keyed('a')),
      await admin.send('POST', `${events}/${body.id}`, party, keyed('a')),
      await admin.send('PUT', `${events}/${body.id}`, party, keyed('a')),
      await admin.graphql(createEvent, { input }, '', keyed('a')),
    ]
    expect(others.map(({ status }) => status)).toEqual([422, 422, 422, 422])
    expect(others[0]?.body).toMatchObject({ code: 'rest_idempotency_key_reused', data: { status: 422 } })
    expect(others[3]?.body.errors[0].extensions).toEqual({ code: 'IDEMPOTENCY_KEY_REUSED' })
    // The order of the parameters and the encoding do not make it a different request.
    const reordered = Object.fromEntries(Object.entries(party).reverse())
    const form = new URLSearchParams(reordered).toString()
    expect((await admin.send('POST', events, reordered, keyed('a'))).body.id).toBe(body.id)
    expect((await admin.send('POST', events, form, keyed('a'))).body.id).toBe(body.id)
  })

  test('a key is only valid for its user', async () => {
    const other = await app.signIn('editor')
    const first = await admin.send('POST', events, party, keyed('a'))
    const second = await other.send('POST', events, party, keyed('a'))
    expect(replayed(second)).toBe(undefined)
    expect(second.body.id).not.toBe(first.body.id)
    expect((await app.send('POST', events, party, keyed('a'))).status).toBe(401)
  })

  test('two users send one key at the same time, and both write', async () => {
    const other = await app.signIn('editor')
    const replies = await Promise.all([admin, other].map((user) => user.send('POST', events, party, keyed('a'))))
    expect(replies.map((reply) => [reply.status, replayed(reply)])).toEqual([
      [201, undefined],
      [201, undefined],
    ])
  })

  test('the order of the names in a request does not matter', async () => {
    const first = await admin.send('POST', events, party, keyed('a'))
    const second = await admin.send('POST', events, Object.fromEntries(Object.entries(party).reverse()), keyed('a'))
    expect([second.status, second.body.id, replayed(second)]).toEqual([201, first.body.id, 'true'])
  })

  test.each(['', 'a'.repeat(256), '"open', 'a b', 'é', '"é"'])('the key %j is refused', async (key) => {
    const { status, body } = await admin.send('POST', events, party, keyed(key))
    expect([status, body.data.params]).toEqual([400, { 'Idempotency-Key': expect.stringContaining('255') }])
    const graph = await admin.graphql(createEvent, { input }, '', keyed(key))
    expect([graph.status, graph.body.errors[0].extensions.code]).toEqual([400, 'BAD_INPUT'])
    expect(await app.db.event.count()).toBe(0)
  })

  test('a rejected request does not use up its key', async () => {
    const wrong = await admin.send('POST', events, { ...party, venue: 77_777 }, keyed('a'))
    expect(wrong.status).toBe(400)
    expect(await app.db.idempotencyKey.count()).toBe(0)
    expect((await admin.send('POST', events, party, keyed('a'))).status).toBe(201)
  })

  test('a key expires after 24 hours', async () => {
    const first = await admin.send('POST', events, party, keyed('a'))
    app.clock.now = new Date(start.getTime() + 24 * 3_600_000 - 1000)
    expect((await admin.send('POST', events, party, keyed('a'))).body.id).toBe(first.body.id)
    app.clock.now = new Date(start.getTime() + 24 * 3_600_000)
    const second = await admin.send('POST', events, { ...party, title: 'Other' }, keyed('a'))
    expect([second.status, replayed(second), second.body.title]).toEqual([201, undefined, 'Other'])
    expect((await admin.send('POST', events, { ...party, title: 'Other' }, keyed('a'))).body).toEqual(second.body)
  })

  test('a retry without a stored response reads the record again or returns its ID', async () => {
    const first = await admin.send('POST', events, party, keyed('a'))
    const forget = () => app.db.idempotencyKey.updateMany({ data: { status: null, body: null } })
    await forget()
    const second = await admin.send('POST', events, party, keyed('a'))
    expect([second.status, replayed(second), second.body]).toEqual([201, 'true', first.body])
    await forget()
    await admin.graphql(`mutation { deleteEvent(input: { id: ${first.body.id} }) { databaseId } }`)
    const third = await admin.send('POST', events, party, keyed('a'))
    expect(third.status).toBe(201)
    expect(third.body).toMatchObject({
      id: first.body.id,
      code: 'rest_committed_unreadable',
      data: { committed: true },
    })
    expect(third.headers.location).toBe(`http://calendar.test${events}/${first.body.id}`)
    expect(await app.db.event.count()).toBe(0)
  })

  test('a retried deletion returns the record even if the response was not stored', async () => {
    const tag = await makeTag(app.db, 'jazz')
    await admin.send('DELETE', `/cal/events/v1/tags/${tag}`, undefined, keyed('a'))
    await app.db.idempotencyKey.updateMany({ data: { status: null, body: null } })
    const again = await admin.send('DELETE', `/cal/events/v1/tags/${tag}`, undefined, keyed('a'))
    expect([again.status, again.body.id, again.body.code]).toEqual([200, tag, 'rest_committed_unreadable'])
  })

  test('a large response is not stored, and a retry still writes nothing', async () => {
    const description = 'word '.repeat(15_000)
    const body = { ...party, description, excerpt: description }
    const first = await admin.send('POST', events, body, keyed('a'))
    expect(await app.db.idempotencyKey.findMany({ select: { status: true } })).toEqual([{ status: null }])
    const second = await admin.send('POST', events, body, keyed('a'))
    expect([second.status, replayed(second), second.body.id]).toEqual([201, 'true', first.body.id])
  })
})

describe('GraphQL', () => {
  test('a repeated mutation returns the first result', async () => {
    const first = await admin.graphql(createEvent, { input }, '', keyed('a'))
    const id = first.body.data.createEvent.event.databaseId
    await admin.send('PUT', `${events}/${id}`, { title: 'Renamed' })
    const second = await admin.graphql(createEvent, { input }, '', keyed('a'))
    expect([second.status, replayed(second), second.body]).toEqual([200, 'true', first.body])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    const other = await admin.graphql(createEvent, { input: { ...input, title: 'Other' } }, '', keyed('a'))
    expect([other.status, other.body.errors[0].extensions.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
    expect(await app.db.event.count()).toBe(1)
  })

  test('each successful mutation of an operation is executed once, and rejected ones again', async () => {
    const tag = (name: string) =>
      `createTag(input: { name: ${JSON.stringify(name)} }) { tag { databaseId } userErrors { code } }`
    const query = `mutation { a: ${tag('one')} b: ${tag('two')} }`
    await makeTag(app.db, 'two')
    const first = await admin.graphql(query, {}, '', keyed('a'))
    expect(first.body.data.b.userErrors).toEqual([{ code: 'TERM_EXISTS' }])
    await app.db.idempotencyKey.updateMany({ data: { status: null, body: null } })
    await app.db.tag.deleteMany({ where: { NOT: { id: first.body.data.a.tag.databaseId } } })
    const second = await admin.graphql(query, {}, '', keyed('a'))
    expect(second.body.data.a).toEqual(first.body.data.a)
    expect(second.body.data.b.tag.databaseId).toEqual(expect.any(Number))
    expect(await app.db.tag.count()).toBe(2)
  })

  test('a secret is returned only once', async () => {
    const query =
      'mutation { createApiToken(input: { name: "a" }) { credential { databaseId } secret userErrors { code } } }'
    const first = await admin.graphql(query, {}, '', keyed('a'))
    const { credential, secret } = first.body.data.createApiToken
    expect(secret).toEqual(expect.any(String))
    const second = await admin.graphql(query, {}, '', keyed('a'))
    expect(second.body.data.createApiToken).toEqual({ credential, secret: null, userErrors: [] })
    expect(replayed(second)).toBe('true')
    const rows = await app.db.$queryRaw<{ row: string }[]>`SELECT k::text AS row FROM idempotency_key k`
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(secret)
  })

  test('users are created and deleted once', async () => {
    const create = `mutation { createUser(input: { login: "ada", name: "Ada", role: AUTHOR }) { user { databaseId } userErrors { code } } }`
    const first = await admin.graphql(create, {}, '', keyed('a'))
    expect((await admin.graphql(create, {}, '', keyed('a'))).body).toEqual(first.body)
    const remove = `mutation { deleteUser(input: { id: ${first.body.data.createUser.user.databaseId} }) { databaseId recordsHandedOver userErrors { code } } }`
    const removed = await admin.graphql(remove, {}, '', keyed('b'))
    expect(removed.body.data.deleteUser.userErrors).toEqual([])
    await app.db.idempotencyKey.updateMany({ data: { status: null, body: null } })
    expect((await admin.graphql(remove, {}, '', keyed('b'))).body).toEqual(removed.body)
  })

  test('a query ignores the key', async () => {
    const query = '{ events { totalCount } }'
    const replies = [await admin.graphql(query, {}, '', keyed('a')), await admin.graphql(query, {}, '', keyed('a'))]
    expect(replies.map((reply) => [reply.status, replayed(reply)])).toEqual([
      [200, undefined],
      [200, undefined],
    ])
    expect(await app.db.idempotencyKey.count()).toBe(0)
  })
})

describe('concurrent requests with the same key', () => {
  test.each(['REST', 'GraphQL'])('20 requests with one key to %s create one record', async (api) => {
    const ask = () =>
      api === 'REST'
        ? admin.send('POST', events, party, keyed('a'))
        : admin.graphql(createEvent, { input }, '', keyed('a'))
    const replies = await Promise.all(Array.from({ length: 20 }, ask))
    const done = api === 'REST' ? 201 : 200
    for (const { status, headers } of replies) {
      if (status !== done) expect([status, headers['retry-after']]).toEqual([409, '1'])
    }
    expect(replies.filter((reply) => reply.status === done && !replayed(reply))).toHaveLength(1)
    expect(await app.db.event.count()).toBe(1)
    expect(replayed(await ask())).toBe('true')
  })

  test.runIf(inject('server'))('20 requests with one key to two instances create one record', async () => {
    const database = await openTestDatabase()
    const one = await serve(database)
    const two = await serve({ ...database, close: async () => {} })
    const user = await one.signIn('author')
    const clients = [one.as(user), two.as(user)]
    const ask = (n: number) => clients[n % 2]?.send('POST', events, { ...party, venue: { venue: 'Hall' } }, keyed('a'))
    const replies = await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n)))
    for (const reply of replies) expect([201, 409]).toContain(reply?.status)
    const ids = new Set(replies.filter((reply) => reply?.status === 201).map((reply) => reply?.body.id))
    expect(ids.size).toBe(1)
    expect([await database.db.event.count(), await database.db.venue.count()]).toEqual([1, 1])
    await two.close()
    await one.close()
  })
})

test('a write with a key takes five statements more than one without', async () => {
  const venue = await makeVenue(app.db, 'Hall')
  const count = async (title: string, headers: Record<string, string>) => {
    app.statements.length = 0
    await admin.send('POST', events, { ...party, title, venue }, headers)
    return app.statements.length
  }
  await count('First', keyed('first'))
  expect(await count('Second', {})).toBe(7)
  // Five statements: look up the key, lock it, insert it, store the outcome, store the response.
  expect(await count('Third', keyed('third'))).toBe(12)
})
