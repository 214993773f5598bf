// Cached responses expire when time changes them.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { type Ask, asker, cacheStatus, unique } from '../helpers/cache-hits.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
const monthAgo = new Date('2026-10-21T12:00:00Z')
let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
// A publication or an event of another test would expire cached responses before the one of this test.
beforeEach(async () => {
  await truncate(app.db)
  // Truncation runs no triggers that would notify the service.
  await app.db.$executeRaw`NOTIFY calendar_changes, 'anything'`
  app.clock.now = now
})
afterAll(() => app?.close())

const { rest, graph, again } = asker(() => app)

const at = (text: string) => {
  app.clock.now = new Date(text)
}
const titles = async () =>
  (await rest('/events?per_page=50')()).body.events.map(({ title }: { title: string }) => title)

test('a scheduled publication takes effect to the millisecond', async () => {
  await makeEvent(app.db, 'Scheduled', { status: 'future', publishedAt: new Date('2026-11-21T12:30:00.500Z') })
  expect(await titles()).not.toContain('Scheduled')
  at('2026-11-21T12:30:00.499Z')
  expect(cacheStatus(await rest('/events?per_page=50')())).toBe('calendar; hit')
  at('2026-11-21T12:30:00.500Z')
  expect(await titles()).toContain('Scheduled')
})

test('a scheduled event takes effect in a list that compares times with the present', async () => {
  await makeEvent(app.db, 'Scheduled', { status: 'future', publishedAt: new Date('2026-11-21T12:30:00Z') })
  const ask = graph('{ events(filter: { when: UPCOMING }) { totalCount } }')
  expect((await ask()).body.data.events.totalCount).toBe(0)
  at('2026-11-21T12:30:00Z')
  expect((await ask()).body.data.events.totalCount).toBe(1)
})

test.each([
  ['venue', makeVenue],
  ['organizer', makeOrganizer],
] as const)('a linked %s comes due', async (kind, make) => {
  const id = await make(app.db, 'Soon', { status: 'future', publishedAt: new Date('2026-11-21T13:00:00Z') })
  const event = await makeEvent(app.db, 'Opening', { [`${kind}Ids`]: [id] })
  const shown = async () => [(await rest(`/events/${event}`)()).body[kind]].flat()
  expect(await shown()).toEqual([])
  at('2026-11-21T13:00:00Z')
  expect(await shown()).toMatchObject([{ [kind]: 'Soon' }])
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

test('a date relative to now is cached for one second', async () => {
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
  ['of a venue', graph('{ venues { nodes { events(filter: { when: UPCOMING }) { nodes { title } } } } }')],
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

// Otherwise the time for which a CDN may keep a response would tell visitors when such an event begins.
test.each<[string, NonNullable<Parameters<typeof makeEvent>[2]>]>([
  ['a draft', { status: 'draft' }],
  ['a private event', { status: 'private' }],
  ['a trashed event', { status: 'trash' }],
  ['a scheduled event', { status: 'future', publishedAt: new Date('2026-11-22T12:00:00Z') }],
])('the start of %s does not end the validity of responses', async (_, columns) => {
  await makeEvent(app.db, unique('Hidden'), { ...columns, start: '2026-11-21T12:30:00', timeZone: 'UTC' })
  const ask = graph('{ events(filter: { when: UPCOMING }) { totalCount } }')
  await ask()
  at('2026-11-21T12:30:00.001Z')
  expect(cacheStatus(await ask())).toBe('calendar; hit')
})

test('the end of a running event invalidates responses, and nothing else does', async () => {
  await makeEvent(app.db, unique('Match'), {
    start: '2026-11-21T11:00:00',
    end: '2026-11-21T12:15:00',
    timeZone: 'UTC',
  })
  const ask = graph('{ events(filter: { when: UPCOMING }) { totalCount } }')
  const before = (await ask()).body.data.events.totalCount
  at('2026-11-21T12:15:00.001Z')
  expect((await ask()).body.data.events.totalCount).toBe(before - 1)
})

test.each([
  ['UTC', '', '2026-11-22T00:00:00Z'],
  ['the time zone of the filter', ', timeZone: "Asia/Kolkata"', '2026-11-21T18:30:00Z'],
])('a range of relative days is cached until midnight in %s', async (_, zone, midnight) => {
  await makeEvent(app.db, unique('Tomorrow'), { start: '2026-11-22T10:00:00', timeZone: 'UTC' })
  const ask = graph(`{ events(filter: { between: { from: "tomorrow", to: "+1 day"${zone} } }) { totalCount } }`)
  const before = await ask()
  expect(before.body.data.events.totalCount).toBeGreaterThan(0)
  at(new Date(Date.parse(midnight) - 1).toISOString())
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  at(midnight)
  const after = await ask()
  expect(cacheStatus(after)).toBe('calendar; fwd=miss')
  expect(after.body.data.events.totalCount).toBeLessThan(before.body.data.events.totalCount)
})

test.each([
  ['UTC', '', '2026-11-22T00:00:00Z'],
  ['the time zone of the days', ', timeZone: "Asia/Kolkata"', '2026-11-21T18:30:00Z'],
])('a calendar of relative days is cached until midnight in %s', async (_, zone, midnight) => {
  await makeEvent(app.db, unique('Today'), { start: '2026-11-21T12:00:00', timeZone: 'UTC' })
  const ask = graph(`{ eventCalendar(from: "today", to: "+2 days"${zone}) { days { date totalCount } } }`)
  const days = (await ask()).body.data.eventCalendar.days
  expect(days[0]).toEqual({ date: '2026-11-21', totalCount: 1 })
  at(new Date(Date.parse(midnight) - 1).toISOString())
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  at(midnight)
  const after = await ask()
  expect(cacheStatus(after)).toBe('calendar; fwd=miss')
  expect(after.body.data.eventCalendar.days[0]).toEqual({ date: '2026-11-22', totalCount: 0 })
})

test('the counts of a calendar of upcoming events change when one ends', async () => {
  await makeEvent(app.db, unique('Match'), {
    start: '2026-11-21T11:00:00',
    end: '2026-11-21T12:15:00',
    timeZone: 'UTC',
  })
  const range = 'from: "2026-11-21", to: "2026-11-21"'
  const ask = graph(`{ eventCalendar(${range}, filter: { when: UPCOMING }) { totalCount } }`)
  expect((await ask()).body.data.eventCalendar.totalCount).toBe(1)
  at('2026-11-21T12:15:00.001Z')
  expect((await ask()).body.data.eventCalendar.totalCount).toBe(0)
})

test('the order by relevance of many events is cached until midnight, because it prefers the nearest ones', async () => {
  for (let day = 0; day < 51; day++) await makeEvent(app.db, `Orchid ${day}`, { start: '2027-03-01T10:00:00' })
  const ask = graph('{ events(filter: { search: "orchid" }, orderBy: { field: RELEVANCE }) { nodes { title } } }')
  await ask()
  at('2026-11-21T23:59:59.999Z')
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  at('2026-11-22T00:00:00Z')
  expect(cacheStatus(await ask())).toBe('calendar; fwd=miss')
})

test('a range of fixed days does not expire at midnight', async () => {
  const ask = graph('{ events(filter: { startsOn: "2026-12-24", between: { to: "2027-01-01" } }) { totalCount } }')
  await ask()
  at('2026-11-24T12:00:00Z')
  expect(cacheStatus(await ask())).toBe('calendar; hit')
})

test.each([
  ['+6 hours', '06:00', 'UTC'],
  ['now Asia/Tokyo', '00:00', 'UTC'],
  ['now America/New_York', '00:00', 'Asia/Kolkata'],
  ['noon', '00:00', 'Pacific/Kiritimati'],
])(
  'the day %s of GraphQL with the cutoff %s changes in the zone %s as without a cache',
  async (text, cutoff, timeZone) => {
    // One each hour, without texts.
    await app.db.event.createMany({
      data: Array.from({ length: 48 }, (_, hour) => {
        const start = new Date(Date.parse('2026-11-20T00:30:00Z') + hour * 3_600_000)
        const times = { startsAt: start, endsAt: start, startsLocal: start, endsLocal: start, timeZone: 'UTC' }
        const published = { status: 'publish' as const, publishedAt: monthAgo, modifiedAt: monthAgo }
        return { ...times, ...published, originalLanguage: 'en' }
      }),
    })
    const [cached, plain] = [
      await serve(app, { END_OF_DAY_CUTOFF: cutoff }),
      await serve(app, { END_OF_DAY_CUTOFF: cutoff, CACHE_BYTES: '0' }),
    ]
    const range = `from: "${text}", to: "${text}", timeZone: "${timeZone}", match: STARTING`
    const query = `{ events(first: 50, filter: { between: { ${range} } }) { nodes { databaseId } } }`
    const bodies = new Set<string>()
    for (let hour = 0; hour < 30; hour++) {
      cached.clock.now = plain.clock.now = new Date(Date.parse('2026-11-20T22:00:00Z') + hour * 3_600_000)
      const { body } = await plain.graphql(query)
      expect((await cached.graphql(query)).body).toEqual(body)
      bodies.add(JSON.stringify(body))
    }
    expect(bodies.size).toBeGreaterThan(1)
    await cached.app.close()
    await plain.app.close()
  },
)

test.each([
  ['+6 hours', '06:00'],
  ['now Asia/Tokyo', '00:00'],
])('%s moves where days end at %s', async (text, cutoff) => {
  const [cached, plain] = [
    await serve(app, { END_OF_DAY_CUTOFF: cutoff }),
    await serve(app, { END_OF_DAY_CUTOFF: cutoff, CACHE_BYTES: '0' }),
  ]
  for (const hour of [14, 16, 18, 20, 22]) {
    cached.clock.now = plain.clock.now = new Date(`2026-11-21T${hour}:00:00Z`)
    const url = `${ns}/events?starts_after=${encodeURIComponent(text)}`
    expect((await cached.get(url)).body).toEqual((await plain.get(url)).body)
  }
})

test('a clock that is set back does not serve future responses', async () => {
  await makeEvent(app.db, 'Due', { status: 'future', publishedAt: new Date('2026-11-21T13:30:00Z') })
  at('2026-11-21T14:00:00Z')
  expect(await titles()).toContain('Due')
  at('2026-11-21T12:00:00Z')
  expect(await titles()).not.toContain('Due')
})
