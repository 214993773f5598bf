import { describe, expect, it } from 'vitest'
import { checkLocationParams, eventsParams, toEventsVariables } from '../../../src/apis/rest/events/params.ts'
import { readParams } from '../../../src/apis/rest/params.ts'

const now = new Date('2026-11-21T12:00:00Z')
const calendar = { siteTimeZone: 'Europe/Paris', endOfDayCutoff: '00:00', showInSiteTimeZone: false }

const read = (query: Record<string, unknown>) => {
  const { values, errors } = readParams(eventsParams, query)
  expect(errors).toEqual({})
  return { page: 1, ...values }
}

const variablesOf = (query: Record<string, unknown>, site: Partial<typeof calendar> = {}) =>
  toEventsVariables(read(query), now, { ...calendar, ...site })

const window = {
  mustExist: true,
  startsLocal: { gte: '2026-11-21T00:00:00' },
  endsLocal: { lte: '2028-11-21T23:59:59' },
}

const open = { mustExist: true, startsLocal: {}, endsLocal: {} }

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
    [{ status: 'publish' }, { page: 1, filter: { ...window, status: ['PUBLISHED'] } }],
    [
      { search: ' jazz "late night" -rock' },
      { page: 1, filter: { ...window, search: ' jazz "late night" -rock', searchMode: 'SUBSTRING' } },
    ],
    [{ categories: 'jazz, 12' }, { page: 1, filter: { ...window, categories: ['jazz', '12'] } }],
    [{ tags: ['a,b', '7'] }, { page: 1, filter: { ...window, tags: ['a,b', '7'] } }],
    [{ venue: '5,3' }, { page: 1, filter: { ...window, venues: [5, 3] } }],
    [{ organizer: ['8'] }, { page: 1, filter: { ...window, organizers: [8] } }],
    [{ post_parent: '9' }, { page: 1, filter: { ...window, parent: 9 } }],
    [{ geoloc: '0' }, { page: 1, filter: { ...window, located: false } }],
    [
      { geoloc_lat: '48.85', geoloc_lng: '-2.5' },
      { page: 1, filter: { ...window, near: { center: { latitude: 48.85, longitude: -2.5 } } } },
    ],
    [
      { geoloc_lat: '0', geoloc_lng: '0', geoloc_radius: '1.5' },
      { page: 1, filter: { ...window, near: { center: { latitude: 0, longitude: 0 }, radius: 1.5 } } },
    ],
    [
      { unknown: 'x', utc_start_date: '2020-01-01' },
      { page: 1, filter: window },
    ],
  ])('%j', (query, variables) => {
    expect(variablesOf(query).variables).toEqual({ ...variables, orderBy: { field: 'START_LOCAL' } })
  })

  it('uses instants if the site shows one time zone', () => {
    expect(variablesOf({}, { showInSiteTimeZone: true }).variables.orderBy).toEqual({ field: 'START' })
  })

  it.each([
    [{ include: '5,3' }],
    [{ include: ['5', '3'] }],
    [{ include: '5,3', start_date: '2020-01-01', ends_after: '2021-01-01', strict_dates: '1' }],
  ])('%j has no dates and orders by publication', (query) => {
    expect(variablesOf(query)).toEqual({
      variables: { page: 1, filter: { include: [5, 3], ...open }, orderBy: { field: 'PUBLICATION' } },
      query: { include: '5,3' },
    })
  })
})

describe('parameters of links', () => {
  const names = (query: Record<string, unknown>) =>
    Object.entries(variablesOf(query).query).flatMap(([name, value]) => (value === undefined ? [] : [name]))

  it('are in the order of the contract', () => {
    const query = {
      hide_subsequent_recurrences: '1',
      series: '4',
      strict_dates: '1',
      geoloc_radius: '3',
      geoloc_lng: '2',
      geoloc_lat: '1',
      geoloc: '1',
      tags: 'b',
      categories: 'a',
      featured: '0',
      organizer: '3',
      venue: '2',
      ticketed: '1',
      ends_after: '2020-01-01',
      ends_before: '2020-01-01',
      starts_after: '2020-01-01',
      starts_before: '2020-01-01',
      post_parent: '1',
      status: 'publish',
      search: 'x',
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
    [
      { categories: 'a , b', tags: ['c', '7'] },
      { categories: 'a,b', tags: 'c,7' },
    ],
    [{ categories: ['a,b', '50%'] }, { 'categories[0]': 'a,b', 'categories[1]': '50%' }],
    [
      { search: 'a b', geoloc: 'false' },
      { search: 'a b', geoloc: '0' },
    ],
    [{ password: 'secret' }, {}],
  ])('%j has %j besides the dates', (query, expected) => {
    const { start_date: _, end_date: __, ...rest } = variablesOf(query).query
    expect(rest).toEqual(expected)
  })

  it('keep strict_dates', () => {
    const { query } = variablesOf({ start_date: '2026-05-01 10:00', end_date: '2026-06-01 10:00', strict_dates: 'yes' })
    expect(query).toEqual({
      start_date: '2026-05-01 10:00:00',
      end_date: '2026-06-01 10:00:00',
      strict_dates: 'true',
    })
  })
})

describe('invalid parameters', () => {
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
    ['search', ''],
    ['categories', ','],
    ['tags', { a: { b: '1' } }],
    ['venue', 'Hall'],
    ['organizer', '0'],
    ['post_parent', '1.5'],
    ['geoloc', 'yes'],
    ['geoloc_lat', '90.01'],
    ['geoloc_lng', 'x'],
    ['geoloc_radius', '-1'],
  ])('%s=%j is rejected', (name, value) => {
    expect(Object.keys(readParams(eventsParams, { per_page: '2', [name]: value }).errors)).toEqual([name])
  })

  it.each([
    [{ geoloc_lat: 1 }, ['geoloc_lng']],
    [{ geoloc_lng: 1 }, ['geoloc_lat']],
    [{ geoloc_radius: 1 }, ['geoloc_lat', 'geoloc_lng']],
    [{ geoloc_lat: 1, geoloc_lng: 1, geoloc_radius: 0 }, ['geoloc_radius']],
    [{ geoloc_lat: 1, geoloc_lng: 1 }, []],
    [{}, []],
  ])('the combination %j has errors in %j', (params, errors) => {
    expect(Object.keys(checkLocationParams(params))).toEqual(errors)
  })
})
