// The date filters of contract b.10: from parameters to bounds of the query and of links.
import { describe, expect, it } from 'vitest'
import { eventsParams, toEventsVariables } from '../../../src/apis/rest/events/params.ts'
import { readParams } from '../../../src/apis/rest/params.ts'

const calendar = { siteTimeZone: 'America/New_York', endOfDayCutoff: '00:00', showInSiteTimeZone: false }
const noon = new Date('2026-11-21T12:00:00Z')

const read = (query: Record<string, unknown>) => {
  const { values, errors } = readParams(eventsParams, query)
  expect(errors).toEqual({})
  return { page: 1, ...values }
}

const ask = (query: Record<string, unknown>, site: Partial<typeof calendar> = {}, now = noon) =>
  toEventsVariables(read(query), now, { ...calendar, ...site })

const shown = ({ query }: ReturnType<typeof ask>) =>
  Object.fromEntries(Object.entries(query).filter(([name]) => /^(start|end)/.test(name)))

describe('the default window is from yesterday to two years ahead', () => {
  it.each([
    ['UTC', '2026-11-21T12:00:00Z', '2026-11-20', '2028-11-21'],
    ['UTC', '2026-11-20T23:59:59Z', '2026-11-19', '2028-11-20'],
    ['UTC', '2026-11-21T00:00:00Z', '2026-11-20', '2028-11-21'],
    ['America/New_York', '2026-11-20T23:59:59Z', '2026-11-19', '2028-11-20'],
    ['America/New_York', '2026-11-21T00:00:00Z', '2026-11-20', '2028-11-21'],
    ['America/New_York', '2026-11-21T05:00:00Z', '2026-11-20', '2028-11-21'],
    ['Asia/Kolkata', '2026-11-20T23:59:59Z', '2026-11-20', '2028-11-20'],
    ['Asia/Kolkata', '2026-11-21T00:00:00Z', '2026-11-21', '2028-11-21'],
    ['Asia/Kolkata', '2026-11-21T18:30:00Z', '2026-11-21', '2028-11-21'],
    ['Pacific/Kiritimati', '2026-11-21T09:59:59Z', '2026-11-21', '2028-11-21'],
    ['Pacific/Kiritimati', '2026-11-21T10:00:00Z', '2026-11-21', '2028-11-21'],
    ['UTC', '2024-02-29T12:00:00Z', '2024-02-28', '2026-02-28'],
    ['UTC', '2024-03-01T12:00:00Z', '2024-02-29', '2026-03-01'],
  ])('site in %s at %s: %s to %s', (siteTimeZone, now, first, last) => {
    expect(shown(ask({}, { siteTimeZone }, new Date(now)))).toEqual({
      start_date: `${first} 00:00:00`,
      end_date: `${last} 23:59:59`,
    })
  })

  it.each([
    [{ start_date: '2020-05-05' }, { start_date: '2020-05-05 00:00:00', end_date: '2028-11-21 23:59:59' }],
    [{ end_date: '2030-05-05' }, { start_date: '2026-11-20 00:00:00', end_date: '2030-05-05 23:59:59' }],
    [{ starts_after: '2020-05-05' }, { starts_after: '2020-05-05 23:59:59' }],
    [
      { ends_before: '2020-05-05', start_date: '2020-01-01' },
      { start_date: '2020-01-01 00:00:00', ends_before: '2020-05-05 23:59:59' },
    ],
  ])('%j keeps explicit bounds and adds the default ones', (query, window) => {
    expect(shown(ask(query))).toEqual(window)
  })
})

describe('dates are whole days', () => {
  const day = '2018-01-01 15:30'

  it.each([
    ['start_date', '2018-01-01 00:00:00'],
    ['end_date', '2018-01-01 23:59:59'],
    ['starts_before', '2018-01-01 23:59:59'],
    ['starts_after', '2018-01-01 23:59:59'],
    ['ends_before', '2018-01-01 23:59:59'],
    ['ends_after', '2018-01-01 23:59:59'],
  ])('%s has the bound %s', (name, bound) => {
    expect(shown(ask({ [name]: day }))[name]).toBe(bound)
  })

  it.each([
    ['start_date', '2018-01-01 06:00:00'],
    ['end_date', '2018-01-02 05:59:59'],
    ['ends_after', '2018-01-02 05:59:59'],
  ])('%s depends on the end-of-day cutoff', (name, bound) => {
    expect(shown(ask({ [name]: day }, { endOfDayCutoff: '06:00' }))[name]).toBe(bound)
  })

  it.each([
    ['2018-01-01T23:00:00-05:00', '2018-01-02 00:00:00'],
    ['2018-01-01T01:00:00+02:00', '2017-12-31 00:00:00'],
    ['1514764800', '2018-01-01 00:00:00'],
  ])('%s is the day in UTC', (start_date, bound) => {
    expect(shown(ask({ start_date })).start_date).toBe(bound)
  })
})

describe('strict dates are exact times', () => {
  const strict_dates = 'true'

  it.each([
    ['start_date', '2017-12-21', '2017-12-21 00:00:00'],
    ['start_date', '2017-12-21 15:30', '2017-12-21 15:30:00'],
    ['ends_after', '2017-12-21 15:30:15', '2017-12-21 15:30:15'],
    ['starts_before', '2017-12-21T15:30:00Z', '2017-12-21 10:30:00'],
    ['starts_after', '2017-12-21T15:30:00+01:00', '2017-12-21 09:30:00'],
    ['end_date', '1514764800', '2017-12-31 19:00:00'],
  ])('%s=%s', (name, value, bound) => {
    expect(shown(ask({ [name]: value, strict_dates }))[name]).toBe(bound)
  })

  it('do not change the default bounds', () => {
    expect(shown(ask({ strict_dates }))).toEqual({
      start_date: '2026-11-20 18:59:00',
      end_date: '2028-11-21 12:00:00',
    })
  })

  it('are whole days without the flag', () => {
    expect(shown(ask({ start_date: '2017-12-21 15:30', strict_dates: '0' })).start_date).toBe('2017-12-21 00:00:00')
  })
})

describe('the first and the last supported day mean no bound', () => {
  const sites = [
    { siteTimeZone: 'UTC' },
    { siteTimeZone: 'America/New_York' },
    { siteTimeZone: 'Pacific/Kiritimati', showInSiteTimeZone: true, endOfDayCutoff: '06:00' },
    { siteTimeZone: 'Etc/GMT+12', showInSiteTimeZone: true },
  ]
  const bounds = (response: ReturnType<typeof ask>) => {
    const { startsAt, endsAt, startsLocal, endsLocal } = response.variables.filter ?? {}
    return [startsAt, endsAt, startsLocal, endsLocal].flatMap((range) => Object.values(range ?? {})).filter(Boolean)
  }

  it.each([
    [{ start_date: '0001-01-01', end_date: '9999-12-31' }, '0001-01-01 00:00:00', '9999-12-31 23:59:59'],
    [{ starts_after: '0001-01-01', ends_before: '9999-12-31' }, '0001-01-01 23:59:59', '9999-12-31 23:59:59'],
    [{ ends_after: '0001-01-01', starts_before: '9999-12-31' }, '0001-01-01 23:59:59', '9999-12-31 23:59:59'],
    [{ start_date: '0001-01-01', end_date: '9999-12-31 23:59:59' }, '0001-01-01 00:00:00', '9999-12-31 23:59:59'],
    [
      { start_date: '0001-01-01T00:00:00+14:00', end_date: '9999-12-31T23:59:59-12:00', strict_dates: 'true' },
      '0001-01-01 00:00:00',
      '9999-12-31 23:59:59',
    ],
  ])('%j', (query, from, to) => {
    for (const site of sites) {
      const response = ask(query, site)
      expect(bounds(response)).toEqual([])
      expect(Object.values(shown(response)).filter(Boolean).sort()).toEqual([from, to])
      // Links return the same list.
      expect(bounds(ask({ ...query, ...shown(response) }, site))).toEqual([])
    }
  })

  it.each([
    [{ starts_after: '9999-12-31' }, 1],
    [{ ends_before: '0001-01-01' }, 1],
    [{ start_date: '9999-12-31', end_date: '0001-01-01', strict_dates: 'true' }, 2],
  ])('but not for the opposite bound: %j', (query, count) => {
    for (const site of sites) {
      const results = bounds(ask(query, site))
      expect(results).toHaveLength(count)
      // Local times are texts without an offset, which `new Date` would read in the zone of the process.
      const years = results.map((bound) => new Date(bound instanceof Date ? bound : `${bound}Z`).getUTCFullYear())
      for (const year of years) expect(year).toBeOneOf([1, 9999])
    }
  })
})

describe('bounds are compared with', () => {
  const query = {
    start_date: '2020-01-01',
    end_date: '2020-12-31',
    starts_before: '2020-06-01',
    starts_after: '2020-02-01',
    ends_before: '2020-07-01',
    ends_after: '2020-03-01',
  }

  it('the wall clock of each event', () => {
    expect(ask(query).variables.filter).toMatchObject({
      startsLocal: { gte: '2020-01-01T00:00:00', lt: '2020-06-01T23:59:59', gt: '2020-02-01T23:59:59' },
      endsLocal: { lte: '2020-12-31T23:59:59', lt: '2020-07-01T23:59:59', gt: '2020-03-01T23:59:59' },
    })
  })

  it.each([
    ['UTC', false, '2020-01-01T00:00:00Z', '2020-12-31T23:59:59Z'],
    ['UTC+0', false, '2020-01-01T00:00:00Z', '2020-12-31T23:59:59Z'],
    ['Etc/UTC', false, '2020-01-01T00:00:00Z', '2020-12-31T23:59:59Z'],
    ['America/New_York', true, '2020-01-01T05:00:00Z', '2021-01-01T04:59:59Z'],
    ['Asia/Kolkata', true, '2019-12-31T18:30:00Z', '2020-12-31T18:29:59Z'],
  ])('instants on a site in %s with SHOW_IN_SITE_TIMEZONE %s', (siteTimeZone, showInSiteTimeZone, from, to) => {
    const { start_date, end_date } = query
    expect(ask({ start_date, end_date }, { siteTimeZone, showInSiteTimeZone }).variables.filter).toMatchObject({
      startsAt: { gte: new Date(from) },
      endsAt: { lte: new Date(to) },
    })
  })
})
