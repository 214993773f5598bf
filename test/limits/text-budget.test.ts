// The limit on texts in one response.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type TestApp, unverified } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'
import { ns } from '../helpers/rest.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', ...unverified })
  const venueIds = [await makeVenue(app.db, 'Hall')]
  for (let n = 0; n < 50; n += 1) await makeEvent(app.db, `Event ${n}`, { venueIds })
  // Not by way of the service: search would take in every word.
  await app.db.$executeRaw`UPDATE content_text
    SET description = content_id || repeat(' word', 19990), written = written || ARRAY['description']`
})
afterAll(() => app?.close())

const aliases = (field: string, count: number) => Array.from({ length: count }, (_, n) => `t${n}: ${field}`).join(' ')
const page = (selection: string) => `{ eventsPage(perPage: 50) { items { ${selection} } } }`

it('the largest page contains all of its texts', async () => {
  const { body } = await app.graphql(page('description descriptionHtml'))
  expect(body.data.eventsPage.items).toHaveLength(50)
  const list = await app.get(`${ns}/events?per_page=50&start_date=1900-01-01`)
  expect([list.status, list.body.events.length]).toEqual([200, 50])
})

describe('a response with too much text has one error', () => {
  it.each([
    ['by aliases', page(aliases('descriptionHtml', 6))],
    ['by aliases with a directive', page(`${aliases('description', 6)} id @include(if: true)`)],
    ['by aliases of translations', page(`translations { ${aliases('descriptionHtml', 6)} }`)],
    ['in a connection', `{ events(first: 50) { nodes { ${aliases('description', 6)} } } }`],
    [
      'by several pages',
      `{ ${Array.from({ length: 5 }, (_, n) => `p${n}: eventsPage(perPage: 50) { items { id description } }`).join(' ')} }`,
    ],
  ])('%s', async (_, query) => {
    const { body } = await app.graphql(query)
    expect(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code)).toEqual([
      'ANSWER_TOO_LARGE',
    ])
    expect(body.data ?? null).toBeNull()
  })
})

it('the texts of an event count on each day of a calendar', async () => {
  const times = { start: '2028-01-01T00:00:00', end: '2028-04-08T23:59:59' }
  const ids = await Promise.all([1, 2, 3].map((n) => makeEvent(app.db, `Exhibition ${n}`, times)))
  await app.db.$executeRaw`UPDATE content_text
    SET description = content_id || repeat(' word', 19990), written = written || ARRAY['description']
    WHERE content_id = ANY(${ids})`
  const calendar = (first: number) =>
    app.graphql(
      `{ eventCalendar(from: "2028-01-01", to: "2028-04-09") { days { events(first: ${first}) { description } } } }`,
    )
  const [one, three] = [await calendar(1), await calendar(3)]
  await app.db.event.deleteMany({ where: { id: { in: ids } } })
  expect(one.body.errors).toBeUndefined()
  expect(one.body.data.eventCalendar.days).toHaveLength(100)
  expect(three.body.errors[0].extensions.code).toBe('ANSWER_TOO_LARGE')
})

it('an operation that runs again with its password starts with a full budget', async () => {
  const key = await hashRecordPassword('secret', app.site.passwordSalt)
  const id = await makeEvent(app.db, { en: { name: 'Choir', description: 'Rehearsal' } }, { passwordKey: key })
  const query = `query @inContext(password: "secret") {
    event(id: ${id}) { description } eventsPage(perPage: 50) { items { ${aliases('description', 3)} } }
  }`
  const { body } = await app.graphql(query)
  await app.db.event.delete({ where: { id } })
  expect(body.errors).toBeUndefined()
  expect(body.data.event.description).toBe('Rehearsal')
  expect(body.data.eventsPage.items).toHaveLength(50)
})

it('a record whose text exceeded the limit of one response has its text in the next response', async () => {
  const large = await makeEvent(app.db, 'Large', { start: '2027-01-01T10:00:00' })
  const small = await makeEvent(
    app.db,
    { en: { name: 'Small', description: 'Rehearsal' } },
    { start: '2027-01-02T10:00:00' },
  )
  await app.db.$transaction([
    // Without triggers: the log of changes would compare 21 MB, which takes half of the time of this test.
    app.db.$executeRaw`SET LOCAL session_replication_role = replica`,
    app.db.$executeRaw`UPDATE content_text
      SET description = repeat('word ', 4200000), written = written || ARRAY['description'] WHERE content_id = ${large} AND language = 'en'`,
  ])
  const query = `query ($ids: [ID!]) { eventsPage(filter: { include: $ids }) { items { databaseId description } } }`
  const together = await app.graphql(query, { ids: [large, small] })
  const alone = await app.graphql(query, { ids: [small] })
  await app.db.event.deleteMany({ where: { id: { in: [large, small] } } })
  expect(together.body.errors[0].extensions.code).toBe('ANSWER_TOO_LARGE')
  expect(alone.body).toEqual({ data: { eventsPage: { items: [{ databaseId: small, description: 'Rehearsal' }] } } })
})

it('a response with too much text has status 400 for application/graphql-response+json, and 200 for application/json', async () => {
  const payload = { query: page(aliases('descriptionHtml', 6)) }
  const statuses = []
  for (const accept of ['application/graphql-response+json', 'application/json', '*/*']) {
    const { status, body } = await app.get('/graphql', { method: 'POST', payload, headers: { accept } })
    expect(body.errors[0].extensions.code).toBe('ANSWER_TOO_LARGE')
    statuses.push(status)
  }
  expect(statuses).toEqual([400, 200, 200])
})

it('texts of lists within lists are part of the cost', async () => {
  const query = '{ venues(first: 50) { nodes { events(first: 50) { nodes { description } } } } }'
  expect((await app.graphql(query)).body.errors[0].extensions.code).toBe('QUERY_TOO_COSTLY')
  expect((await app.graphql(query.replaceAll('50', '10'))).body.errors).toBeUndefined()
})
