// The filters of the event list reject invalid values, and name all of them in one error (contract b.2-b.6, d.4, e.4, h).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
const named: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  named.venue = await makeVenue(db, 'Hall')
  named.organizer = await makeOrganizer(db, 'Club')
  // Categories and tags have separate IDs: the third category has an ID that no tag has.
  for (const name of ['Music', 'Jazz', 'Sport']) named.category = await makeCategory(db, name)
  named.tag = await makeTag(db, 'free')
  named.event = await makeEvent(db, 'Choir')
  named.plan = await makeEvent(db, 'Plan', { status: 'draft' })
  named.trashed = await makeEvent(db, 'Gone', { status: 'trash' })
})
afterAll(() => app.close())

const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(named[word]))
const list = (query: string) => app.get(`${ns}/events?${numbered(query)}`)

async function invalidParams(query: string): Promise<string[]> {
  const { status, body } = await list(query)
  expect([query, status, body.code]).toEqual([query, 400, 'rest_invalid_param'])
  expect(body).toStrictEqual({
    code: 'rest_invalid_param',
    message: expect.any(String),
    data: { status: 400, params: expect.any(Object), details: expect.anything() },
  })
  for (const text of Object.values(body.data.params)) expect(text).toEqual(expect.stringMatching(/./))
  return Object.keys(body.data.params).sort()
}

const dates = ['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after']
const invalidDates = [
  ...['', 'foo', 'not%20a%20date', '%222026-12-01%22', '2018-13-01', '2018-01-01%2025:00', 'a', 'Z'],
  ...['2018-01-32', '2018-00-01', '%00', 'NaN', '1e999', '2026-12-01T10:00:00%2B99:00'],
]
const emptyLists = ['', ',', '%20,%20']

describe('dates', () => {
  it.each(invalidDates)('%j', async (value) => {
    expect(await invalidParams(`start_date=${value}`)).toEqual(['start_date'])
    const query = dates.map((name) => `${name}=${value}`).join('&')
    expect(await invalidParams(query)).toEqual(dates.toSorted())
  })

  it('relative dates are valid in the years 1 to 9999', async () => {
    for (const value of ['%2B7975 years', '%2B8000 years', '-2026 years', '-999999999 days']) {
      expect(await invalidParams(`page=0&${dates.map((name) => `${name}=${value}`).join('&')}`)).toEqual(
        [...dates, 'page'].toSorted(),
      )
    }
    for (const value of ['%2B7973 years', '-2025 years']) {
      for (const name of dates)
        expect([name, value, (await list(`${name}=${value}`)).status]).toEqual([name, value, 200])
    }
  })

  it.each(dates)('%s rejects a list', async (name) => {
    expect(await invalidParams(`${name}[]=2026-12-01`)).toEqual([name])
  })
})

describe.each([
  ['page', ['', '0', '-1', 'x', '1.5', '0x1', 'Infinity']],
  ['per_page', ['', '0', '-1', 'x', '1.5', '1,2']],
  ['strict_dates', ['']],
  ['search', ['', '0', 'a%00b']],
  ['featured', ['', 'yes', 'on', '2', 'null', '-1']],
  ['ticketed', ['', 'yes', 'off', '2']],
  ['geoloc', ['', 'yes', 'no', '10']],
  ['categories', [...emptyLists, 'unknown', '999999', 'Music,unknown', '99999999999', '0', '-1', '{tag}x', '%00']],
  ['tags', [...emptyLists, 'unknown', '999999', 'free,unknown', '2147483648', '{category}00']],
  ['venue', [...emptyLists, '0', '-1', 'hall', '999999', '{organizer}', '{event}', '{venue},999999', '1.5']],
  ['organizer', [...emptyLists, '0', '-1', 'club', '999999', '{venue}', '{event}', '{organizer},x']],
  ['include', [...emptyLists, '0', '-1', 'x', '{event},x', '{event},0', '1.5']],
  ['post_parent', ['', '0', '-1', 'x', '999999', '2147483648', '{venue}', '{organizer}', '{event},{plan}', '1.5']],
  ['status', ['', 'draft', 'publish,draft', 'any', 'trash', 'invented', 'inherit', 'PUBLISH']],
  ['translation_language', ['', 'de', 'EN']],
] as [string, string[]][])('%s', (name, values) => {
  it.each(values)('%j', async (value) => {
    expect(await invalidParams(`${name}=${value}`)).toEqual([name])
  })
})

describe('parameters with a single value', () => {
  const single = ['page', 'per_page', 'search', 'featured', 'ticketed', 'geoloc', 'post_parent', 'strict_dates']
  it.each([...single, 'geoloc_radius'])('%s', async (name) => {
    for (const brackets of ['[]', '[a]', '[a][b]']) {
      const query = `${name}${brackets}=1&geoloc_lat=1&geoloc_lng=1`
      expect(await invalidParams(query)).toEqual([name])
    }
  })

  it.each(['categories', 'tags', 'venue', 'organizer', 'include', 'status'])('%s rejects objects', async (name) => {
    for (const brackets of ['[a][b]', '[][id]', '[0][id]']) {
      expect(await invalidParams(`${name}${brackets}=1`)).toEqual([name])
    }
  })

  it.each([
    ...['categories[0][0]={category}', 'tags[0][]={tag}'],
    ...['venue[0][0]={venue}', 'organizer[0][]={organizer}', 'include[0][0]=1'],
  ])('rejects a nested list: %s', async (query) => {
    expect(await invalidParams(query)).toEqual([query.slice(0, query.indexOf('['))])
  })
})

describe('location', () => {
  const place = 'geoloc_lat=1&geoloc_lng=1'
  it.each([
    ['geoloc_lat=91&geoloc_lng=1', ['geoloc_lat']],
    ['geoloc_lat=-90.01&geoloc_lng=1', ['geoloc_lat']],
    ['geoloc_lat=1&geoloc_lng=180.01', ['geoloc_lng']],
    ['geoloc_lat=1&geoloc_lng=-181', ['geoloc_lng']],
    ['geoloc_lat=x&geoloc_lng=y', ['geoloc_lat', 'geoloc_lng']],
    ['geoloc_lat=&geoloc_lng=', ['geoloc_lat', 'geoloc_lng']],
    ['geoloc_lat=NaN&geoloc_lng=Infinity', ['geoloc_lat', 'geoloc_lng']],
    [`${place}&geoloc_radius=x`, ['geoloc_radius']],
    [`${place}&geoloc_radius=`, ['geoloc_radius']],
    [`${place}&geoloc_radius=-1`, ['geoloc_radius']],
  ])('%s', async (query, names) => {
    expect(await invalidParams(query)).toEqual(names)
  })

  it('the error of an invalid coordinate names its range', async () => {
    const { body } = await app.get('/cal/events/v1/events?geoloc_lat=91&geoloc_lng=5&geoloc_radius=3')
    expect(body.data.params.geoloc_lat).toBe('Give a number from -90 to 90.')
  })

  it.each(['geoloc_lat', 'geoloc_lng'])('%s alone is invalid', async (name) => {
    const params = await invalidParams(`${name}=1`)
    expect(['geoloc_lat', 'geoloc_lng']).toEqual(expect.arrayContaining(params))
  })

  it.each(['geoloc_lat=90&geoloc_lng=180', 'geoloc_lat=-90&geoloc_lng=-180', 'geoloc_lat=0&geoloc_lng=0'])(
    '%s is one',
    async (query) => {
      expect((await list(query)).status).toBe(200)
    },
  )
})

describe('valid values', () => {
  it.each([
    ...['no', 'false', '0', 'anything', '1', 'true', 'TRUE', 'on', 'Yes'].map((value) => `strict_dates=${value}`),
    ...['{plan}', '{trashed}', '{event}'].map((id) => `post_parent=${id}`),
    ...['1970-01-01%2000:00:00', '0', '@0', '2018', '20180101', '-1', '1514764800', '@1514764800'].map(
      (value) => `start_date=${value}`,
    ),
    'include=999999',
    'unknown=1&parent=x&order=&orderby=&hide_empty=yes&slug=&exclude=&event=x&has_events=x&only_with_upcoming=x',
  ])('%s', async (query) => {
    const { status, body } = await list(query)
    expect([query, status, body.data?.params]).toEqual([query, 200, undefined])
  })
})

it('one error names all invalid parameters, including unknown records', async () => {
  const invalid: Record<string, string> = {
    ...Object.fromEntries(dates.map((name) => [name, 'foo'])),
    ...{ page: '0', per_page: 'x', strict_dates: '', search: '', status: 'draft', translation_language: 'de' },
    ...{ featured: 'yes', ticketed: 'yes', geoloc: 'yes', geoloc_lat: '91', geoloc_lng: '181', include: 'x' },
    ...{ categories: 'nothing', tags: '999999', venue: '999999', organizer: '999999', post_parent: '999999' },
  }
  const names = Object.keys(invalid).sort()
  expect(await invalidParams(String(new URLSearchParams(invalid)))).toEqual(names)
  // The error does not name valid parameters.
  expect(await invalidParams('per_page=3&search=x&categories=music,nothing&tags=free&venue=999999')).toEqual([
    'categories',
    'venue',
  ])
  expect(await invalidParams('post_parent=999999&tags=x&organizer={event}&page=x')).toEqual([
    'organizer',
    'page',
    'post_parent',
    'tags',
  ])
})
