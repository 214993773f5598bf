// Filters by date: past, upcoming and running events, and ranges of instants and local times.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const make = (name: string, start: string, end: string, timeZone = 'UTC') =>
    makeEvent(app.db, name, { start, end, timeZone })
  await make('long ago', '2000-01-01T10:00:00', '2000-01-01T12:00:00')
  await make('just over', '2026-11-21T10:00:00', '2026-11-21T11:59:59')
  await make('almost over', '2026-11-21T11:00:00', '2026-11-21T12:00:01')
  await make('begins now', '2026-11-21T12:00:00', '2026-11-21T13:00:00')
  await make('begins next', '2026-11-21T12:00:01', '2026-11-21T13:00:00')
  // Over by its local time, and started by the local time of the site, but neither as an instant.
  await make('west', '2026-11-21T08:00:00', '2026-11-21T11:00:00', 'America/Los_Angeles')
  await make('east', '2026-11-21T13:00:00', '2026-11-21T20:00:00', 'Asia/Tokyo')
  await make('far ahead', '2090-01-01T10:00:00', '2090-01-02T10:00:00')
})
afterAll(() => app.close())

async function titles(filter: string): Promise<string[]> {
  const { body } = await app.graphql(`{ events(first: 50, filter: { ${filter} }) { totalCount nodes { title } } }`)
  expect(body.errors).toBeUndefined()
  expect(body.data.events.totalCount).toBe(body.data.events.nodes.length)
  return body.data.events.nodes.map((event: { title: string }) => event.title)
}

const past = ['long ago', 'east', 'just over']
const upcoming = ['almost over', 'begins now', 'begins next', 'west', 'far ahead']

describe('the filter `when`', () => {
  it('separates past from upcoming events', async () => {
    expect(await titles('when: PAST')).toEqual(past)
    expect(await titles('when: UPCOMING')).toEqual(upcoming)
    expect(await titles('when: null')).toEqual(['long ago', 'east', 'just over', ...upcoming])
  })

  it('depends on the current time', async () => {
    const { now } = app.clock
    app.clock.now = new Date('2026-11-21T12:00:02Z')
    expect(await titles('when: PAST')).toEqual([...past, 'almost over'])
    app.clock.now = new Date('1999-01-01T00:00:00Z')
    // No event is published yet.
    expect(await titles('when: UPCOMING')).toEqual([])
    app.clock.now = now
  })

  it('counts an event as past right after its end', async () => {
    const { now } = app.clock
    app.clock.now = new Date('2026-11-21T12:00:01Z')
    expect(await titles('when: UPCOMING')).toContain('almost over')
    expect(await titles('when: PAST')).not.toContain('almost over')
    app.clock.now = new Date('2026-11-21T12:00:01.001Z')
    expect(await titles('when: UPCOMING')).not.toContain('almost over')
    expect(await titles('when: PAST')).toContain('almost over')
    app.clock.now = now
  })

  it('combines with other filters', async () => {
    expect(await titles('when: UPCOMING, search: "begins"')).toEqual(['begins now', 'begins next'])
    expect(await titles('when: PAST, startsAt: { gte: "2026-01-01T00:00:00Z" }')).toEqual(['east', 'just over'])
  })
})

describe('the filter `runningAt`', () => {
  it.each([
    ['2026-11-21T12:00:00Z', ['almost over', 'begins now']],
    ['2026-11-21T11:59:58Z', ['just over', 'almost over']],
    ['2026-11-21T12:00:02Z', ['begins now', 'begins next']],
    ['2026-11-21T13:00:00+09:00', ['east']],
    ['2026-11-21T17:30:00Z', ['west']],
    ['2026-11-21T09:30:00-08:00', ['west']],
    ['2000-01-01T11:00:00Z', ['long ago']],
    ['2090-01-01T10:00:00Z', ['far ahead']],
    ['1990-01-01T00:00:00Z', []],
  ])('%s', async (at, expected) => {
    expect(await titles(`runningAt: "${at}"`)).toEqual(expected)
  })
})

describe('ranges of dates', () => {
  it.each([
    ['startsAt: { gt: "2026-11-21T12:00:00Z" }', ['begins next', 'west', 'far ahead']],
    ['startsAt: { gte: "2026-11-21T12:00:00Z", lt: "2090-01-01T00:00:00Z" }', ['begins now', 'begins next', 'west']],
    ['startsAt: { lte: "2026-11-21T10:00:00Z" }', ['long ago', 'east', 'just over']],
    ['endsAt: { lt: "2026-11-21T11:59:59Z" }', ['long ago', 'east']],
    ['endsAt: { lte: "2026-11-21T11:59:59Z" }', ['long ago', 'east', 'just over']],
    ['endsAt: { gt: "2026-11-21T13:00:00Z" }', ['west', 'far ahead']],
    ['startsLocal: { gte: "2026-11-21T13:00:00" }', ['east', 'far ahead']],
    ['startsLocal: { lt: "2026-11-21T10:00:00" }', ['long ago', 'west']],
    ['endsLocal: { lte: "2026-11-21T11:00:00" }', ['long ago', 'west']],
    ['endsLocal: { gt: "2026-11-21T13:00:00" }', ['east', 'far ahead']],
    ['startsLocal: { gt: "2026-11-21T08:00:00" }, startsAt: { lt: "2026-11-21T05:00:00Z" }', ['east']],
    ['startsAt: { gt: "2026-11-21T12:00:00Z", lt: "2026-11-21T12:00:00Z" }', []],
    ['startsAt: {}', ['long ago', 'east', 'just over', ...upcoming]],
  ])('%s', async (filter, expected) => {
    expect(await titles(filter)).toEqual(expected)
  })

  // An order by local time derives bounds from a filter of instants, a day wider, and vice versa.
  it.each([
    ['startsAt: { gte: "0001-01-01T00:00:00Z" }', 'START_LOCAL'],
    ['startsAt: { gte: "2000-01-01T00:00:00Z", lte: "9999-12-31T23:59:59Z" }', 'START_LOCAL'],
    ['startsLocal: { gte: "0001-01-01T00:00:00", lte: "9999-12-31T23:59:59" }', 'START'],
  ])('%s by %s, at the limits of storable dates', async (filter, field) => {
    const { body } = await app.graphql(
      `{ all: eventsPage { total } eventsPage(filter: { ${filter} }, orderBy: { field: ${field} }) { items { title } } }`,
    )
    expect(body.errors).toBeUndefined()
    expect(body.data.eventsPage.items).toHaveLength(body.data.all.total)
  })
})

it('an event in a skipped hour, whose end is before its start, is found by its end', async () => {
  const own = { start: '2030-03-31T02:30:00', end: '2030-03-31T03:00:00', timeZone: 'Europe/Paris' }
  const id = await makeEvent(app.db, 'skipped', own)
  const after = 'startsAt: { gt: "2030-01-01T00:00:00Z" }'
  expect(await titles(`${after}, endsAt: { lte: "2030-03-31T01:00:00Z" }`)).toEqual(['skipped'])
  await app.db.event.delete({ where: { id } })
})
