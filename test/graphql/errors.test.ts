// Errors that clients see contain no internal details.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let event: number
let venue: number
let tag: number

beforeAll(async () => {
  app = await openTestApp()
  venue = await makeVenue(app.db, 'Hall')
  event = await makeEvent(app.db, 'Party', { venueIds: [venue] })
  tag = await makeTag(app.db, 'late')
})
afterAll(() => app?.close())

const internal = { message: 'Internal error. The server has logged it.', extensions: { code: 'INTERNAL' } }

/** While a table is missing, whatever reads it fails with words of the database. */
async function without<T>(table: string, run: () => Promise<T>): Promise<T> {
  await app.db.$executeRawUnsafe(`ALTER TABLE "${table}" RENAME TO "gone"`)
  try {
    return await run()
  } finally {
    await app.db.$executeRawUnsafe(`ALTER TABLE "gone" RENAME TO "${table}"`)
  }
}

describe('an unexpected error is masked by a generic message with a code', () => {
  test.each([
    ['of a list', 'event', () => '{ events { nodes { title } } }', ['events']],
    ['of a single read', 'content_text', () => `{ event(id: ${event}) { title } }`, ['event']],
    [
      'below a record',
      'tag_text',
      () => `{ tag(id: ${tag}) { databaseId translations { name } } }`,
      ['tag', 'translations'],
    ],
    ['of node', 'venue', () => `{ node(id: "${btoa(`Venue:${venue}`)}") { id } }`, ['node']],
  ])('%s', async (_, table, query, path) => {
    const { status, body } = await without(table, () => app.graphql(query()))
    expect(status).toBe(200)
    expect(body.errors).toEqual([{ ...internal, path, locations: [expect.anything()] }])
    expect(JSON.stringify(body)).not.toMatch(/relation|does not exist|prisma|select/i)
  })

  test('an error before any field is resolved is masked too', async () => {
    const { clock } = app
    const value = clock.now
    Object.defineProperty(clock, 'now', {
      configurable: true,
      get: () => {
        // Fails once, because timers read the clock, too.
        Object.defineProperty(clock, 'now', { configurable: true, writable: true, value })
        throw new Error('secret of the clock')
      },
    })
    const { body } = await app.graphql('{ events { nodes { title } } }')
    expect(body).toEqual({ errors: [internal] })
  })
})

test.each([
  ['unknown number', () => 'event(id: 999)', { code: 'NOT_FOUND', kind: 'event', by: 'id' }],
  ['unknown slug', () => 'venue(slug: "nowhere")', { code: 'NOT_FOUND', kind: 'venue', by: 'slug' }],
  ['record of another kind', () => `event(id: ${venue})`, { code: 'WRONG_KIND', kind: 'event', actual: 'venue' }],
  ['term of another kind', () => `category(id: ${tag})`, { code: 'WRONG_KIND', kind: 'category', actual: 'tag' }],
])('a domain error has its code and data: %s', async (_, field, extensions) => {
  const { status, body } = await app.graphql(`{ result: ${field()} { databaseId } }`)
  expect([status, body.data]).toEqual([200, { result: null }])
  expect(body.errors).toEqual([
    { message: expect.stringMatching(/^[A-Z].*\.$/), locations: [expect.anything()], path: ['result'], extensions },
  ])
})

test('a field that fails does not affect other fields', async () => {
  const { body } = await app.graphql(`{ a: event(id: 999) { title } b: event(id: ${event}) { title } }`)
  expect(body.data).toEqual({ a: null, b: { title: 'Party' } })
  expect(body.errors).toHaveLength(1)
})

test.each([
  ['unknown field', '{ nothing }', 'nothing'],
  ['unknown argument', '{ events(foo: 1) { totalCount } }', 'foo'],
  ['missing selection', '{ events }', 'events'],
  ['unknown enum value', '{ events(orderBy: { field: COLOUR }) { totalCount } }', 'COLOUR'],
  ['wrong type', '{ eventsPage(page: "one") { total } }', 'Int'],
])('an error of validation passes with what is wrong: %s', async (_, query, part) => {
  const { status, body } = await app.graphql(query)
  expect(status).toBe(400)
  expect(body.data).toBeUndefined()
  expect(body.errors[0].message).toContain(part)
})

test('a syntax error is passed to the client', async () => {
  const { status, body } = await app.get('/graphql', { method: 'POST', payload: { query: '{ events' } })
  expect([status, body.errors[0].message]).toEqual([200, expect.stringContaining('Syntax Error')])
})
