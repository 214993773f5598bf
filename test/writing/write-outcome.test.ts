// The connection to the database is lost around a commit: the response says whether the write was committed, and a retry
// with the same Idempotency-Key never writes twice.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { serve, type TestApp } from '../helpers/app.ts'
import { type Cut, type Cutter, openCutter } from '../helpers/connection-cutter.ts'
import { truncate } from '../helpers/db.ts'

let cutter: Cutter
let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  cutter = await openCutter()
  app = await serve(cutter)
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
  await cutter.restore()
})
afterEach(() => cutter.restore())

const events = '/cal/events/v1/events'
const dates = { start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
const key = { 'idempotency-key': 'a' }

const party = { title: 'Party', ...dates, tags: ['jazz'] }

const createEvent = `mutation ($input: CreateEventInput!) {
  createEvent(input: $input) { event { databaseId id title } userErrors { code } } }`
const feast = { title: 'Feast', startsLocal: '2027-05-01T20:00:00', endsLocal: '2027-05-01T22:00:00' }

const rest = (headers = {}) => admin.send('POST', events, party, headers)
const graph = (headers = {}) => admin.graphql(createEvent, { input: feast }, '', headers)

const insertEvent = 'INSERT INTO "public"."event" ('

async function storedIds(): Promise<number[]> {
  await cutter.restore()
  return (await app.db.event.findMany({ select: { id: true } })).map(({ id }) => id)
}

describe('a write whose record could not be read back', () => {
  test('is a success with its ID in REST', async () => {
    cutter.arm('COMMIT', 'after the response')
    const { status, headers, body } = await rest()
    const [id] = await storedIds()
    expect([status, headers['retry-after']]).toEqual([201, undefined])
    expect(body).toMatchObject({ id, code: 'rest_committed_unreadable', data: { status: 201, committed: true } })
    expect(headers.location).toBe(`http://calendar.test${events}/${id}`)
  })

  test('is an error with its IDs in GraphQL', async () => {
    cutter.arm('COMMIT', 'after the response')
    const { status, headers, body } = await graph()
    const [id] = await storedIds()
    expect([status, headers['retry-after'], body.data]).toEqual([200, undefined, { createEvent: null }])
    const extensions = { code: 'COMMITTED_UNREADABLE', committed: true, databaseId: id, id: btoa(`Event:${id}`) }
    expect(body.errors).toEqual([expect.objectContaining({ path: ['createEvent', 'event'], extensions })])
  })
})

describe('a write whose confirmation was lost', () => {
  test.each<[Cut, number]>([
    ['before the statement', 0],
    ['before the response', 1],
  ])('has an unknown outcome: %s', async (cut, stored) => {
    cutter.arm('COMMIT', cut)
    const byRest = await rest()
    expect([byRest.status, byRest.headers['retry-after']]).toEqual([500, undefined])
    expect(byRest.body).toMatchObject({ code: 'rest_outcome_unknown', data: { status: 500, committed: null } })
    expect(await storedIds()).toHaveLength(stored)
    cutter.arm('COMMIT', cut)
    const byGraph = await graph()
    expect([byGraph.status, byGraph.headers['retry-after']]).toEqual([200, undefined])
    expect(byGraph.body.data).toEqual({ createEvent: null })
    expect(byGraph.body.errors[0].extensions).toEqual({ code: 'OUTCOME_UNKNOWN', committed: null })
    expect(await storedIds()).toHaveLength(2 * stored)
  })
})

test('a write that fails before its commit is 503, and says that nothing was written', async () => {
  cutter.arm(insertEvent, 'before the statement')
  const byRest = await rest()
  expect([byRest.status, byRest.headers['retry-after']]).toEqual([503, '1'])
  expect(byRest.body).toMatchObject({ code: 'rest_unavailable', data: { committed: false } })
  await cutter.restore()
  cutter.arm(insertEvent, 'before the response')
  const byGraph = await graph()
  expect([byGraph.status, byGraph.headers['retry-after']]).toEqual([503, '1'])
  expect(byGraph.body.data).toEqual({ createEvent: null })
  expect(byGraph.body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', committed: false, retryAfter: 1 })
  expect(await storedIds()).toEqual([])
})

test('a failed mutation does not hide the outcome of the others, and does not ask clients to repeat all', async () => {
  const field = (title: string) =>
    `createEvent(input: { title: ${JSON.stringify(title)}, startsLocal: "2027-05-01T20:00:00", endsLocal: "2027-05-01T22:00:00" }) { event { title } userErrors { code } }`
  cutter.arm('Second', 'before the statement')
  const { status, headers, body } = await admin.graphql(`mutation { a: ${field('First')} b: ${field('Second')} }`)
  expect([status, headers['retry-after']]).toEqual([200, undefined])
  expect(body.data).toEqual({ a: { event: { title: 'First' }, userErrors: [] }, b: null })
  expect(body.errors[0]).toMatchObject({ path: ['b'], extensions: { code: 'UNAVAILABLE', committed: false } })
  expect(await storedIds()).toHaveLength(1)
})

test('an unreadable nested field does not make a committed write look rejected', async () => {
  const query = `mutation { createVenue(input: { name: "Hall" }) {
    venue { databaseId events(first: -1) { nodes { title } } } userErrors { code } } }`
  const { status, body } = await admin.graphql(query)
  const [venue] = await app.db.venue.findMany()
  expect([status, body.data]).toEqual([200, { createVenue: null }])
  expect(body.errors[0].extensions).toMatchObject({ committed: true, databaseId: venue?.id })
})

const cuts: readonly Cut[] = ['before the statement', 'before the response', 'after the response']
const cases = cuts.flatMap((cut) =>
  ['COMMIT', insertEvent, 'INSERT INTO idempotency_key', 'UPDATE idempotency_key'].map(
    (marker) => [cut, marker] as const,
  ),
)

describe('a retry with the same key after a lost connection', () => {
  test.each(cases)('%s %s: REST writes once', async (cut, marker) => {
    cutter.arm(marker, cut)
    const first = await rest(key)
    await cutter.restore()
    const second = await rest(key)
    const [id, ...more] = await storedIds()
    expect([second.status, second.body.id, second.body.title, more]).toEqual([201, id, 'Party', []])
    if (first.status === 201) expect(first.body.id).toBe(id)
    if (first.body.data?.committed === false) expect(second.headers['idempotency-replayed']).toBe(undefined)
    if (first.status === 201) expect(second.headers['idempotency-replayed']).toBe('true')
    expect((await rest(key)).body).toEqual(second.body)
    expect(await app.db.tag.count()).toBe(1)
  })

  test.each(cases)('%s %s: GraphQL writes once', async (cut, marker) => {
    cutter.arm(marker, cut)
    await graph(key)
    await cutter.restore()
    const second = await graph(key)
    const [id, ...more] = await storedIds()
    expect([second.status, second.body.data.createEvent.event.databaseId, more]).toEqual([200, id, []])
    expect((await graph(key)).body).toEqual(second.body)
  })
})
