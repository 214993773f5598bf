// The date filters of the event list, compared with a model of their table (contract b.6, b.10, QUIRK-5, QUIRK-11, QUIRK-12).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compared, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'

const ns = '/cal/events/v1'
const second = 1000
const clock = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`)
const written = (time: number) => new Date(time).toISOString().slice(0, 19)

const holds: Record<string, (time: number, boundary: number) => boolean> = {
  start_date: (time, boundary) => time >= boundary,
  end_date: (time, boundary) => time <= boundary,
  starts_after: (time, boundary) => time > boundary,
  starts_before: (time, boundary) => time < boundary,
  ends_after: (time, boundary) => time > boundary,
  ends_before: (time, boundary) => time < boundary,
}

/** At this time the date in Asia and Australia differs from the date in UTC. */
const evening = new Date('2026-11-21T20:00:00Z')
const stamp = clock('2026-12-01 22:00:00') / second

/** A value, and the day that it stands for. */
const days: [string, string][] = [
  ['now', '2026-11-21'],
  ['noon', '2026-11-21'],
  ['-1 day', '2026-11-20'],
  ['2026-12-1', '2026-12-01'],
  ['2026-12-01 16:00', '2026-12-01'],
  ['2026-12-01T00:00:00', '2026-12-01'],
  ['12/01/2026', '2026-12-01'],
  ['2026/12/01', '2026-12-01'],
  ['2026/12/01T10:00:00', '2026-12-01'],
  ['1 December 2026', '2026-12-01'],
  ['Dec 1, 2026', '2026-12-01'],
  ['2026-12-01 4pm', '2026-12-01'],
  ['2026-11-31', '2026-12-01'],
  // Instants stand for their day in UTC, on every site.
  [String(stamp), '2026-12-01'],
  [`@${stamp}`, '2026-12-01'],
  ['2026-12-01T22:00:00Z', '2026-12-01'],
  ['2026-12-01T22:00:00-05:00', '2026-12-02'],
  ['2026-12-01T00:30:00+05:30', '2026-11-30'],
  ['today', '2026-11-21'],
  ['tomorrow 9am', '2026-11-22'],
  ['yesterday 23:59', '2026-11-20'],
  ['next monday', '2026-11-23'],
  ['last day of next month', '2026-12-31'],
]

interface Zone {
  readonly env: Record<string, string>
  /** The values below, resolved in the site's time zone. */
  readonly strict: [string, string][]
}

const unzoned: [string, string][] = [
  ['2026-12-01', '2026-12-01 00:00:00'],
  ['2026-12-01 16:00', '2026-12-01 16:00:00'],
  ['2026-12-01T16:00:01', '2026-12-01 16:00:01'],
  ['2026-12-01 4:30 pm', '2026-12-01 16:30:00'],
]
const instants = [String(stamp), `@${stamp}`, '2026-12-01T22:00:00Z', '2026-12-02T00:00:00+02:00']
const meaning = (there: string, relative: [string, string][]): [string, string][] => [
  ...unzoned,
  ...instants.map((value): [string, string] => [value, there]),
  ...relative,
]
const zones: Record<string, Zone> = {
  UTC: {
    env: {},
    strict: meaning('2026-12-01 22:00:00', [
      ['now', '2026-11-21 20:00:00'],
      ['tomorrow 9am', '2026-11-22 09:00:00'],
    ]),
  },
  'America/New_York': {
    env: { SITE_TIMEZONE: 'America/New_York' },
    strict: meaning('2026-12-01 17:00:00', [
      ['now', '2026-11-21 15:00:00'],
      ['tomorrow 9am', '2026-11-22 09:00:00'],
    ]),
  },
  'Asia/Kolkata': {
    env: { SITE_TIMEZONE: 'Asia/Kolkata' },
    strict: meaning('2026-12-02 03:30:00', [
      ['now', '2026-11-22 01:30:00'],
      ['tomorrow 9am', '2026-11-23 09:00:00'],
    ]),
  },
  'Australia/Lord_Howe': {
    env: { SITE_TIMEZONE: 'Australia/Lord_Howe' },
    strict: meaning('2026-12-02 09:00:00', [
      ['now', '2026-11-22 07:00:00'],
      ['tomorrow 9am', '2026-11-23 09:00:00'],
    ]),
  },
}

const edges = [...new Set(days.map(([, day]) => day))].flatMap((day) => [
  clock(`${day} 00:00:00`),
  clock(`${day} 23:59:59`),
])
const around = (times: readonly number[]) =>
  [...new Set(times.flatMap((time) => [time - second, time, time + second]))].toSorted((a, b) => a - b)

const times = Object.values(zones).flatMap(({ strict }) => strict.map(([, time]) => clock(time)))
const all = around([...edges, ...times])

let database: TestApp
let site: TestApp
/** The time zone of the events. */
let madeIn = ''
beforeAll(async () => {
  database = await openTestApp(compared)
})
afterAll(() => database.close())

/** All listed events. They last one second or have no duration. */
async function starts(query: Record<string, string>): Promise<number[]> {
  const { status, body } = await site.get(`${ns}/events?${new URLSearchParams({ ...query, per_page: '500' })}`)
  expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
  expect(body.total_pages).toBeLessThanOrEqual(1)
  return body.events.map((event: { start_date: string }) => clock(event.start_date))
}

describe.each(Object.entries(zones))('on a site in %s', (name, { env, strict }) => {
  beforeAll(async () => {
    site = await serve(database, { ...compared, PER_PAGE_MAX: '500', ...env })
    site.clock.now = evening
    // In another time zone than the site: sites compare wall clocks of events, except sites in UTC.
    const timeZone = name === 'UTC' ? 'UTC' : 'Asia/Tokyo'
    if (madeIn === timeZone) return
    madeIn = timeZone
    await database.db.event.deleteMany()
    for (const time of all)
      await makeEvent(database.db, written(time), { start: written(time), end: written(time), timeZone })
  })
  afterAll(() => site.app.close())

  let number = 0
  /** Checks that filters return exactly the events that match their condition. Successive values have the others. */
  async function expectBoundaries(value: string, boundary: (filter: string) => number, more: Record<string, string>) {
    for (const [filter, condition] of partOf(Object.entries(holds), 2, number++)) {
      // With only one explicit bound, the other default bound stays: events start yesterday or later.
      const from = filter === 'end_date' ? defaultStart : 0
      const expected = all.filter((time) => condition(time, boundary(filter)) && time >= from)
      expect([filter, value, (await starts({ ...more, [filter]: value })).map(written)]).toEqual([
        filter,
        value,
        expected.map(written),
      ])
    }
  }
  // Yesterday 23:59 in UTC is already today in time zones east of it.
  const eastern = name.startsWith('A') && name !== 'America/New_York'
  let defaultStart = clock(`2026-11-${eastern ? '21' : '20'} 00:00:00`)

  // Only these formats can depend on the time zone, so the others are tested once.
  it.each(name === 'UTC' ? days : days.slice(11))('%s stands for the day %s', async (value, day) => {
    const edge = (filter: string) => clock(`${day} ${filter === 'start_date' ? '00:00:00' : '23:59:59'}`)
    await expectBoundaries(value, edge, {})
  })

  it.each(strict)('%s stands for exactly %s with strict_dates', async (value, time) => {
    const whole = defaultStart
    defaultStart = clock(
      { UTC: '2026-11-20 23:59:00', 'America/New_York': '2026-11-20 18:59:00' }[name] ?? eastOf(name),
    )
    await expectBoundaries(value, () => clock(time), { strict_dates: '1' })
    defaultStart = whole
  })
})

const eastOf = (zone: string) => (zone === 'Asia/Kolkata' ? '2026-11-21 05:29:00' : '2026-11-21 10:59:00')
