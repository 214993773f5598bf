// Invalid requests get an error for the client and are not logged as errors of the service.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
const start = (...values: unknown[]) => cursor('startsAt', ...values)
const date = '2026-01-01T00:00:00.000Z'

const hostile: [string, string][] = [
  ['negative first', 'events(first: -1)'],
  ['negative last', 'events(last: -1)'],
  ['page 0', 'eventsPage(page: 0)'],
  ['negative page', 'eventsPage(page: -1)'],
  ['no items on a page', 'eventsPage(perPage: 0)'],
  ['empty cursor', 'events(after: "")'],
  ['cursor of nobody', 'events(after: "nonsense")'],
  ['cursor that is no list', `events(before: "${Buffer.from('{}').toString('base64url')}")`],
  ['cursor of another list', `events(after: "${cursor('name', 'Jazz', 1)}")`],
  ['cursor of another order', `events(after: "${cursor('endsAt', date, date, 1)}")`],
  ['cursor without an order', `events(after: "${cursor(date, date, 1)}")`],
  ['cursor with too few values', `events(after: "${start(date, 1)}")`],
  ['cursor with too many values', `events(after: "${start(date, date, 1, 1)}")`],
  ['cursor with a number beyond all', `events(after: "${start(date, date, 2 ** 31)}")`],
  ['cursor with half a number', `events(after: "${start(date, date, 0.5)}")`],
  ['cursor before year 1', `events(after: "${start('0000-01-01T00:00:00Z', date, 1)}")`],
  ['cursor long before', `events(after: "${start('-100000-01-01T00:00:00Z', date, 1)}")`],
  ['cursor long after', `events(after: "${start('+100000-01-01T00:00:00Z', date, 1)}")`],
  ['cursor with NUL', `tags(after: "${cursor('name', 'a\0', 1)}")`],
  ['cursor with a number for a name', `categories(after: "${cursor('name', 1, 1)}")`],
  ['cursor of one value for two', `venues(after: "${cursor('-publishedAt', date)}")`],
]

test.each(hostile)('%s is a client error, not an internal one', async (_, field) => {
  const items = field.startsWith('eventsPage') ? 'items' : 'nodes'
  const { body } = await app.graphql(`{ ${field} { ${items} { databaseId } } }`)
  expect(body.errors.map((error: { extensions: object }) => error.extensions)).toMatchObject([{ code: 'BAD_INPUT' }])
})

test('a negative size of a relation is an input error', async () => {
  const id = await makeVenue(app.db, 'Hall')
  const { body } = await app.graphql(`{ venue(id: ${id}) { events(first: -1) { nodes { title } } } }`)
  expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
})

test.each([
  ['neither ID nor slug', 'event'],
  ['both ID and slug', 'event(id: 1, slug: "a")'],
  ['ID and slug null', 'event(id: null, slug: null)'],
  ['venue without ID', 'venue'],
  ['organizer without ID', 'organizer'],
  ['category without ID', 'category'],
  ['tag without ID', 'tag'],
  ['opaque ID of no shape', 'node(id: "nonsense")'],
  ['opaque ID of a type that there is not', `node(id: "${btoa('Nothing:1')}")`],
  ['opaque ID without a number', `node(id: "${btoa('Image:one')}")`],
])('%s is a client error, not an internal one', async (_, field) => {
  const { body } = await app.graphql(`{ ${field} { __typename } }`)
  expect(body.errors.map((error: { extensions: object }) => error.extensions)).toMatchObject([{ code: 'BAD_INPUT' }])
})

test.each([
  ['startsAt', '2026-12-01T10:00:00Z', true],
  ['startsAt', '9999-12-31T23:59:59Z', true],
  ['startsAt', '0001-01-01T00:00:00Z', true],
  ['startsAt', '0000-12-31T23:59:59Z', false],
  ['startsAt', '9999-12-31T23:59:59-01:00', false],
  ['startsAt', '2026-02-30T00:00:00Z', false],
  ['startsAt', '2026-12-31T20:00:00+0000', true],
  ['startsAt', '2026-12-31T20:00:00+00:00', true],
  ['startsAt', '2026-12-31T20:00:00-1', false],
  ['startsAt', '2016-12-31T23:59:60Z', true],
  ['startsAt', '2017-01-01T00:59:60.5+0100', true],
  ['startsAt', '2016-12-31T20:59:60Z', false],
  ['startsAt', '2016-12-31T23:58:60Z', false],
  ['startsAt', '2026-12-01', false],
  ['startsLocal', '2026-12-01T10:00:00', true],
  ['startsLocal', '2028-02-29T00:00:00', true],
  ['startsLocal', '0000-01-01T00:00:00', false],
  ['startsLocal', '2026-02-29T00:00:00', false],
  ['startsLocal', '2026-12-01T24:00:00', false],
  ['startsLocal', '2026-12-01T10:00:00Z', false],
  ['startsLocal', '2026-12-01T10:00:00+01:00', false],
  ['startsLocal', '2026-12-01', false],
  ['startsLocal', '2026-12-01T20:00', true],
  ['startsLocal', '2026-02-30T20:00', false],
  ['startsLocal', '2026-12-01T20:00+01:00', false],
  ['startsLocal', '2026-12-01T20', false],
])('%s takes %s: %s', async (field, bound, valid) => {
  const type = field === 'startsAt' ? 'DateTime' : 'LocalDateTime'
  const literal = await app.graphql(`{ events(filter: { ${field}: { lt: "${bound}" } }) { totalCount } }`)
  const query = `query ($bound: ${type}) { events(filter: { ${field}: { lt: $bound } }) { totalCount } }`
  const variable = await app.graphql(query, { bound })
  for (const { body } of [literal, variable]) {
    if (valid) expect(body).toEqual({ data: { events: { totalCount: 0 } } })
    else expect([body.data, body.errors[0].extensions?.code === 'INTERNAL']).toEqual([undefined, false])
  }
})

test.each([
  ['an ID beyond all', 'event(id: "2147483648")'],
  ['an ID of many digits', 'venue(id: "99999999999999999999")'],
  ['ID 0', 'organizer(id: 0)'],
  ['an ID that is no number', 'tag(id: "1e3")'],
  ['an empty slug', 'category(slug: "")'],
  ['a slug with NUL', 'event(slug: "a\\u0000b")'],
  ['an opaque ID with another number than a record can have', `event(id: "${btoa('Event:99999999999')}")`],
])('%s names nothing', async (_, field) => {
  const { body } = await app.graphql(`{ ${field} { __typename } }`)
  expect(body.errors[0].extensions.code).toBe('NOT_FOUND')
})
