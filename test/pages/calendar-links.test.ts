// Links of pages that add an event to a calendar, or subscribe to a list of events.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { titlesOf } from '../helpers/icalendar.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  const links = {
    venueIds: [await makeVenue(db, 'Hall', { address: '1 Rue A', zip: '69001', city: 'Lyon', country: 'France' })],
    organizerIds: [await makeOrganizer(db, 'Club')],
    categoryIds: [await makeCategory(db, 'Music')],
    tagIds: [await makeTag(db, 'Été')],
  }
  await makeEvent(db, { en: 'Night & day', fr: 'Nuit et jour' }, { ...links, start: '2026-12-01T20:00:00' })
  const days = { start: '2026-12-24T06:00:00', end: '2026-12-27T05:59:59', allDay: true, timeZone: 'UTC+5:30' }
  await makeEvent(db, 'Camp', days)
  await makeEvent(db, 'Offset', { start: '2026-12-01T20:00:00', timeZone: 'UTC+5:30' })
  await makeEvent(db, 'Over', { start: '2026-11-01T20:00:00' })
  await makeEvent(db, 'Off', { start: '2026-12-01T20:00:00', eventStatus: 'cancelled' })
})
afterAll(() => app?.close())

/** The links of the navigation for calendars, by their text. */
async function linksOf(url: string, client = app): Promise<Record<string, URL>> {
  const { body, status } = await client.get(url)
  expect([url, status]).toEqual([url, 200])
  const [navigation = ''] = /<nav class="calendar"[\s\S]*?<\/nav>/.exec(body) ?? []
  const links = navigation.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)
  return Object.fromEntries([...links].map(([, href = '', text = '']) => [text, new URL(decodeHTML(href))]))
}

const queryOf = (url: URL | undefined) => Object.fromEntries(url?.searchParams ?? [])

test('an event with a time can be added to Google, Outlook and Apple, and downloaded', async () => {
  const links = await linksOf('/event/night-day/')
  const page = 'http://calendar.test/event/night-day/'
  const location = 'Hall, 1 Rue A, 69001, Lyon, France'
  expect(Object.keys(links)).toEqual(['Google Calendar', 'Outlook', 'Apple Calendar', 'Download (.ics)'])
  expect(queryOf(links['Google Calendar'])).toEqual({
    ...{ action: 'TEMPLATE', text: 'Night & day', ctz: 'Europe/Paris', details: page, location },
    dates: '20261201T190000Z/20261201T210000Z',
  })
  expect(queryOf(links.Outlook)).toEqual({
    ...{ path: '/calendar/action/compose', rru: 'addevent', subject: 'Night & day', body: page, location },
    ...{ startdt: '2026-12-01T19:00:00Z', enddt: '2026-12-01T21:00:00Z', allday: 'false' },
  })
  expect(links['Apple Calendar']?.href).toBe('webcal://calendar.test/event/night-day/?ical=1')
  expect(links['Download (.ics)']?.href).toBe(`${page}?ical=1`)
})

test('an all-day event is added with its days, whenever they begin', async () => {
  const links = await linksOf('/event/camp/')
  expect(queryOf(links['Google Calendar'])).toMatchObject({ dates: '20261224/20261227' })
  expect(queryOf(links.Outlook)).toMatchObject({ startdt: '2026-12-24', enddt: '2026-12-27', allday: 'true' })
  for (const url of ['/event/camp/', '/event/offset/']) {
    expect(queryOf((await linksOf(url))['Google Calendar'])).not.toHaveProperty('ctz')
  }
})

test('the texts are in the language of the page', async () => {
  const links = await linksOf('/fr/event/nuit-et-jour/')
  expect(Object.keys(links).at(-1)).toBe('Télécharger (.ics)')
  expect((await app.get('/fr/event/nuit-et-jour/')).body).toContain('aria-label="Ajouter à l’agenda"')
  expect((await app.get('/es/')).body).toContain('aria-label="Suscribirse en un calendario"')
  expect(links['Apple Calendar']?.pathname).toBe('/fr/event/nuit-et-jour/')
})

test('an event that is over or cancelled cannot be added', async () => {
  for (const url of ['/event/over/', '/event/off/']) expect(await linksOf(url)).toEqual({})
})

test.each([
  ['/', '/events.ics'],
  ['/fr/', '/fr/events.ics'],
  ['/?search=night', '/events.ics?search=night'],
  ['/venue/hall/', '/venue/hall/?ical=1'],
  ['/fr/organizer/club/', '/fr/organizer/club/?ical=1'],
  ['/events/category/music/', '/events/category/music/?ical=1'],
  ['/tag/ete/', '/tag/ete/?ical=1'],
])('readers of %s can subscribe to its events', async (url, feed) => {
  const links = Object.values(await linksOf(url))
  const [https, webcal] = [`http://calendar.test${feed}`, `webcal://calendar.test${feed}`]
  expect(links[0]?.searchParams.get('cid')).toBe(webcal)
  expect(links[1]?.searchParams.get('url')).toBe(https)
  expect(links.slice(2).map(({ href }) => href)).toEqual([webcal, https])
  const titles = await titlesOf(app, feed)
  expect(titles.some((title) => /^(Night & day|Nuit et jour)$/.test(title))).toBe(true)
  if (url.includes('?')) return
  const { body } = await app.get(url)
  const [, href = ''] = /<link rel="alternate" type="text\/calendar" href="([^"]*)"/.exec(body) ?? []
  expect(decodeHTML(href)).toBe(https)
})

test('feeds are at PUBLIC_URL if another site serves the pages', async () => {
  const other = await serve(app, { PAGES_URL: 'http://www.test' })
  expect((await linksOf('/', other))['Download (.ics)']?.href).toBe('http://calendar.test/events.ics')
  expect(await titlesOf(other, '/venue/hall/?ical=1')).toEqual(['Night & day'])
})
