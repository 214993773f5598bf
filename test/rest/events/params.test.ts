import { describe, expect, it } from 'vitest'
import { eventsParams, eventsVariables } from '../../../src/rest/events/params.ts'
import { readParams } from '../../../src/rest/params.ts'

const now = new Date('2026-11-21T12:00:00Z')
const calendar = { siteTimeZone: 'Europe/Paris', endOfDayCutoff: '00:00', showInSiteTimeZone: false }

const ask = (query: Record<string, unknown>, site: Partial<typeof calendar> = {}) =>
  eventsVariables(readParams(eventsParams, query), now, { ...calendar, ...site })

const window = {
  startsLocal: { gte: '2026-11-21T00:00:00' },
  endsLocal: { lte: '2028-11-21T23:59:59' },
}

const open = { startsLocal: {}, endsLocal: {} }

describe('variables of a list of events', () => {
  it.each([
    [{}, { page: 1, filter: window }],
    [
      { page: '3', per_page: '20' },
      { page: 3, perPage: 20, filter: window },
    ],
    [{ per_page: '500' }, { page: 1, perPage: 500, filter: window }],
    [{ featured: '1' }, { page: 1, filter: { ...window, featured: true } }],
    [{ featured: 'FALSE' }, { page: 1, filter: { ...window, featured: false } }],
    [{ ticketed: 'true' }, { page: 1, filter: { ...window, ticketed: true } }],
    [{ ticketed: '0' }, { page: 1, filter: { ...window, ticketed: false } }],
    [{ status: 'publish' }, { page: 1, filter: { ...window, status: ['PUBLISH'] } }],
    [
      { unknown: 'x', utc_start_date: '2020-01-01' },
      { page: 1, filter: window },
    ],
  ])('%j', (query, variables) => {
    expect(ask(query).variables).toEqual({ ...variables, orderBy: { field: 'START_LOCAL' } })
  })

  it('goes by the instant where the site shows one zone', () => {
    expect(ask({}, { showInSiteTimeZone: true }).variables.orderBy).toEqual({ field: 'START' })
  })

  it.each([
    [{ include: '5,3' }],
    [{ include: ['5', '3'] }],
    [{ include: '5,3', start_date: '2020-01-01', ends_after: '2021-01-01', strict_dates: '1' }],
  ])('names records without any date for %j, by publication', (query) => {
    expect(ask(query)).toEqual({
      variables: { page: 1, filter: { include: [5, 3], ...open }, orderBy: { field: 'PUBLICATION' } },
      query: { include: '5,3' },
    })
  })
})

describe('parameters that links carry', () => {
  const names = (query: Record<string, unknown>) =>
    Object.entries(ask(query).query).flatMap(([name, value]) => (value === undefined ? [] : [name]))

  it('stand in the order of the contract', () => {
    const query = {
      strict_dates: '1',
      featured: '0',
      ticketed: '1',
      ends_after: '2020-01-01',
      ends_before: '2020-01-01',
      starts_after: '2020-01-01',
      starts_before: '2020-01-01',
      status: 'publish',
      end_date: '2020-01-01',
      start_date: '2020-01-01',
    }
    expect(names(query)).toEqual(Object.keys(query).reverse())
  })

  it.each([
    [{}, {}],
    [{ featured: '0' }, { featured: '0' }],
    [
      { featured: 'true', ticketed: 'false' },
      { ticketed: '0', featured: '1' },
    ],
    [{ status: ' publish , publish' }, { status: 'publish,publish' }],
    [{ strict_dates: 'no' }, {}],
    [{ password: 'secret' }, {}],
  ])('%j gives %j beside the dates', (query, expected) => {
    const { start_date: _, end_date: __, ...rest } = ask(query).query
    expect(rest).toEqual(expected)
  })

  it('keep strict dates strict', () => {
    const { query } = ask({ start_date: '2026-05-01 10:00', end_date: '2026-06-01 10:00', strict_dates: 'yes' })
    expect(query).toEqual({
      start_date: '2026-05-01 10:00:00',
      end_date: '2026-06-01 10:00:00',
      strict_dates: 'true',
    })
  })
})

describe('hostile parameters', () => {
  it.each([
    ['page', '0'],
    ['per_page', '-5'],
    ['start_date', 'foo'],
    ['start_date', { a: '2020-01-01' }],
    ['ends_after', ['2020-01-01']],
    ['include', ''],
    ['include', { 'a[$gt]': '1' }],
    ['featured', 'maybe'],
    ['status', 'invented'],
    ['strict_dates', ''],
    ['password', ''],
  ])('%s=%j is refused', (name, value) => {
    expect(() => ask({ [name]: value })).toThrow(`Wrong parameters: ${name}.`)
  })
})
