// The query `eventCalendar`: events by day.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent } from '../helpers/make.ts'

let app: TestApp
/** Compares the local time of each event. */
let paris: TestApp

beforeAll(async () => {
  app = await openTestApp()
  paris = await serve(app, { SITE_TIMEZONE: 'Europe/Paris' })
  const make = (name: string, start: string, end: string, more: Parameters<typeof makeEvent>[2] = {}) =>
    makeEvent(app.db, name, { start, end, timeZone: 'Europe/Paris', ...more })
  const music = await makeCategory(app.db, 'Music')
  await make('party', '2026-11-30T20:00:00', '2026-12-01T00:00:00')
  await make('instant', '2026-12-01T00:00:00', '2026-12-01T00:00:00')
  await make('morning', '2026-12-01T09:00:00', '2026-12-01T10:00:00', { categoryIds: [music] })
  await make('pinned', '2026-12-01T19:00:00', '2026-12-01T20:00:00', { sticky: true })
  await make('festival', '2026-11-28T00:00:00', '2026-12-02T23:59:59', { allDay: true, categoryIds: [music] })
  await make('night', '2026-12-01T22:00:00', '2026-12-02T03:00:00')
  await make('second', '2026-12-02T23:59:59', '2026-12-02T23:59:59')
  await make('fair', '2026-12-02T00:00:00', '2026-12-02T23:59:59', { allDay: true })
  await make('draft', '2026-12-01T12:00:00', '2026-12-01T13:00:00', { status: 'draft' })
  await make('tokyo', '2026-12-03T00:30:00', '2026-12-03T01:00:00', { timeZone: 'Asia/Tokyo' })
})
afterAll(async () => {
  await paris.app.close()
  await app.close()
})

async function calendar(args: string, site = paris, root = '') {
  const query = `{ eventCalendar(${args}) { timeZone totalCount days { date totalCount events(first: 20) { title } } } }`
  const { body } = await site.graphql(query, {}, root)
  expect(body.errors).toBeUndefined()
  const { timeZone, totalCount, days } = body.data.eventCalendar
  type Day = { date: string; totalCount: number; events: { title: string }[] }
  for (const day of days as Day[]) expect(day.events).toHaveLength(Math.min(day.totalCount, 20))
  return {
    timeZone,
    totalCount,
    days: Object.fromEntries((days as Day[]).map(({ date, events }) => [date, events.map(({ title }) => title)])),
  }
}

const range = 'from: "2026-11-30", to: "2026-12-03"'

describe('eventCalendar', () => {
  test('has each event on every day on which it takes place, in its own local time', async () => {
    expect(await calendar(range)).toEqual({
      timeZone: null,
      totalCount: 9,
      days: {
        '2026-11-30': ['festival', 'party'],
        '2026-12-01': ['pinned', 'festival', 'instant', 'morning', 'night'],
        '2026-12-02': ['festival', 'night', 'fair', 'second'],
        '2026-12-03': ['tokyo'],
      },
    })
  })

  test('has the same first events with a criterion that all events meet', async () => {
    const make = (name: string, start: string, end: string, more: Parameters<typeof makeEvent>[2] = {}) =>
      makeEvent(app.db, name, { start: `2027-03-${start}`, end: `2027-03-${end}`, timeZone: 'Europe/Paris', ...more })
    const two = (number: number) => String(number).padStart(2, '0')
    const ordinary = Array.from({ length: 22 }, (_, hour) => `ordinary ${two(hour)}`)
    for (const [hour, name] of ordinary.entries()) await make(name, `09T${two(hour)}:30:00`, `09T${two(hour)}:45:00`)
    await make('running', '01T10:00:00', '12T10:00:00')
    await make('pinned and running', '08T10:00:00', '09T10:00:00', { sticky: true })
    await make('overnight', '08T23:00:00', '09T02:00:00')
    await make('until the next night', '09T05:00:00', '10T02:00:00')
    await make('whole day', '09T00:00:00', '09T23:59:59', { allDay: true })
    await make('pinned', '09T23:00:00', '09T23:30:00', { sticky: true })
    for (const range of ['from: "2027-03-09", to: "2027-03-10"', 'from: "2027-02-25", to: "2027-03-10"']) {
      const all = await calendar(range)
      expect(all.totalCount).toBe(28)
      const first = ['pinned and running', 'pinned', 'running', 'overnight', 'whole day', ...ordinary]
      first.splice(10, 0, 'until the next night')
      expect(all.days['2027-03-09']).toEqual(first.slice(0, 20))
      expect(all.days['2027-03-10']).toEqual(['running', 'until the next night'])
      expect(await calendar(`${range}, filter: { not: { search: "nothing" } }`)).toEqual(all)
      expect(await calendar(`${range}, filter: { search: null }`)).toEqual(all)
    }
  })

  test('has each event on the days of a time zone', async () => {
    expect((await calendar(`${range}, timeZone: "europe/paris"`)).days['2026-12-02']).toEqual([
      'festival',
      'night',
      'fair',
      'tokyo',
      'second',
    ])
    const { timeZone, days } = await calendar(`${range}, timeZone: "UTC-5"`)
    expect(timeZone).toBe('UTC-5')
    expect(days['2026-11-30']).toEqual(['festival', 'party', 'instant'])
  })

  test('has the days of the zone of the site if that is UTC', async () => {
    const { timeZone, days } = await calendar(range, app)
    expect(timeZone).toBe('UTC')
    expect(days['2026-11-30']).toEqual(['festival', 'party', 'instant'])
  })

  test('has the local time of each event on any site', async () => {
    expect(await calendar(`${range}, timeZone: "local"`, app)).toEqual(await calendar(range))
  })

  test('combines the range with the filter', async () => {
    expect(
      await calendar(`${range}, filter: { categories: ["music"], between: { to: "2026-11-29", match: STARTING } }`),
    ).toEqual({
      timeZone: null,
      totalCount: 1,
      days: { '2026-11-30': ['festival'], '2026-12-01': ['festival'], '2026-12-02': ['festival'], '2026-12-03': [] },
    })
  })

  test('orders locked events by their dates alone', async () => {
    const lock = { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt), sticky: true, allDay: true }
    const make = (name: string, start: string, more: object) =>
      makeEvent(app.db, name, { start: `2027-02-01T${start}`, end: '2027-02-01T23:59:59', ...more })
    await make('first', '00:00:00', { publishedAt: new Date('2026-01-01T00:00:00Z') })
    await make('locked', '00:00:00', { publishedAt: new Date('2026-01-02T00:00:00Z'), ...lock })
    await make('second', '09:00:00', {})
    const titles = async (directive: string) => {
      const { body } = await paris.graphql(
        `query ${directive} { eventCalendar(from: "2027-02-01", to: "2027-02-01") { days { events { title } } } }`,
      )
      return body.data.eventCalendar.days[0].events.map(({ title }: { title: string }) => title)
    }
    expect(await titles('')).toEqual(['first', 'locked', 'second'])
    expect(await titles('@inContext(password: "wrong")')).toEqual(['first', 'locked', 'second'])
    expect(await titles('@inContext(password: "sesame")')).toEqual(['locked', 'first', 'second'])
  })

  test('returns different numbers of events under several names', async () => {
    const query = `{ eventCalendar(${range}) {
      days { one: events(first: 1) { title } events { title } none: events(first: 0) { title } } } }`
    const { body } = await paris.graphql(query)
    expect(body.data.eventCalendar.days[1]).toEqual({
      one: [{ title: 'pinned' }],
      events: [{ title: 'pinned' }, { title: 'festival' }, { title: 'instant' }],
      none: [],
    })
  })

  test.each([
    ['from: "2026-12-02", to: "2026-12-01"', 'to', 'to must not be before from: 2026-12-01 is before 2026-12-02.'],
    [
      'from: "2026-01-01", to: "2026-04-11"',
      'to',
      'from and to can include at most 100 days: from 2026-01-01 to 2026-04-11 are 101.',
    ],
    [`${range}, timeZone: "Paris"`, 'timeZone', 'timeZone must be an IANA time zone such as Europe/Paris'],
    ['from: "+9000 years", to: "today"', 'from', 'from must be a day in the years 1 to 9999.'],
  ])('rejects %s', async (args, field, message) => {
    const { body } = await paris.graphql(`{ eventCalendar(${args}) { totalCount } }`)
    expect(body.data).toBeNull()
    expect(body.errors[0].extensions.code).toBe('BAD_INPUT')
    expect(body.errors[0].extensions.fields[field] ?? body.errors[0].message).toContain(message)
  })

  test('accepts a hundred days', async () => {
    expect(Object.keys((await calendar('from: "2026-01-01", to: "2026-04-10"')).days)).toHaveLength(100)
  })

  test('rejects more than twenty events of a day', async () => {
    const { body } = await paris.graphql(`{ eventCalendar(${range}) { days { events(first: 21) { title } } } }`)
    expect(body.errors[0].message).toContain('first must be from 0 to 20.')
  })
})
