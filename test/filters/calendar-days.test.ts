// The days of `eventCalendar` contain the events that the list `events` finds with the filter `between`.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, compared, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'

let app: TestApp
const sites: TestApp[] = []
const readers: { readonly client: (site: TestApp) => ApiClient; readonly directive: string }[] = []

/**
 * Days around changes of the clocks: at midnight forward in Beirut and back in Santiago, by half an hour in Lord Howe; the
 * day that Apia skipped; the first and the last day of a year.
 */
const days = ['2026-03-29', '2026-04-04', '2026-10-25', '2026-11-21', '2011-12-30', '2027-01-01']
const zones = [
  ...['UTC', 'America/New_York', 'America/Santiago', 'Asia/Beirut', 'Asia/Kathmandu', 'Australia/Lord_Howe'],
  ...['Europe/Paris', 'Pacific/Apia', 'UTC-9:30', '+14:00'],
]
const settings: readonly Readonly<Record<string, string>>[] = [
  { SITE_TIMEZONE: 'UTC' },
  { SITE_TIMEZONE: 'Europe/Paris' },
  { SITE_TIMEZONE: 'America/Santiago', SHOW_IN_SITE_TIMEZONE: 'true' },
  { SITE_TIMEZONE: 'America/New_York', END_OF_DAY_CUTOFF: '06:00' },
  { SITE_TIMEZONE: 'Pacific/Apia', SHOW_IN_SITE_TIMEZONE: 'true', END_OF_DAY_CUTOFF: '03:30' },
]

const addDays = (day: string, count: number) =>
  new Date(Date.parse(day) + count * 86_400_000).toISOString().slice(0, 10)

beforeAll(async () => {
  app = await openTestApp(compared)
  // One operation has many lists with a search.
  for (const env of settings) sites.push(await serve(app, { ...compared, ...env, QUERY_COST_MAX: '20000' }))
  const category = await makeCategory(app.db, 'Music')
  const tag = await makeTag(app.db, 'free')
  const venue = await makeVenue(app.db, 'Hall', { latitude: 48.9, longitude: 2.4 })
  const key = await hashRecordPassword('sesame', app.site.passwordSalt)
  const times = ['00:00:00', '00:30:00', '02:30:00', '06:00:00', '12:00:00', '23:00:00', '23:30:00', '23:59:59']
  // A fixed sequence, so that every run tests the same events.
  const numbers = fc.sample(fc.nat(), { numRuns: 900, seed: 7 })
  const next = <Value>(values: readonly Value[]): Value => values[(numbers.pop() ?? 0) % values.length] as Value
  for (let n = 0; n < 110; n += 1) {
    const start = `${addDays(next(days), next([-2, -1, -1, 0, 0, 0, 1, 2]))}T${next(times)}`
    const [last, time] = [addDays(start.slice(0, 10), next([0, 0, 0, 0, 1, 2, 9])), next(times)]
    const end = `${last}T${time}` < start ? start : `${last}T${time}`
    await makeEvent(app.db, `Event ${n} ${next(['jazz', 'rock'])}`, {
      ...{ start, end, timeZone: next(zones), allDay: next([true, false]), sticky: next([true, false, false]) },
      ...{ categoryIds: next([[], [category]]), tagIds: next([[], [tag]]), venueIds: next([[], [venue]]) },
      ...{ passwordKey: n % 9 === 0 ? key : null, status: n % 10 === 0 ? 'draft' : 'publish' },
    })
  }
  const editor = await app.signIn('editor')
  const visitor = { client: (site: TestApp) => site }
  readers.push(
    { ...visitor, directive: '' },
    { ...visitor, directive: '@inContext(password: "sesame")' },
    { client: (site: TestApp) => site.as(editor), directive: '' },
    { client: (site: TestApp) => site.as(editor), directive: '@inContext(forEditing: true)' },
  )
})
afterAll(async () => {
  for (const site of sites) await site.app.close()
  await app.close()
})

interface Calendar {
  readonly timeZone: string | null
  readonly totalCount: number
  readonly days: readonly { date: string; totalCount: number; events: readonly { databaseId: number }[] }[]
}

interface Expected {
  readonly totalCount: number
  readonly nodes: readonly ExpectedEvent[]
}

/** \`sticky\` and \`allDay\` are null for locked events. */
interface ExpectedEvent {
  readonly databaseId: number
  readonly sticky: boolean | null
  readonly allDay: boolean | null
  readonly startsAt: string
  readonly startsLocal: string
  readonly publishedAt: string
}

const databaseIds = (events: readonly { databaseId: number }[]) => events.map(({ databaseId }) => databaseId)

/** The events of a day in the order of the calendar. */
function inOrder(
  events: readonly ExpectedEvent[],
  starting: readonly ExpectedEvent[],
  start: 'startsAt' | 'startsLocal',
) {
  const started = new Set(databaseIds(starting))
  const rank = ({ databaseId, sticky, allDay }: ExpectedEvent) =>
    sticky === true ? 0 : allDay === true || !started.has(databaseId) ? 1 : 2
  return events.toSorted(
    (a, b) =>
      rank(a) - rank(b) ||
      Date.parse(a[start]) - Date.parse(b[start]) ||
      Date.parse(a.publishedAt) - Date.parse(b.publishedAt) ||
      a.databaseId - b.databaseId,
  )
}

const filters = [
  {},
  { search: 'jazz' },
  { categories: ['music'] },
  { located: true },
  { startsOn: '2026-10-25' },
  { locked: true },
]

describe('the days of eventCalendar', () => {
  test('contain the events of the list with the same filter, in order', async () => {
    let events = 0
    const range = fc.record({
      from: fc.constantFrom(...days).chain((day) => fc.integer({ min: -3, max: 1 }).map((by) => addDays(day, by))),
      length: fc.integer({ min: 1, max: 7 }),
      timeZone: fc.option(fc.constantFrom(...zones)),
    })
    const circumstances = fc.record({ site: fc.nat(4), reader: fc.nat(3), filter: fc.constantFrom(...filters) })
    const property = fc.asyncProperty(
      range,
      circumstances,
      async ({ from, length, timeZone }, { site, reader, filter }) => {
        const { client, directive } = readers[reader] ?? { client: () => app, directive: '' }
        const dates = Array.from({ length }, (_, index) => addDays(from, index))
        const to = dates.at(-1) ?? from
        const zone = timeZone === null ? {} : { timeZone }
        const between = (first: string, last: string, match = 'OVERLAPPING') => ({
          between: { from: first, to: last, ...zone, match },
          ...filter,
        })
        const lists: Readonly<Record<string, object>> = {
          all: between(from, to),
          ...Object.fromEntries(dates.map((date, index) => [`day${index}`, between(date, date)])),
          ...Object.fromEntries(dates.map((date, index) => [`starting${index}`, between(date, date, 'STARTING')])),
        }
        const names = Object.keys(lists)
        const { body } = await client(sites[site] ?? app).graphql(
          `query($from: DayExpression!, $to: DayExpression!, $timeZone: String, $filter: EventFilter,
            ${names.map((name) => `$${name}: EventFilter`).join()}) ${directive} {
            eventCalendar(from: $from, to: $to, timeZone: $timeZone, filter: $filter) {
              timeZone totalCount days { date totalCount events(first: 20) { databaseId } } }
            ${names.map((name) => `${name}: events(first: 50, filter: $${name}) { totalCount nodes { ...Expected } }`).join('\n')} }
          fragment Expected on Event { databaseId sticky allDay startsAt startsLocal publishedAt }`,
          { from, to, ...zone, filter, ...lists },
        )
        expect(body.errors).toBeUndefined()
        const { eventCalendar, all, ...byDay } = body.data as Record<string, Expected> & { eventCalendar: Calendar }
        expect(eventCalendar.totalCount).toBe(all?.totalCount)
        expect(eventCalendar.days.map(({ date }) => date)).toEqual(dates)
        for (const [index, day] of eventCalendar.days.entries()) {
          const expected = byDay[`day${index}`] as Expected
          expect([day.date, day.totalCount]).toEqual([day.date, expected.totalCount])
          events += day.totalCount
          expect(expected.nodes).toHaveLength(day.totalCount)
          const { nodes: starting } = byDay[`starting${index}`] as Expected
          const start = eventCalendar.timeZone === null ? 'startsLocal' : 'startsAt'
          const ordered = inOrder(expected.nodes, starting, start)
          expect([day.date, databaseIds(day.events)]).toEqual([day.date, databaseIds(ordered.slice(0, 20))])
        }
      },
    )
    await fc.assert(property, { numRuns: runs(100) })
    expect(events).toBeGreaterThan(10)
  })

  test('begin and end at midnight of the zone, whatever the clocks do', async () => {
    // The clocks are set back from midnight to 23:00, forward at midnight, and to the day after the next.
    const cases = [
      ['2026-04-04', 'America/Santiago', '2026-04-05T03:30:00', ['2026-04-04']],
      ['2026-03-28', 'Asia/Beirut', '2026-03-28T22:00:00', ['2026-03-29']],
      ['2011-12-29', 'Pacific/Apia', '2011-12-30T09:59:59', ['2011-12-29']],
      ['2011-12-29', 'Pacific/Apia', '2011-12-30T10:00:00', ['2011-12-31']],
    ] as const
    for (const [from, zone, utc, expected] of cases) {
      const id = await makeEvent(app.db, 'Edge', { start: utc, end: utc, timeZone: 'UTC' })
      const range = `from: "${from}", to: "${addDays(from, 2)}", timeZone: "${zone}"`
      const { body } = await app.graphql(
        `{ eventCalendar(${range}, filter: { include: [${id}] }) { totalCount days { date totalCount } } }`,
      )
      const found = (body.data.eventCalendar as Calendar).days.filter(({ totalCount }) => totalCount > 0)
      expect([zone, found.map(({ date }) => date)]).toEqual([zone, expected])
      expect(body.data.eventCalendar.totalCount).toBe(1)
      await app.db.event.delete({ where: { id } })
    }
  })

  test.each([
    ['of two days', { start: '2026-12-01T20:00:00', end: '2026-12-03T00:00:00' }, ['2026-12-01', '2026-12-02']],
    [
      'of an evening, sticky',
      { start: '2026-12-01T20:00:00', end: '2026-12-02T00:00:00', sticky: true },
      ['2026-12-01'],
    ],
    ['without duration', { start: '2026-12-02T00:00:00', end: '2026-12-02T00:00:00' }, ['2026-12-02']],
  ])('have no event that ends as they begin: one %s', async (_name, times, expected) => {
    const id = await makeEvent(app.db, 'Night', { ...times, timeZone: 'Europe/Paris' })
    for (const zone of ['local', 'Europe/Paris']) {
      const range = `from: "2026-12-01", to: "2026-12-04", timeZone: "${zone}"`
      const { body } = await app.graphql(
        `{ eventCalendar(${range}, filter: { include: [${id}] }) { days { date totalCount events { title } } } }`,
      )
      const found = (body.data.eventCalendar as Calendar).days.filter(({ totalCount }) => totalCount > 0)
      expect(found.map(({ date }) => date)).toEqual(expected)
    }
    await app.db.event.delete({ where: { id } })
  })

  test('have no events on a day that the zone skips, although one lasts longer', async () => {
    const id = await makeEvent(app.db, 'Cruise', {
      start: '2011-12-29T12:00:00',
      end: '2011-12-31T12:00:00',
      timeZone: 'Pacific/Apia',
    })
    const range = 'from: "2011-12-29", to: "2011-12-31", timeZone: "Pacific/Apia"'
    const { body } = await app.graphql(
      `{ eventCalendar(${range}, filter: { include: [${id}] }) { totalCount days { totalCount events { title } } } }`,
    )
    const cruise = { totalCount: 1, events: [{ title: 'Cruise' }] }
    expect(body.data.eventCalendar).toEqual({
      totalCount: 1,
      days: [cruise, { totalCount: 0, events: [] }, cruise],
    })
    await app.db.event.delete({ where: { id } })
  })

  test('have an event of 31 days on which the clocks are set back meanwhile', async () => {
    const [start, end] = ['2026-10-10T12:00:00', '2026-11-10T12:00:00']
    const id = await makeEvent(app.db, 'Residency', { start, end, timeZone: 'Europe/Paris' })
    // The last day begins half an hour before the event ends, more than 31 days after it started.
    const range = 'from: "2026-11-10", to: "2026-11-10", timeZone: "UTC-10:30"'
    const { body } = await app.graphql(
      `{ eventCalendar(${range}, filter: { include: [${id}] }) { days { events { title } } } }`,
    )
    expect(body.data.eventCalendar.days).toEqual([{ events: [{ title: 'Residency' }] }])
    await app.db.event.delete({ where: { id } })
  })
})
