// Fields of series, and their identity in iCalendar files.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { ruled } from '../helpers/series.ts'

let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('editor')
})
beforeEach(() => {
  app.clock.now = new Date('2026-11-21T12:00:00Z')
})
afterAll(() => app?.close())

const written = 'userErrors { code path } series { id databaseId uid }'

async function create(day: string, input: object = {}) {
  const schedule = { timeZone: 'Europe/Paris', ...ruled(`${day}T19:00`, 'FREQ=WEEKLY;COUNT=2') }
  const query = `mutation ($input: CreateEventSeriesInput!) { written: createEventSeries(input: $input) { ${written} } }`
  const { body } = await editor.graphql(query, { input: { title: 'Course', status: 'PUBLISHED', schedule, ...input } })
  return body.data.written
}

const taken = [{ code: 'CONFLICT', path: ['uid'] }]

test('a UID belongs to one series or event', async () => {
  const uid = 'course@example.org'
  const { userErrors, series } = await create('2026-12-01', { uid })
  expect(userErrors).toEqual([])
  expect((await create('2026-12-01', { uid })).userErrors).toEqual(taken)
  const other = await create('2026-12-01')
  const event = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code path } } }'
  const times = { startsLocal: '2026-12-24T20:00:00', endsLocal: '2026-12-24T23:00:00' }
  for (const each of [uid, other.series.uid]) {
    const { body } = await editor.graphql(event, { input: { title: 'Party', uid: each, ...times } })
    expect([each, body.data.createEvent.userErrors]).toEqual([each, taken])
  }
  const update = `mutation ($input: UpdateEventSeriesInput!) { written: updateEventSeries(input: $input) { ${written} } }`
  const change = async (id: number) =>
    (await editor.graphql(update, { input: { id, uid } })).body.data.written.userErrors
  expect(await change(series.databaseId)).toEqual([])
  expect(await change(other.series.databaseId)).toEqual(taken)
})

test('the next event of each series', async () => {
  const courses = [await create('2026-12-01'), await create('2026-12-02')]
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on EventSeries { nextEvent { startsLocal } } } }'
  const nextAt = async (time: string) => {
    app.clock.now = new Date(time)
    const { body } = await app.graphql(query, { ids: courses.map(({ series }) => series.id) })
    const nodes: { nextEvent: { startsLocal: string } | null }[] = body.data.nodes
    return nodes.map(({ nextEvent }) => nextEvent?.startsLocal.slice(0, 10) ?? null)
  }
  expect(await nextAt('2026-11-30T00:00:00Z')).toEqual(['2026-12-01', '2026-12-02'])
  expect(await nextAt('2026-12-02T00:00:00Z')).toEqual(['2026-12-08', '2026-12-02'])
  expect(await nextAt('2026-12-09T00:00:00Z')).toEqual([null, '2026-12-09'])
  expect(await nextAt('2026-12-10T00:00:00Z')).toEqual([null, null])
})

test.each([
  ['9999-12-31', 1, 'NOT_FOUND'],
  ['0000-01-01', 1, 'BAD_INPUT'],
  ['2026-12-01', 40_000, 'NOT_FOUND'],
  ['2026-12-01', 0, 'NOT_FOUND'],
])('the date of a series on %s with the number %i is refused: %s', async (day, dayNumber, code) => {
  await create('2026-12-01', { slug: 'numbered' })
  const query =
    'query ($day: LocalDate, $dayNumber: Int) { event(slug: "numbered", day: $day, dayNumber: $dayNumber) { id } }'
  const { body } = await app.graphql(query, { day, dayNumber })
  expect(body.errors[0].extensions.code).toBe(code)
})

test('an operation reads the dates of a series once for iCalendar, for all events and aliases', async () => {
  const { series } = await create('2026-12-01')
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on EventSeries {
    icalendar { rules } again: icalendar { rules } events(first: 2) { nodes { series { icalendar { rules } } } } } } }`
  await app.graphql(query, { ids: [series.id] })
  await app.db.event.updateMany({ where: { seriesId: series.databaseId }, data: { sticky: true } })
  app.statements.length = 0
  const { body } = await app.graphql(query, { ids: [series.id] })
  const { icalendar, again, events } = body.data.nodes[0]
  expect(icalendar.rules).toHaveLength(1)
  expect([again, ...events.nodes.map((event: { series: object }) => event.series)]).toEqual([
    icalendar,
    ...[1, 2].map(() => ({ icalendar })),
  ])
  expect(app.statements.filter((text) => text.includes('changed_fields'))).toHaveLength(1)
})
