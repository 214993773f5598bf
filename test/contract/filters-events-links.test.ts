// Links of the event list have all effective parameters, and return the same list (contract c.13, QUIRK-27).
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compared, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
const host = 'http://calendar.test'
let app: TestApp
const named: Record<string, number> = {}

beforeAll(async () => {
  app = await openTestApp(compared)
  const { db } = app
  named.venue = await makeVenue(db, 'Hall', { latitude: 48.8566, longitude: 2.3522 })
  named.organizer = await makeOrganizer(db, 'Club')
  named.category = await makeCategory(db, { en: { name: 'Food & Drink', slug: 'food' }, fr: 'Cuisine' })
  named.tag = await makeTag(db, 'free')
  named.parent = await makeEvent(db, 'Festival', { start: '2026-11-25T10:00:00' })
  const tickets = { create: [{ position: 0, name: 'Seat', price: 5, currency: 'EUR' }] }
  for (let i = 1; i <= 5; i++) {
    // At the start and end of days: a link that widened its dates again would return other events.
    const start = i % 2 ? `2026-12-0${i}T00:00:00` : `2026-12-0${i}T23:59:59`
    await makeEvent(db, `Choir ${i}`, {
      ...{ start, end: start, timeZone: 'America/New_York', featured: true, parentId: named.parent, tickets },
      ...{ venueIds: [named.venue], organizerIds: [named.organizer] },
      ...{ categoryIds: [named.category], tagIds: [named.tag] },
    })
    named[`e${i}`] = named.parent + i
    await makeEvent(db, `Other ${i}`, { start, end: start, timeZone: 'America/New_York' })
  }
})
afterAll(() => app.close())

const numbered = (query: string) => query.replace(/\{(\w+)\}/g, (_, word: string) => String(named[word]))
const path = (link: string) => link.slice(host.length)
const ids = (body: { events: { id: number }[] }) => body.events.map(({ id }) => id)
const parameters = (link: string) => Object.fromEntries(new URL(link).searchParams)

const undated: [string, Record<string, string>][] = [
  ['', {}],
  ['search=choir', { search: 'choir' }],
  ['search=%22choir%22%20-4%20%25%26', { search: '"choir" -4 %&' }],
  ['status=publish', { status: 'publish' }],
  ['post_parent={parent}', { post_parent: '{parent}' }],
  ['include={e1},{e2},{e3}', { include: '{e1},{e2},{e3}' }],
  ['include[]={e1}&include[]={e3}', { include: '{e1},{e3}' }],
  ['ticketed=1', {}],
  ['ticketed=0', {}],
  ['featured=1', {}],
  ['featured=0', {}],
  ['geoloc=1', {}],
  ['geoloc=0', {}],
  ['venue={venue}', { venue: '{venue}' }],
  ['organizer[]={organizer}', { organizer: '{organizer}' }],
  ['categories=food', {}],
  ['categories={category}', {}],
  ['categories[]=Food%20%26%20Drink', {}],
  ['tags=free', {}],
  ['geoloc_lat=48.8&geoloc_lng=2.3', { geoloc_lat: '48.8', geoloc_lng: '2.3' }],
  ['geoloc_lat=48.8&geoloc_lng=2.3&geoloc_radius=40.5', { geoloc_radius: '40.5' }],
  ['translation_language=fr', { translation_language: 'fr' }],
]
const dated: [string, Record<string, string>][] = [
  ['', {}],
  ['start_date=2026-12-02', {}],
  ['end_date=2026-12-04', {}],
  ['starts_before=2026-12-04', {}],
  ['starts_after=2026-12-01', {}],
  ['ends_before=2026-12-04%2010:00', {}],
  ['ends_after=1796083200', {}],
  ['ends_after=2026-12-01T22:00:00-05:00', {}],
  ['start_date=2026-12-02%2010:00&strict_dates=1', {}],
  ['starts_after=2026-12-01T22:00:00-05:00&strict_dates=1', {}],
  ['ends_before=1796342399&strict_dates=true', {}],
  ['starts_after=tomorrow%209am&strict_dates=yes', {}],
  ['strict_dates=0&starts_after=yesterday', {}],
  ['start_date=2026-12-02&starts_after=2026-12-01&ends_before=2026-12-05&end_date=2026-12-05', {}],
]
const few = dated.filter(([query]) => query === '' || query.includes('2026-12-04'))
const sites: [string, Record<string, string>, [string, Record<string, string>][]][] = [
  ['UTC', {}, [...undated, ...dated]],
  ['New York', { SITE_TIMEZONE: 'America/New_York' }, dated.filter(([query]) => /strict|17960/.test(query))],
  ['Lord Howe', { SITE_TIMEZONE: 'Australia/Lord_Howe', SHOW_IN_SITE_TIMEZONE: 'on' }, dated.slice(-6)],
  // With a late end of day, the end of a day in a link is after midnight.
  ['UTC, until late', { END_OF_DAY_CUTOFF: '03:30' }, few],
  ['Kolkata, until late', { SITE_TIMEZONE: 'Asia/Kolkata', END_OF_DAY_CUTOFF: '06:00' }, few],
]

describe.each(sites)('on the site %s', (_, env, carried) => {
  let site: TestApp
  beforeAll(async () => {
    site = await serve(app, { ...compared, ...env })
  })
  afterAll(() => site.app.close())

  it.each(carried)('%s', async (query, expected) => {
    const first = await site.get(`${ns}/events?${numbered(query)}&per_page=3`)
    expect([query, first.status]).toEqual([query, 200])
    const { body } = first
    expect(body.rest_url).toMatch(/^http:\/\/calendar\.test\/cal\/events\/v1\/events\/\?[^ "<>]+$/)
    const own = parameters(body.rest_url)
    for (const [name, value] of Object.entries(expected)) expect([name, own[name]]).toEqual([name, numbered(value)])
    // Links have all parameters of the request, except flags with their default value.
    for (const name of new URLSearchParams(numbered(query)).keys()) {
      if (!query.includes('strict_dates=0')) expect(Object.keys(own)).toContain(name.replace('[]', ''))
    }
    const again = (await site.get(path(body.rest_url))).body
    expect(again.rest_url).toBe(body.rest_url)
    expect([ids(again), again.total]).toEqual([ids(body), body.total])

    const all = ids((await site.get(`${ns}/events?${numbered(query)}&per_page=50`)).body)
    expect(all.length).toBe(body.total)
    const seen = [...ids(body)]
    let [last, next] = [body, body.next_rest_url]
    while (next) {
      const page = (await site.get(path(next))).body
      expect(parameters(page.rest_url)).toEqual({ ...own, page: String(Number(parameters(last.rest_url).page) + 1) })
      const { page: number, ...back } = parameters(page.previous_rest_url)
      expect({ page: '1', ...back, ...(number && { page: number }) }).toEqual(parameters(last.rest_url))
      expect(ids((await site.get(path(page.previous_rest_url))).body)).toEqual(ids(last))
      seen.push(...ids(page))
      ;[last, next] = [page, page.next_rest_url]
    }
    expect(seen).toEqual(all)
  })
})

it('parameters are in the order of the contract, and lists in a valid format', async () => {
  const query =
    'featured=1&organizer[]={organizer}&venue={venue}&ticketed=1&ends_after=2026-11-01&ends_before=2027-01-01' +
    '&starts_after=2026-11-01&starts_before=2027-01-01&post_parent={parent}&status=publish&search=choir' +
    '&end_date=2027-01-01&start_date=2026-11-01&per_page=2&page=2'
  const { body } = await app.get(`${ns}/events?${numbered(query)}`)
  expect(body.total).toBe(5)
  const order = [
    ...['page', 'per_page', 'start_date', 'end_date', 'search', 'status', 'post_parent'],
    ...['starts_before', 'starts_after', 'ends_before', 'ends_after', 'ticketed', 'venue', 'organizer', 'featured'],
  ]
  expect([...new URL(body.rest_url).searchParams.keys()]).toEqual(order)
  expect([...new URL(body.next_rest_url).searchParams.keys()]).toEqual(order)
  expect(parameters(body.rest_url)).toMatchObject({
    start_date: '2026-11-01 00:00:00',
    end_date: '2027-01-01 23:59:59',
    starts_before: '2027-01-01 23:59:59',
    ends_after: '2026-11-01 23:59:59',
  })
})

it('links of an include list have no dates and no default status', async () => {
  const { body } = await app.get(`${ns}/events?${numbered('include={e1},{e2}&start_date=2030-01-01&strict_dates=1')}`)
  expect(parameters(body.rest_url)).toMatchObject({ include: numbered('{e1},{e2}') })
  expect(body.rest_url).not.toMatch(/_date=|starts_|ends_|status/)
  const editor = await app.signIn('editor')
  expect((await editor.get(`${ns}/events`)).body.rest_url).not.toContain('status')
  expect(parameters((await editor.get(`${ns}/events?status=publish,%20draft`)).body.rest_url).status).toBe(
    'publish,draft',
  )
})
