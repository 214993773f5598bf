// An address that looks like a feed or a REST route is never answered by a page with status 200.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
let legacy: TestApp
beforeAll(async () => {
  app = await openTestApp()
  const links = {
    venueIds: [await makeVenue(app.db, 'Hall')],
    organizerIds: [await makeOrganizer(app.db, 'Club')],
    categoryIds: [await makeCategory(app.db, 'Music')],
    tagIds: [await makeTag(app.db, 'Jazz')],
  }
  await makeEvent(app.db, { en: 'Night', fr: 'Nuit' }, links)
  await makeEvent(app.db, 'Feed')
  legacy = await serve(app, { REST_PREFIX: '/wp-json' })
})
afterAll(async () => {
  await legacy.app.close()
  await app.close()
})

const pages = [
  '/',
  '/fr/',
  '/event/night/',
  '/venue/hall/',
  '/organizer/club/',
  '/events/category/music/',
  '/tag/jazz/',
]
const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

const formatOf = async (service: TestApp, path: string) => {
  const { status, headers } = await service.get(path, browser)
  return [status, headers['content-type']]
}
const rest = [404, expect.stringMatching(/^application\/json; charset=utf-8$/i)]
const feed = [404, 'text/plain; charset=utf-8']
const rss = [200, 'application/rss+xml; charset=utf-8']
const calendar = [200, 'text/calendar; charset=utf-8']

describe.each(pages)('the page %s', (page) => {
  test('is HTML', async () => {
    expect(await formatOf(app, page)).toEqual([200, 'text/html; charset=utf-8'])
  })

  test.each([
    ['?rest_route=/nothing', rest],
    ['?page=1&rest_route=/nothing', rest],
    ['?feed=rss2', rss],
    ['?feed=atom', feed],
    ['?feed=', feed],
    ['?ical=1', calendar],
    ['?ical=x', feed],
  ])('with %s is not', async (query, expected) => {
    expect(await formatOf(app, page + query)).toEqual(expected)
  })

  test('with feed/ below it is not', async () => {
    expect(await formatOf(app, `${page}feed/`)).toEqual(page.startsWith('/event/') ? feed : rss)
    expect(await formatOf(app, `${page}feed/atom`)).toEqual(feed)
  })
})

test.each([
  ['/wp-json', rest],
  ['/wp-json/', rest],
  ['/wp-json/unknown', rest],
  ['/fr/wp-json/unknown', rest],
  ['/index.php/wp-json/unknown', rest],
  ['/feed/atom', feed],
  ['/feed/rss2/', feed],
  ['/events/feed/atom', feed],
  ['/comments/feed/', feed],
  ['/nothing.ics', feed],
  ['/fr/nothing.rss', feed],
])('%s is unknown in the format that the client expects', async (path, expected) => {
  expect(await formatOf(app, path)).toEqual(expected)
})

test.each([
  '/wp-json/unknown',
  '/?rest_route=/nothing',
  '/fr/?rest_route=/nothing',
  '/wp-json/wp/v2/posts',
  '/wp-json/wp',
])('with LEGACY_ADDRESSES, %s is an unknown route', async (path) => {
  const { status, body } = await legacy.get(path, browser)
  expect([status, body]).toEqual([404, { code: 'rest_no_route', message: expect.any(String), data: { status: 404 } }])
})

test('an error in another format is not cached', async () => {
  for (const path of ['/?feed=atom', '/?rest_route=/nothing', '/feed/atom']) {
    expect((await app.get(path)).headers['cache-control']).toBe('no-store')
  }
})

test('other parameters do not change the format of a page', async () => {
  expect(await formatOf(app, '/?feeds=1&iCal=x&x[rest_route]=/')).toEqual([200, 'text/html; charset=utf-8'])
})

test('a record may have the slug feed', async () => {
  expect(await formatOf(app, '/event/feed/')).toEqual([200, 'text/html; charset=utf-8'])
  expect((await app.get('/cal/events/v1/events/by-slug/feed')).body.title).toBe('Feed')
})
