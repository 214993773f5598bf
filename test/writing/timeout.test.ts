// A write that takes longer than REQUEST_TIMEOUT is rolled back, or its response says that the outcome is unknown.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { openTestApp, type Reply, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  // Long enough for the first of two writes on a busy machine.
  app = await openTestApp({ REQUEST_TIMEOUT: inject('server') ? '2000' : '200' })
  // The first operation loads modules, which may take longer than that.
  await app.graphql('{ __typename }')
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
})

const events = '/cal/events/v1/events'
const party = { title: 'Party', start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
const createEvents = `mutation ($first: CreateEventInput!, $second: CreateEventInput!) {
  first: createEvent(input: $first) { event { title } userErrors { code } }
  second: createEvent(input: $second) { event { title } userErrors { code } } }`
const dates = { startsLocal: '2027-05-01T20:00:00', endsLocal: '2027-05-01T22:00:00' }

/** The response to a request that is sent while a table is locked. Releases the lock afterwards. */
const whileLocked = (table: string, sendQuery: () => Promise<Reply>): Promise<Reply> =>
  app.db.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`LOCK TABLE "${table}" IN ACCESS EXCLUSIVE MODE`)
      return sendQuery()
    },
    { timeout: 60_000 },
  )

/** Repeats the request until the ones that timed out have ended and their keys can be used again. */
async function untilEnded(sendQuery: () => Promise<Reply>): Promise<Reply> {
  for (;;) {
    const reply = await sendQuery()
    if (reply.status !== 409 && reply.status !== 503) return reply
    await setTimeout(20)
  }
}

const key = (name: string) => ({ 'idempotency-key': name })

test('a write with a 503 response is not stored later, and its key can be used again', async () => {
  const body = { ...party, tags: ['jazz'] }
  const sendQuery = () => admin.send('POST', events, body, key('a'))
  const { status, headers, body: errorResponse } = await whileLocked('tag_text', sendQuery)
  expect([status, headers['retry-after']]).toEqual([503, '1'])
  expect(errorResponse).toMatchObject({ code: 'rest_unavailable', data: { committed: false } })
  const again = await untilEnded(sendQuery)
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined])
  expect([await app.db.event.count(), await app.db.tag.count()]).toEqual([1, 1])
})

// The embedded database has one connection: there, a request waits before it starts to write.
describe.runIf(inject('server'))('a write that waits for a lock', () => {
  test('a GraphQL mutation is rolled back, and earlier mutations report that they were committed', async () => {
    const variables = {
      first: { title: 'First', ...dates },
      second: { title: 'Second', ...dates, tags: [{ nameOrSlug: 'jazz' }] },
    }
    const sendQuery = () => admin.graphql(createEvents, variables, '', key('b'))
    const { status, headers, body } = await whileLocked('tag_text', sendQuery)
    expect([status, headers['retry-after'], body.data]).toEqual([200, undefined, { first: null, second: null }])
    expect(body.errors.map(({ extensions }: { extensions: object }) => extensions)).toEqual([
      expect.objectContaining({ code: 'COMMITTED_UNREADABLE', committed: true, databaseId: expect.any(Number) }),
      expect.objectContaining({ code: 'UNAVAILABLE', committed: false }),
    ])
    const again = await untilEnded(sendQuery)
    expect(again.body.data.second.event).toEqual({ title: 'Second' })
    expect(await app.db.event.count()).toBe(2)
  })

  test('a GraphQL mutation is a 503 if nothing else was written', async () => {
    const query = 'mutation { createTag(input: { name: "jazz" }) { tag { name } userErrors { code } } }'
    const { status, headers, body } = await whileLocked('tag_text', () => admin.graphql(query, {}, '', key('c')))
    expect([status, headers['retry-after'], body.data]).toEqual([503, '1', { createTag: null }])
    expect(body.errors[0].extensions).toMatchObject({ code: 'UNAVAILABLE', committed: false })
    expect((await untilEnded(() => admin.graphql(query, {}, '', key('c')))).status).toBe(200)
    expect(await app.db.tag.count()).toBe(1)
  })

  test('the outcome is unknown if the commit was sent', async () => {
    await app.db.$executeRaw`
      CREATE FUNCTION wait_at_commit() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM FROM category; RETURN NULL; END'`
    try {
      await app.db.$executeRaw`
        CREATE CONSTRAINT TRIGGER wait_at_commit AFTER INSERT ON event DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait_at_commit()`
      const { status, headers, body } = await whileLocked('category', () => admin.send('POST', events, party))
      expect([status, headers['retry-after']]).toEqual([500, undefined])
      expect(body).toMatchObject({ code: 'rest_outcome_unknown', data: { committed: null } })
      // The next write of the same slug waits for the commit.
      await untilEnded(() => admin.send('POST', events, party))
      expect(await app.db.event.count()).toBe(2)
    } finally {
      await app.db.$executeRaw`DROP FUNCTION wait_at_commit CASCADE`
    }
  })
})
