// The default window of dates, combined date filters, and the settings that affect them (contract b.10).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { compared, openTestApp, serve, type TestApp, now as testNow } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeEvent } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let database: TestApp
beforeAll(async () => {
  database = await openTestApp(compared)
})
beforeEach(() => truncate(database.db))
afterAll(async () => {
  for (const site of sites.values()) await (await site).app.close()
  await database.close()
})

/** An instance for each combination of settings. */
const sites = new Map<string, Promise<TestApp>>()

function siteWith(env: Record<string, string>): Promise<TestApp> {
  const key = JSON.stringify(env)
  const site = sites.get(key) ?? serve(database, { ...compared, ...env })
  sites.set(key, site)
  return site
}

/** Titles that an instance with other settings returns. */
async function titles(env: Record<string, string>, query: string, now?: string): Promise<string[]> {
  const site = await siteWith(env)
  site.clock.now = now ? new Date(now) : testNow
  const { status, body } = await site.get(`${ns}/events?per_page=50&${query}`)
  expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
  return body.events.map((event: { title: string }) => event.title)
}

/** An event without duration, whose title is its wall clock. */
const at = (time: string, timeZone = 'Asia/Tokyo') =>
  makeEvent(database.db, time, { start: time.replace(' ', 'T'), end: time.replace(' ', 'T'), timeZone })

interface Edge {
  readonly zone: string
  readonly now?: string
  readonly query?: string
  readonly cutoff?: string
  /** First and last second of the window. */
  readonly first: string
  readonly last: string
}

const noon: Edge[] = [
  { zone: 'UTC', first: '2026-11-20 00:00:00', last: '2028-11-21 23:59:59' },
  { zone: 'America/New_York', first: '2026-11-20 00:00:00', last: '2028-11-21 23:59:59' },
  // East of UTC, yesterday 23:59 is already today.
  { zone: 'Asia/Kolkata', first: '2026-11-21 00:00:00', last: '2028-11-21 23:59:59' },
  { zone: 'Australia/Lord_Howe', first: '2026-11-21 00:00:00', last: '2028-11-21 23:59:59' },
]
const moved: Edge[] = [
  { zone: 'UTC', now: '2026-11-21T23:59:59Z', first: '2026-11-20 00:00:00', last: '2028-11-21 23:59:59' },
  { zone: 'UTC', now: '2026-11-22T00:00:00Z', first: '2026-11-21 00:00:00', last: '2028-11-22 23:59:59' },
  { zone: 'America/New_York', now: '2026-11-22T02:00:00Z', first: '2026-11-21 00:00:00', last: '2028-11-22 23:59:59' },
  { zone: 'Asia/Kolkata', now: '2026-11-21T20:00:00Z', first: '2026-11-21 00:00:00', last: '2028-11-21 23:59:59' },
  { zone: 'UTC', cutoff: '06:00', first: '2026-11-20 06:00:00', last: '2028-11-22 05:59:59' },
  { zone: 'Asia/Kolkata', cutoff: '01:30', first: '2026-11-21 01:30:00', last: '2028-11-22 01:29:59' },
]
const requested: Edge[] = [
  { zone: 'UTC', query: 'start_date=2026-12-24', first: '2026-12-24 00:00:00', last: '2028-11-21 23:59:59' },
  { zone: 'UTC', query: 'end_date=2026-12-24', first: '2026-11-20 00:00:00', last: '2026-12-24 23:59:59' },
  {
    zone: 'America/New_York',
    query: 'start_date=2026-12-24&end_date=2026-12-24',
    first: '2026-12-24 00:00:00',
    last: '2026-12-24 23:59:59',
  },
  {
    zone: 'UTC',
    query: 'start_date=2026-12-24&end_date=2026-12-25',
    cutoff: '04:15',
    first: '2026-12-24 04:15:00',
    last: '2026-12-26 04:14:59',
  },
  { zone: 'UTC', query: 'strict_dates=1', first: '2026-11-20 23:59:00', last: '2028-11-21 12:00:00' },
  {
    zone: 'UTC',
    query: 'strict_dates=1&start_date=2026-12-24%2010:00',
    cutoff: '06:00',
    first: '2026-12-24 10:00:00',
    last: '2028-11-21 12:00:00',
  },
]

const step = (time: string, seconds: number) =>
  new Date(Date.parse(`${time.replace(' ', 'T')}Z`) + seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')

describe('the default window', () => {
  it.each([...noon, ...moved, ...requested])('$zone $now $cutoff $query', async ({ zone, first, last, ...more }) => {
    const timeZone = zone === 'UTC' ? 'UTC' : 'Asia/Tokyo'
    for (const time of [step(first, -1), first, last, step(last, 1)]) await at(time, timeZone)
    const env = { SITE_TIMEZONE: zone, ...(more.cutoff && { END_OF_DAY_CUTOFF: more.cutoff }) }
    expect(await titles(env, more.query ?? '', more.now)).toEqual([first, last])
  })

  it.each(['UTC', 'America/New_York', 'Pacific/Kiritimati'])(
    'has no ends on a site in %s where they are open',
    async (zone) => {
      const times = ['0001-01-02 10:00:00', '1999-12-31 10:00:00', '2090-01-01 10:00:00', '9999-12-30 10:00:00']
      for (const time of times) await at(time, 'UTC')
      const env = { SITE_TIMEZONE: zone }
      for (const strict of ['', '&strict_dates=1']) {
        expect(await titles(env, `start_date=0001-01-01&end_date=9999-12-31${strict}`)).toEqual(times)
        expect(await titles(env, `start_date=2000-01-01&end_date=9999-12-31${strict}`)).toEqual(times.slice(2))
        expect(await titles(env, `starts_after=9999-12-31${strict}`)).toEqual([])
        expect(await titles(env, `ends_before=0001-01-01${strict}`)).toEqual([])
      }
    },
  )

  it('contains events that start and end in it', async () => {
    const long = (name: string, start: string, end: string) =>
      makeEvent(database.db, name, { start, end, timeZone: 'UTC' })
    await long('begun before', '2026-11-19T23:59:59', '2026-12-01T00:00:00')
    await long('ends after', '2026-12-01T00:00:00', '2028-11-22T00:00:00')
    await long('within', '2026-11-20T00:00:00', '2028-11-21T23:59:59')
    expect(await titles({}, '')).toEqual(['within'])
  })

  it.each(['starts_before', 'starts_after', 'ends_before', 'ends_after'])(
    'is dropped if %s is present',
    async (name) => {
      const times = ['1999-12-31 10:00:00', '2026-12-01 10:00:00', '2090-01-01 10:00:00']
      for (const time of times) await at(time, 'UTC')
      const before = name.endsWith('before')
      expect(await titles({}, `${name}=${before ? '2100-01-01' : '1970-01-02'}`)).toEqual(times)
      // Explicit bounds stay; only the default bounds are dropped.
      expect(await titles({}, `${name}=${before ? '2100-01-01' : '1970-01-02'}&start_date=2020-01-01`)).toEqual(
        times.slice(1),
      )
      expect(await titles({}, `${name}=${before ? '2100-01-01' : '1970-01-02'}&end_date=2030-01-01`)).toEqual(
        times.slice(0, 2),
      )
    },
  )
})

describe('combined filters', () => {
  it.each([
    ['start_date=2026-12-02&starts_after=2026-12-03', ['04', '05']],
    ['start_date=2026-12-04&starts_after=2026-12-01', ['04', '05']],
    ['end_date=2026-12-04&ends_before=2026-12-02', ['01', '02']],
    ['end_date=2026-12-02&ends_before=2026-12-04', ['01', '02']],
    ['starts_after=2026-12-01&starts_before=2026-12-04', ['02', '03', '04']],
    ['ends_after=2026-12-03&starts_before=2026-12-04', ['04']],
    ['start_date=2026-12-02&ends_before=2026-12-04&ends_after=2026-12-02&end_date=2026-12-30', ['03', '04']],
    ['starts_after=2026-12-04&starts_before=2026-12-02', []],
  ])('%s', async (query, expected) => {
    for (const day of ['01', '02', '03', '04', '05']) await at(`2026-12-${day} 12:00:00`, 'UTC')
    expect(await titles({}, query)).toEqual(expected.map((day) => `2026-12-${day} 12:00:00`))
  })
})

describe('bounds are compared with the wall clock that', () => {
  const site = { SITE_TIMEZONE: 'America/New_York' }
  const events = async () => {
    // The same wall clock in different time zones.
    for (const zone of ['Pacific/Kiritimati', 'America/New_York', 'Pacific/Honolulu']) {
      await makeEvent(database.db, zone, { start: '2026-12-01T20:00:00', end: '2026-12-01T20:00:00', timeZone: zone })
    }
  }
  const [kiritimati, newYork, honolulu] = ['Pacific/Kiritimati', 'America/New_York', 'Pacific/Honolulu']

  it('each event has in its own time zone', async () => {
    await events()
    for (const zone of ['America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe']) {
      const query = 'start_date=2026-12-01%2020:00:00&end_date=2026-12-01%2020:00:00&strict_dates=1'
      expect(await titles({ SITE_TIMEZONE: zone }, query)).toHaveLength(3)
      expect(await titles({ SITE_TIMEZONE: zone }, 'starts_after=2026-12-01')).toEqual([])
    }
  })

  it.each(['UTC', 'UTC+0', 'utc-0', 'Etc/UTC'])('is UTC on a site in UTC, written as %s', async (zone) => {
    await events()
    const env = { SITE_TIMEZONE: zone }
    // 06:00 on the first, then 01:00 and 06:00 on the second.
    expect(await titles(env, 'end_date=2026-12-01')).toEqual([kiritimati])
    expect(await titles(env, 'starts_after=2026-12-01')).toEqual([newYork, honolulu])
    expect(await titles(env, 'start_date=2026-12-02%2001:00&end_date=2026-12-02%2001:00&strict_dates=1')).toEqual([
      newYork,
    ])
  })

  it.each(['on', 'true'])('the site has, if it shows all events in its own time zone: %s', async (shown) => {
    await events()
    const env = { ...site, SHOW_IN_SITE_TIMEZONE: shown }
    // 01:00 and 20:00 on the first, 01:00 on the second.
    expect(await titles(env, 'start_date=2026-12-01&end_date=2026-12-01')).toEqual([kiritimati, newYork])
    expect(await titles(env, 'start_date=2026-12-02')).toEqual([honolulu])
    expect(await titles(env, 'starts_after=2026-12-01%2020:00:00&strict_dates=1')).toEqual([honolulu])
    expect(await titles(env, 'starts_before=2026-12-01T06:00:01Z&strict_dates=1')).toEqual([kiritimati])
  })

  it('a day with a clock change has its actual length', async () => {
    const env = { SITE_TIMEZONE: 'Australia/Lord_Howe', SHOW_IN_SITE_TIMEZONE: 'on' }
    // 4 April 2027 lasts 24 hours and a half there: from 13:00 in UTC to 13:30 a day later.
    for (const time of ['03 12:59:59', '03 13:00:00', '04 13:29:59', '04 13:30:00']) await at(`2027-04-${time}`, 'UTC')
    expect(await titles(env, 'start_date=2027-04-04&end_date=2027-04-04')).toEqual([
      '2027-04-03 13:00:00',
      '2027-04-04 13:29:59',
    ])
  })
})
