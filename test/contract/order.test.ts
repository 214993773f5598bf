// Order and content of lists (contract c.13, c.14).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(() => truncate(app.db))
afterAll(() => app.close())

const list = async (plural: string, query = ''): Promise<{ id: number; title: string; name: string }[]> =>
  (await app.get(`${ns}/${plural}?${query}`)).body[plural]
const ids = async (plural: string, query = '') => (await list(plural, query)).map(({ id }) => id)
const titles = async (query = '') => (await list('events', query)).map(({ title }) => title)

const [early, late] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-06-01T00:00:00Z')]

describe('events', () => {
  it('are ordered by wall clock of the start, then publication, then ID', async () => {
    const at = (hour: string, timeZone: string, publishedAt = early) => ({
      start: `2026-12-01T${hour}:00:00`,
      timeZone,
      publishedAt,
    })
    await makeEvent(app.db, 'fourth', at('20', 'Pacific/Kiritimati'))
    await makeEvent(app.db, 'third', at('10', 'UTC', late))
    await makeEvent(app.db, 'first', at('10', 'America/New_York'))
    await makeEvent(app.db, 'second', { ...at('10', 'UTC'), sticky: true, featured: true })
    expect(await titles()).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('are ordered by instant if the site shows one time zone', async () => {
    const oneZone = await serve(app, { SHOW_IN_SITE_TIMEZONE: 'on', SITE_TIMEZONE: 'America/New_York' })
    await makeEvent(app.db, 'second', { start: '2026-12-01T10:00:00', timeZone: 'America/New_York' })
    await makeEvent(app.db, 'first', { start: '2026-12-01T20:00:00', timeZone: 'Pacific/Kiritimati' })
    const { body } = await oneZone.get(`${ns}/events`)
    await oneZone.app.close()
    expect(body.events.map((event: { title: string }) => event.title)).toEqual(['first', 'second'])
  })

  it('of an include list are ordered by publication, regardless of their dates', async () => {
    const b = await makeEvent(app.db, 'b', { publishedAt: late, start: '1999-01-01T10:00:00' })
    const a = await makeEvent(app.db, 'a', { publishedAt: early, start: '2026-12-01T10:00:00' })
    const c = await makeEvent(app.db, 'c', { publishedAt: late, start: '2026-12-01T10:00:00' })
    await makeEvent(app.db, 'other')
    expect(await ids('events', `include=${c},${b},${a},999`)).toEqual([a, b, c])
    expect(await ids('events', `include[]=${c}&include[]=${a}`)).toEqual([a, c])
    const { body } = await app.get(`${ns}/events?include=${a}&start_date=2050-01-01`)
    expect([body.total, body.rest_url]).toEqual([
      1,
      `http://calendar.test${ns}/events/?page=1&per_page=10&include=${a}`,
    ])
  })

  it('are in the default window from yesterday to two years ahead', async () => {
    const at = (title: string, start: string, end = start) => makeEvent(app.db, title, { start, end, timeZone: 'UTC' })
    await at('too early', '2026-11-19T23:59:59')
    await at('just in', '2026-11-20T00:00:00')
    await at('just ends in', '2028-11-21T10:00:00', '2028-11-21T23:59:59')
    await at('too late', '2028-11-21T10:00:00', '2028-11-22T00:00:00')
    expect(await titles()).toEqual(['just in', 'just ends in'])
    expect(await titles('start_date=2026-11-19')).toEqual(['too early', 'just in', 'just ends in'])
    expect(await titles('end_date=2030-01-01')).toEqual(['just in', 'just ends in', 'too late'])
  })

  it.each([
    ['starts_after=2026-12-01', ['c']],
    ['starts_before=2026-12-01', ['a', 'b']],
    ['starts_before=2026-11-30', ['a']],
    ['ends_after=2026-11-30', ['b', 'c']],
    ['ends_before=2026-12-01', ['a', 'b']],
    ['starts_after=2026-11-30&ends_before=2026-12-02', ['b']],
    ['start_date=2026-12-01&starts_after=2020-01-01', ['b', 'c']],
    ['start_date=2026-12-01%2018:00&strict_dates=1', ['b', 'c']],
    ['start_date=2026-12-01%2018:01&strict_dates=1', ['c']],
    ['start_date=2026-12-01T19:00:00%2B01:00&strict_dates=on', ['b', 'c']],
    ['starts_after=2026-12-01%2018:00&strict_dates=yes', ['c']],
    ['ends_before=2026-12-01%2020:00&strict_dates=1', ['a']],
    ['end_date=2026-12-01%2020:00&strict_dates=1', ['a', 'b']],
  ])('%s filters by start and end', async (query, expected) => {
    for (const [title, day] of [
      ['a', '2026-11-30'],
      ['b', '2026-12-01'],
      ['c', '2026-12-04'],
    ] as const) {
      await makeEvent(app.db, title, { start: `${day}T18:00:00`, timeZone: 'UTC' })
    }
    expect(await titles(query)).toEqual(expected)
  })

  it('can be filtered by featured and ticketed', async () => {
    await makeEvent(app.db, 'plain', { start: '2026-12-01T10:00:00' })
    await makeEvent(app.db, 'featured', { start: '2026-12-02T10:00:00', featured: true })
    const tickets = { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] }
    await makeEvent(app.db, 'ticketed', { start: '2026-12-03T10:00:00', tickets })
    expect(await titles('featured=1')).toEqual(['featured'])
    expect(await titles('featured=false')).toEqual(['plain', 'ticketed'])
    expect(await titles('ticketed=true')).toEqual(['ticketed'])
    expect(await titles('ticketed=0')).toEqual(['plain', 'featured'])
    expect(await titles()).toEqual(['plain', 'featured', 'ticketed'])
  })
})

describe.each([
  ['venues', makeVenue],
  ['organizers', makeOrganizer],
] as const)('%s', (plural, make) => {
  it('are ordered newest first', async () => {
    const old = await make(app.db, 'Old', { publishedAt: early })
    const twins = [await make(app.db, 'New', { publishedAt: late }), await make(app.db, 'Newer', { publishedAt: late })]
    expect(await ids(plural)).toEqual([twins[1], twins[0], old])
  })
})

describe.each([
  ['categories', makeCategory, 'categoryIds'],
  ['tags', makeTag, 'tagIds'],
] as const)('%s', (plural, make, link) => {
  it('are ordered by the displayed name, ignoring case', async () => {
    for (const texts of ['banana', 'Cherry', { en: 'apple', fr: 'Zapple' }, 'Éclair']) await make(app.db, texts)
    const names = async (root: string) =>
      (await app.get(`${root}${ns}/${plural}?hide_empty=0`)).body[plural].map(({ name }: { name: string }) => name)
    expect(await names('')).toEqual(['apple', 'banana', 'Cherry', 'Éclair'])
    expect(await names('/fr')).toEqual(['banana', 'Cherry', 'Éclair', 'Zapple'])
  })

  it('are the used ones unless hide_empty is off', async () => {
    const [used, unused, drafted] = [await make(app.db, 'Used'), await make(app.db, 'Unused'), await make(app.db, 'X')]
    await makeEvent(app.db, 'Choir', { [link]: [used], hideFromListings: true, start: '1999-01-01T10:00:00' })
    await makeEvent(app.db, 'Draft', { [link]: [drafted], status: 'draft' })
    expect((await list(plural)).map(({ id }) => id)).toEqual([used])
    expect(await ids(plural, 'hide_empty=1')).toEqual([used])
    expect(await ids(plural, 'hide_empty=false')).toEqual([unused, used, drafted])
    const { body } = await app.get(`${ns}/${plural}?hide_empty=0&per_page=1`)
    expect(body.next_rest_url).toContain('hide_empty=0')
    expect((await app.get(`${ns}/${plural}?hide_empty=yes`)).status).toBe(400)
  })
})

it('a category counts as used if a descendant is', async () => {
  const parent = await makeCategory(app.db, 'Music')
  const child = await makeCategory(app.db, 'Jazz', parent)
  await makeEvent(app.db, 'Choir', { categoryIds: [child] })
  expect((await list('categories')).map(({ id, ...rest }) => [id, (rest as { count?: number }).count])).toEqual([
    [child, 1],
    [parent, 0],
  ])
})

it('categories and tags of an event are ordered by name, organizers and venues as stored', async () => {
  const { db } = app
  const categoryIds = [await makeCategory(db, 'b'), await makeCategory(db, 'A')]
  const tagIds = [await makeTag(db, 'y'), await makeTag(db, 'X')]
  const venueIds = [await makeVenue(db, 'v1'), await makeVenue(db, 'v2')].reverse()
  const organizerIds = [await makeOrganizer(db, 'o1'), await makeOrganizer(db, 'o2')].reverse()
  const id = await makeEvent(db, 'Choir', { categoryIds, tagIds, venueIds, organizerIds })
  const { body } = await app.get(`${ns}/events/${id}`)
  const of = (items: { id: number }[]) => items.map((item) => item.id)
  expect([of(body.categories), of(body.tags)]).toEqual([categoryIds.toReversed(), tagIds.toReversed()])
  expect([of(body.venue), of(body.organizer)]).toEqual([venueIds, organizerIds])
})
