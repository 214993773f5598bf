// Totals of lists are cached apart from the pages.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { unique } from '../helpers/cache-hits.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  for (let n = 0; n < 3; n++) await makeEvent(app.db, unique('Concert'))
})
afterAll(() => app?.close())
beforeEach(async () => {
  app.clock.now = now
  await app.db.$executeRaw`NOTIFY calendar_changes, 'anything'`
})

interface Counted {
  readonly total: number
  /** Whether a statement counted it. */
  readonly isCounted: boolean
}

async function ask(query: string, ask = () => app.graphql(query)): Promise<Counted> {
  app.statements.length = 0
  const { status, headers, body } = await ask()
  expect([status, headers['cache-status'], body.errors]).toEqual([200, 'calendar; fwd=miss', undefined])
  const { list } = body.data ?? { list: body }
  return { total: list.total ?? list.totalCount, isCounted: app.statements.some((sql) => /count\(\*\)/i.test(sql)) }
}

const restPage = (query: string) => ask('', () => app.get(`/cal/events/v1/events?${query}`))

test('the other pages, orders and selections of a list use the total of the first', async () => {
  const first = await ask('{ list: eventsPage(perPage: 1) { total items { title } } }')
  expect(first).toEqual({ total: expect.any(Number), isCounted: true })
  for (const query of [
    '{ list: eventsPage(perPage: 1, page: 2) { total items { title } } }',
    '{ list: eventsPage(perPage: 2, orderBy: { field: TITLE }) { total items { databaseId } } }',
    '{ list: events(first: 1) { totalCount nodes { title } } }',
    '{ list: events(first: 1) { totalCount } }',
    '{ list: eventsPage { total } }',
  ]) {
    expect(await ask(query)).toEqual({ ...first, isCounted: false })
  }
})

test('the pages of REST share their total', async () => {
  const first = await restPage('per_page=1')
  expect(first.isCounted).toBe(true)
  expect(await restPage('per_page=1&page=2')).toEqual({ ...first, isCounted: false })
})

test('each filter and each language has its own total', async () => {
  expect((await ask('{ list: eventsPage { total } }')).isCounted).toBe(true)
  expect(await ask('{ list: eventsPage(filter: { include: [] }) { total } }')).toEqual({ total: 0, isCounted: true })
  const french = await ask('', () => app.graphql('{ list: eventsPage { total } }', {}, '/fr'))
  expect(french.isCounted).toBe(true)
})

test('a new event is counted at once', async () => {
  const { total } = await ask('{ list: eventsPage { total } }')
  await makeEvent(app.db, unique('Concert'))
  expect(await ask('{ list: eventsPage(page: 2) { total } }')).toEqual({ total: total + 1, isCounted: true })
})

test('a total depends on what its filter reads, and not on what its items show', async () => {
  const hall = await makeVenue(app.db, unique('Hall'), { city: 'Gent' })
  await makeEvent(app.db, unique('Concert'), { venueIds: [hall] })
  const all = await ask('{ list: eventsPage(perPage: 1) { total items { venues { name } } } }')
  const inGent = await ask('{ list: eventsPage(filter: { cities: ["Gent"] }) { total } }')
  expect(inGent.total).toBe(1)
  await app.db.venue.update({ where: { id: hall }, data: { city: 'Brugge' } })
  const page = '{ list: eventsPage(perPage: 1, page: 2) { total items { venues { name } } } }'
  expect(await ask(page)).toEqual({ ...all, isCounted: false })
  const gone = '{ list: eventsPage(filter: { cities: ["Gent"] }, page: 2) { total } }'
  expect(await ask(gone)).toEqual({ total: 0, isCounted: true })
})

test('a total of upcoming events changes when one ends', async () => {
  const end = new Date(now.getTime() + 3_600_000)
  await makeEvent(app.db, unique('Concert'), { startsAt: new Date(now.getTime() - 3_600_000), endsAt: end })
  const query = (page: number) => `{ list: eventsPage(filter: { when: UPCOMING }, page: ${page}) { total } }`
  const before = await ask(query(1))
  app.clock.now = new Date(end.getTime() - 1000)
  expect(await ask(query(2))).toEqual({ ...before, isCounted: false })
  app.clock.now = new Date(end.getTime() + 1000)
  expect(await ask(query(3))).toEqual({ total: before.total - 1, isCounted: true })
})

test('a total of relative days changes with the day', async () => {
  await makeEvent(app.db, unique('Concert'), { start: '2026-11-22T10:00:00', end: '2026-11-22T12:00:00' })
  const query = (page: number) => `{ list: eventsPage(filter: { startsOn: "tomorrow" }, page: ${page}) { total } }`
  const before = await ask(query(1))
  expect(before.total).toBeGreaterThan(0)
  app.clock.now = new Date(now.getTime() + 86_400_000)
  expect(await ask(query(2))).toEqual({ total: 0, isCounted: true })
})

test('each day has its own total', async () => {
  for (const day of ['2027-03-01', '2027-03-02']) {
    await makeEvent(app.db, unique('Concert'), { start: `${day}T10:00:00`, end: `${day}T12:00:00` })
  }
  const totalOf = async (filter: string) => (await ask(`{ list: eventsPage(filter: { ${filter} }) { total } }`)).total
  for (const [filter, total] of [
    ['startsOn: "2027-03-01"', 1],
    ['startsOn: "2027-03-03"', 0],
    ['between: { from: "2027-03-01", to: "2027-03-02" }', 2],
    ['between: { from: "2027-03-02", to: "2027-03-03" }', 1],
    ['between: { from: "@1804464000", to: "@1804464000" }', 0],
    ['between: { from: "@1803859200", to: "@1803859200" }', 1],
  ] as const) {
    expect([filter, await totalOf(filter)]).toEqual([filter, total])
  }
})

test('readers who may see more have totals of their own', async () => {
  const author = await app.signIn('author')
  await makeEvent(app.db, unique('Draft'), { status: 'draft', authorId: author.id })
  const { total } = await ask('{ list: eventsPage { total } }')
  const { body } = await author.graphql('{ list: eventsPage { total } }')
  expect(body.data.list.total).toBe(total + 1)
  expect(await ask('{ list: eventsPage(page: 2) { total } }')).toEqual({ total, isCounted: false })
})
