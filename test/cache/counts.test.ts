// Totals of lists, counts of facets and the days of calendars are cached apart from the responses.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { unique } from '../helpers/cache-hits.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'
import { makeTemporaryEvent } from '../helpers/make-temporary.ts'

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

/** The first matches of a list are counted up to a limit to choose how to sort them. That is not its total. */
const countsTotal = (sql: string) => /count\(\*\)/i.test(sql) && !sql.endsWith('AS few')

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
  return { total: list.total ?? list.totalCount, isCounted: app.statements.some(countsTotal) }
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

test('HTML pages count neither the events of their lists nor those of their facets again', async () => {
  const counts = async (url: string) => {
    app.statements.length = 0
    expect((await app.get(url)).status).toBe(200)
    return app.statements.filter(countsTotal).length
  }
  for (const url of ['/?view=list', '/?month=2026-12']) {
    expect(await counts(url)).toBeGreaterThan(0)
    expect(await counts(url)).toBe(0)
  }
  await makeEvent(app.db, unique('Concert'))
  expect(await counts('/?view=list')).toBeGreaterThan(0)
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
  await makeTemporaryEvent(app.db, unique('Concert'), { startsAt: new Date(now.getTime() - 3_600_000), endsAt: end })
  const query = (page: number) => `{ list: eventsPage(filter: { when: UPCOMING }, page: ${page}) { total } }`
  const before = await ask(query(1))
  app.clock.now = new Date(end.getTime() - 1000)
  expect(await ask(query(2))).toEqual({ ...before, isCounted: false })
  app.clock.now = new Date(end.getTime() + 1000)
  expect(await ask(query(3))).toEqual({ total: before.total - 1, isCounted: true })
})

test('a total of relative days changes with the day', async () => {
  await makeTemporaryEvent(app.db, unique('Concert'), { start: '2026-11-22T10:00:00', end: '2026-11-22T12:00:00' })
  const query = (page: number) => `{ list: eventsPage(filter: { startsOn: "tomorrow" }, page: ${page}) { total } }`
  const before = await ask(query(1))
  expect(before.total).toBeGreaterThan(0)
  app.clock.now = new Date(now.getTime() + 86_400_000)
  expect(await ask(query(2))).toEqual({ total: 0, isCounted: true })
})

test('each day has its own total', async () => {
  for (const day of ['2027-03-01', '2027-03-02']) {
    await makeTemporaryEvent(app.db, unique('Concert'), { start: `${day}T10:00:00`, end: `${day}T12:00:00` })
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
  await makeTemporaryEvent(app.db, unique('Draft'), { status: 'draft', authorId: author.id })
  const { total } = await ask('{ list: eventsPage { total } }')
  const { body } = await author.graphql('{ list: eventsPage { total } }')
  expect(body.data.list.total).toBe(total + 1)
  expect(await ask('{ list: eventsPage(page: 2) { total } }')).toEqual({ total, isCounted: false })
})

interface CountedFacets {
  readonly facets: { readonly totalCount?: number; readonly categories?: readonly object[]; readonly months?: object[] }
  readonly isCounted: boolean
}

async function askFacets(query: string, send = () => app.graphql(query)): Promise<CountedFacets> {
  app.statements.length = 0
  const { headers, body } = await send()
  expect([headers['cache-status'], body.errors]).toEqual(['calendar; fwd=miss', undefined])
  return { facets: body.data.facets, isCounted: app.statements.some((sql) => /count\(/i.test(sql)) }
}

const facets = 'totalCount categories(first: 5) { category { name } count }'
const facetsBeside = (page: number, filter = 'when: UPCOMING') =>
  `{ list: eventsPage(filter: { ${filter} }, perPage: 1, page: ${page}) { items { title } }
    facets: eventFacets(filter: { ${filter} }) { ${facets} } }`

test('the facets of a list are counted once for all its pages', async () => {
  const category = await makeCategory(app.db, unique('Music'))
  await makeEvent(app.db, unique('Concert'), { categoryIds: [category] })
  const first = await askFacets(facetsBeside(1))
  expect(first).toEqual({
    facets: {
      totalCount: expect.any(Number),
      categories: expect.arrayContaining([{ category: { name: expect.any(String) }, count: 1 }]),
    },
    isCounted: true,
  })
  expect(await askFacets(facetsBeside(2))).toEqual({ ...first, isCounted: false })
})

test('each selection of facets, each number of values, each filter and each language has its own counts', async () => {
  await askFacets(facetsBeside(1))
  for (const query of [
    '{ facets: eventFacets(filter: { when: UPCOMING }) { totalCount } }',
    '{ facets: eventFacets(filter: { when: UPCOMING }) { totalCount categories(first: 4) { category { name } count } } }',
    `{ facets: eventFacets(filter: { when: PAST }) { ${facets} } }`,
    `{ facets: eventFacets { ${facets} } }`,
  ]) {
    expect([query, (await askFacets(query)).isCounted]).toEqual([query, true])
  }
  const query = `{ facets: eventFacets(filter: { when: UPCOMING }) { ${facets} } }`
  expect((await askFacets('', () => app.graphql(query, {}, '/fr'))).isCounted).toBe(true)
})

test('facets are counted again after a change of an event, and of a record that they count', async () => {
  const category = await makeCategory(app.db, unique('Music'))
  await makeEvent(app.db, unique('Concert'), { categoryIds: [category] })
  const { facets: before } = await askFacets(facetsBeside(1))
  await makeEvent(app.db, unique('Concert'), { categoryIds: [category] })
  const { facets: after, isCounted } = await askFacets(facetsBeside(2))
  expect([after.totalCount, isCounted]).toEqual([(before.totalCount ?? 0) + 1, true])
  await app.db.category.delete({ where: { id: category } })
  expect((await askFacets(facetsBeside(3))).isCounted).toBe(true)
})

test('facets of upcoming events change when one ends, and months with the day', async () => {
  const end = new Date(now.getTime() + 1_800_000)
  await makeTemporaryEvent(app.db, unique('Concert'), { startsAt: new Date(now.getTime() - 3_600_000), endsAt: end })
  const { facets: before } = await askFacets(facetsBeside(1))
  app.clock.now = new Date(end.getTime() - 1000)
  expect(await askFacets(facetsBeside(2))).toEqual({ facets: before, isCounted: false })
  app.clock.now = new Date(end.getTime() + 1000)
  const { facets: after, isCounted } = await askFacets(facetsBeside(3))
  expect([after.totalCount, isCounted]).toEqual([(before.totalCount ?? 0) - 1, true])
  const months = (page: number) =>
    `{ list: eventsPage(page: ${page}) { items { title } } facets: eventFacets { months(first: 1) { month } } }`
  expect((await askFacets(months(1))).isCounted).toBe(true)
  expect((await askFacets(months(2))).isCounted).toBe(false)
  app.clock.now = new Date(now.getTime() + 86_400_000)
  expect((await askFacets(months(3))).isCounted).toBe(true)
})

test('a response with cached facets expires with them', async () => {
  const months = (page: number) =>
    `{ list: eventsPage(page: ${page}) { items { title } } facets: eventFacets { months(first: 1) { month } } }`
  await askFacets(months(1))
  await askFacets(months(2))
  const hit = async () => (await app.graphql(months(2))).headers['cache-status']
  expect(await hit()).toBe('calendar; hit')
  app.clock.now = new Date(now.getTime() + 86_400_000)
  expect(await hit()).toBe('calendar; fwd=miss')
})

test('readers who may see more have facets of their own', async () => {
  const author = await app.signIn('author')
  await makeTemporaryEvent(app.db, unique('Draft'), { status: 'draft', authorId: author.id })
  const query = '{ facets: eventFacets { totalCount } }'
  const { facets: ofVisitors } = await askFacets(query)
  const { body } = await author.graphql(query)
  expect(body.data.facets.totalCount).toBe((ofVisitors.totalCount ?? 0) + 1)
})

interface CountedDays {
  readonly calendar: {
    readonly totalCount: number
    readonly days: readonly { totalCount: number; events?: readonly { title: string | null }[] }[]
  }
  readonly isCounted: boolean
}

async function readCalendar(query: string, send = () => app.graphql(query)): Promise<CountedDays> {
  app.statements.length = 0
  const { headers, body } = await send()
  expect([headers['cache-status'], body.errors]).toEqual(['calendar; fwd=miss', undefined])
  return {
    calendar: body.data.calendar,
    isCounted: app.statements.some((sql) => sql.includes('WITH range AS MATERIALIZED')),
  }
}

const calendarDays = (selection: string, args = '') =>
  `{ calendar: eventCalendar(from: "2027-04-01", to: "2027-04-02"${args}) { totalCount days { ${selection} } } }`

test('the days of a calendar are counted once for all selections of their events', async () => {
  const title = unique('Concert')
  await makeTemporaryEvent(app.db, title, { start: '2027-04-01T20:00:00' })
  const first = await readCalendar(calendarDays('totalCount events { title }'))
  expect(first).toEqual({
    calendar: {
      totalCount: 1,
      days: [
        { totalCount: 1, events: [{ title }] },
        { totalCount: 0, events: [] },
      ],
    },
    isCounted: true,
  })
  expect(await readCalendar(calendarDays('totalCount events(first: 5) { title }'))).toEqual({
    ...first,
    isCounted: false,
  })
  const totals = calendarDays('totalCount')
  expect((await readCalendar(totals)).isCounted).toBe(true)
  expect(await readCalendar(totals.replace('days', 'timeZone days'))).toMatchObject({
    calendar: { totalCount: 1, days: [{ totalCount: 1 }, { totalCount: 0 }] },
    isCounted: false,
  })
})

test('each range, zone, filter and language of a calendar has counts of its own', async () => {
  const selection = 'totalCount events { title }'
  await readCalendar(calendarDays(selection))
  for (const query of [
    calendarDays(selection).replace('04-02', '04-03'),
    calendarDays(selection, ', timeZone: "Asia/Tokyo"'),
    calendarDays(selection, ', filter: { include: [] }'),
    calendarDays('totalCount'),
  ]) {
    expect([query, (await readCalendar(query)).isCounted]).toEqual([query, true])
  }
  const inFrench = () => app.graphql(calendarDays(selection), {}, '/fr')
  expect((await readCalendar('', inFrench)).isCounted).toBe(true)
})

test('the days of a calendar are counted again after a change of an event', async () => {
  const { calendar: before } = await readCalendar(calendarDays('events { databaseId }'))
  await makeTemporaryEvent(app.db, unique('Concert'), { start: '2027-04-01T18:00:00' })
  const { calendar: after, isCounted } = await readCalendar(calendarDays('events { title }'))
  expect([after.totalCount, isCounted]).toEqual([before.totalCount + 1, true])
})

test('the days of upcoming events change when one ends', async () => {
  const end = new Date(now.getTime() + 1_500_000)
  await makeTemporaryEvent(app.db, unique('Concert'), { startsAt: new Date(now.getTime() - 3_600_000), endsAt: end })
  const upcoming = (selection: string) =>
    `{ calendar: eventCalendar(from: "yesterday", to: "tomorrow", filter: { when: UPCOMING }) { totalCount days { ${selection} } } }`
  const { calendar: before } = await readCalendar(upcoming('events { databaseId }'))
  app.clock.now = new Date(end.getTime() - 1000)
  expect((await readCalendar(upcoming('events { title }'))).isCounted).toBe(false)
  app.clock.now = new Date(end.getTime() + 1000)
  const { calendar: after, isCounted } = await readCalendar(upcoming('events { uid }'))
  expect([after.totalCount, isCounted]).toEqual([before.totalCount - 1, true])
})

test('readers who may see more have calendars of their own', async () => {
  const author = await app.signIn('author')
  const query = calendarDays('totalCount')
  const { calendar: ofVisitors } = await readCalendar(query)
  await makeTemporaryEvent(app.db, unique('Draft'), {
    status: 'draft',
    authorId: author.id,
    start: '2027-04-02T20:00:00',
  })
  expect((await readCalendar(calendarDays('date totalCount'))).calendar.totalCount).toBe(ofVisitors.totalCount)
  const { body } = await author.graphql(query)
  expect(body.data.calendar.totalCount).toBe(ofVisitors.totalCount + 1)
})
