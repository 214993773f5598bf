// Addresses of the calendar on legacy sites, to which calendars subscribe and which bookmarks and scrapers have.
import { decodeHTML } from 'entities'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, test } from 'vitest'
import { now, openTestApp, serve, type TestApp } from '../../helpers/app.ts'
import { readCalendar, titlesOf } from '../../helpers/icalendar.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../../helpers/make.ts'
import { parseXml } from '../../helpers/xml.ts'

let base: TestApp
let app: TestApp
beforeAll(async () => {
  base = await openTestApp({ LEGACY_ADDRESSES: 'off', REST_PREFIX: '/wp-json', SITE_TIMEZONE: 'Europe/Paris' })
  const { db } = base
  const music = await makeCategory(db, 'Music')
  await makeCategory(db, 'Feedback')
  const jazz = await makeCategory(db, { en: 'Jazz', fr: 'Le jazz' }, music)
  const links = {
    venueIds: [await makeVenue(db, 'Opera')],
    organizerIds: [await makeOrganizer(db, 'Friends')],
    categoryIds: [jazz],
    tagIds: [await makeTag(db, 'Free')],
  }
  await makeEvent(db, { en: 'Concert', fr: 'Le concert' }, { start: '2026-12-01T20:00:00', ...links })
  await makeEvent(db, 'Fair', { start: '2026-12-24T10:00:00', featured: true })
  await makeEvent(db, 'Festival', { start: '2026-12-23T10:00:00', end: '2026-12-25T22:00:00', categoryIds: [music] })
  await makeEvent(db, 'Tonight', { start: '2026-11-21T20:00:00' })
  await makeEvent(db, 'Trivia', { start: '2026-12-03T20:00:00' })
  await makeEvent(db, 'Trivia', { start: '2026-12-10T20:00:00' })
  await makeEvent(db, 'Next year', { start: '2027-01-05T10:00:00' })
  await makeEvent(db, 'Ended', { start: '2026-08-15T10:00:00' })
  await makeEvent(db, 'Draft', { start: '2026-12-24T12:00:00', status: 'draft', categoryIds: [jazz] })
  await makeEvent(db, 'Hidden', { start: '2026-12-24T12:00:00', hideFromListings: true })
  app = await serve(base, {
    REST_PREFIX: '/wp-json',
    REST_CATEGORY_TAXONOMY: 'old_events_cat',
    SITE_TIMEZONE: 'Europe/Paris',
    FEED_EVENTS_MAX: '50',
  })
})
afterAll(async () => {
  await app?.app.close()
  await base?.close()
})
beforeEach(() => {
  app.clock.now = now
})

const coming = ['Tonight', 'Concert', 'Trivia', 'Trivia', 'Festival', 'Fair', 'Next year']
const december = ['Concert', 'Trivia', 'Trivia', 'Festival', 'Fair']

describe('calendars subscribe to', () => {
  const feeds: [string, string[]][] = [
    ['/events/?ical=1', coming],
    ['/events/list/?ical=1', coming],
    ['/events/list/?ical=1&tribe_display=list', coming],
    ['/events/list/?outlook-ical=1', coming],
    ['/events/month/?ical=1', coming],
    ['/events/photo/?ical=1', coming],
    ['/events/ical/', coming],
    ['/?post_type=tribe_events&ical=1&eventDisplay=list', coming],
    ['/events/2026-12/?ical=1', december],
    ['/events/month/2026-12/?ical=1', december],
    ['/events/month/?tribe-bar-date=2026-12-24&ical=1', december],
    ['/events/month/?tribe-bar-date=2026-12&ical=1', december],
    ['/events/2026-12-24/?ical=1', ['Festival', 'Fair']],
    ['/events/2026-12-24/ical/', ['Festival', 'Fair']],
    ['/events/day/2026-12-24/?ical=1', ['Festival', 'Fair']],
    ['/events/today/?ical=1', ['Tonight']],
    ['/events/list/?tribe-bar-date=2026-12-24&ical=1', ['Festival', 'Fair', 'Next year']],
    ['/events/list/?ical=1&tribe-bar-search=trivia', ['Trivia', 'Trivia']],
    ['/events/list/?eventDisplay=past&ical=1', ['Ended']],
    ['/events/past/?ical=1', ['Ended']],
    ['/events/featured/?ical=1', ['Fair']],
    ['/events/list/featured/?ical=1', ['Fair']],
    ['/events/list/?featured=true&ical=1', ['Fair']],
    ['/events/list/page/1/?ical=1', coming],
    ['/events/list/page/2/?ical=1', []],
    ['/events/list/?ical=1&tribe_paged=2', []],
    ['/events/category/music/?ical=1', ['Concert', 'Festival']],
    ['/events/category/music/list/?ical=1', ['Concert', 'Festival']],
    ['/events/category/music/jazz/list/?ical=1', ['Concert']],
    ['/events/category/music/jazz/month/?outlook-ical=1', ['Concert']],
    ['/events/category/music/jazz/ical/', ['Concert']],
    ['/events/category/music/2026-12-24/?ical=1', ['Festival']],
    ['/events/category/music/day/2026-12-24/?ical=1', ['Festival']],
    ['/events/category/music/list/page/3/?ical=1', []],
    ['/events/category/music/today/?ical=1', []],
    ['/?old_events_cat=music/jazz&post_type=tribe_events&ical=1', ['Concert']],
    ['/events/tag/free/?ical=1', ['Concert']],
    ['/events/tag/free/list/?ical=1', ['Concert']],
    ['/events/tag/free/2027-01/?ical=1', []],
    ['/tag/free/list/?ical=1', ['Concert']],
    ['/venue/opera/?ical=1', ['Concert']],
    ['/venue/opera/page/2/?ical=1', []],
    ['/organizer/friends/?ical=1', ['Concert']],
    ['/event/fair/?ical=1', ['Fair']],
    ['/event/fair/ical/', ['Fair']],
    ['/event/fair/2026-12-24/?ical=1', ['Fair']],
    ['/event/hidden/2026-12-24/?ical=1', ['Hidden']],
    ['/fr/events/list/?ical=1', coming.with(1, 'Le concert')],
    ['/es/events/2026-12-24/?ical=1', ['Festival', 'Fair']],
    ['/fr/events/category/music/le-jazz/list/?ical=1', ['Le concert']],
    ['/fr/event/concert/2026-12-01/?ical=1', ['Le concert']],
    ['/events/list/?ical=1&lang=fr&old_events_cat=jazz', ['Le concert']],
  ]

  test.each(feeds)('%s', async (url, titles) => {
    expect(await titlesOf(app, url)).toEqual(titles)
  })

  const addresses = [
    ['/events/?ical=1', coming],
    ['/events/ical/', coming],
    ['/events/month/2026-12/?ical=1', december],
    ['/events/2026-12-24/ical/', ['Festival', 'Fair']],
    ['/events/category/music/jazz/list/?ical=1', ['Concert']],
    ['/events/tag/free/list/?ical=1', ['Concert']],
    ['/venue/opera/?ical=1', ['Concert']],
    ['/event/fair/ical/', ['Fair']],
    ['/event/fair/2026-12-24/?ical=1', ['Fair']],
    ['/fr/events/list/?ical=1', coming.with(1, 'Le concert')],
  ] as const
  test.each(addresses)('%s, also without the last slash and with HEAD', async (url, titles) => {
    expect(await titlesOf(app, url.replace('/?', '?').replace(/(.)\/$/, '$1'))).toEqual(titles)
    const head = await app.app.inject({ method: 'HEAD', url })
    expect([head.statusCode, head.headers['content-type'], head.body]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      '',
    ])
  })

  test('the date of an event that repeats', async () => {
    const startOf = async (url: string) => /DTSTART;TZID[^:]*:(\d+)/.exec((await readCalendar(app, url)).body)?.[1]
    expect(await startOf('/event/trivia/2026-12-03/?ical=1')).toBe('20261203')
    expect(await startOf('/event/trivia/2026-12-10/?ical=1')).toBe('20261210')
    expect(await startOf('/event/trivia/2026-12-17/?ical=1')).toBe('20261203')
  })

  test.each([
    ['/events/nothing/?ical=1', 404],
    ['/events/nothing/list/?ical=1', 404],
    ['/events/2026-13/?ical=1', 404],
    ['/events/2026-02-30/?ical=1', 404],
    ['/events/category/nothing/list/?ical=1', 404],
    ['/events/category/list/?ical=1', 404],
    ['/events/tag/nothing/list/?ical=1', 404],
    ['/event/nothing/2026-12-24/?ical=1', 404],
    ['/event/fair/nothing/?ical=1', 404],
    ['/event/draft/2026-12-24/?ical=1', 403],
    ['/venue/nothing/page/2/?ical=1', 404],
  ])('%s is an error in JSON', async (url, status) => {
    const reply = await app.get(url, { headers: { accept: 'text/html' } })
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'application/json; charset=UTF-8'])
  })

  test('responses are cached until midnight and until a change', async () => {
    const statusOf = async (url: string) => (await app.get(url)).headers['cache-status']
    for (const url of ['/events/today/?ical=1', '/events/category/music/list/?ical=1']) {
      expect([url, await statusOf(url), await statusOf(url)]).toEqual([url, expect.any(String), 'calendar; hit'])
    }
    app.clock.now = new Date('2026-12-24T01:00:00Z')
    expect(await titlesOf(app, '/events/today/?ical=1')).toEqual(['Festival', 'Fair'])
  })

  test('a category whose slug is the name of a view', async () => {
    const music = await app.db.category.findFirstOrThrow({ where: { slugs: { some: { slug: 'music' } } } })
    const list = await makeCategory(app.db, 'List', music.id)
    const liszt = await makeEvent(app.db, 'Liszt', { start: '2028-01-01T10:00:00', categoryIds: [list] })
    onTestFinished(async () => {
      await app.db.event.delete({ where: { id: liszt } })
      await app.db.category.delete({ where: { id: list } })
    })
    expect(await titlesOf(app, '/events/category/music/list/?ical=1&per_page=5')).toEqual(['Liszt'])
    expect((await app.get('/events/category/music/list/')).status).toBe(200)
    expect((await app.get('/events/category/music/list/feed.json')).body.items).toMatchObject([{ title: 'Liszt' }])
    expect(await titlesOf(app, '/events/category/music/jazz/list/?ical=1&per_page=5')).toEqual(['Concert'])
  })
})

describe('feed readers subscribe to', () => {
  const titles = async (url: string) => {
    const { status, body } = await app.get(url)
    expect([url, status]).toEqual([url, 200])
    if (typeof body !== 'string') return body.items.map(({ title }: { title: string }) => title)
    return parseXml(body)
      .children[0]?.all('item')
      .map((item) => item.text('title'))
  }

  test.each([
    ['/events/category/music/', ['Festival', 'Concert']],
    ['/events/category/music/jazz/', ['Concert']],
    ['/events/category/feedback/', []],
    ['/events/category/music/month/', ['Festival', 'Concert']],
    ['/events/category/music/2026-12-24/', ['Festival']],
    ['/events/category/music/featured/', []],
    ['/events/featured/', ['Fair']],
    ['/events/2026-12-24/', ['Festival', 'Fair']],
    ['/events/tag/free/', ['Concert']],
    ['/events/tag/free/2027-01/', []],
    ['/fr/events/category/music/le-jazz/', ['Le concert']],
    ['/fr/events/category/music/le-jazz/month/', ['Le concert']],
  ])('the RSS and JSON feeds of %s', async (url, expected) => {
    const segments = url.endsWith('/music/') ? ['feed', 'feed/', 'feed.json', 'feed.json/'] : ['feed/', 'feed.json']
    for (const segment of segments)
      expect((await titles(url + segment)).toSorted(), segment).toEqual(expected.toSorted())
  })

  test.each([
    ['/events/category/music/', ['', '/es']],
    ['/events/category/music/jazz/', ['', '/fr']],
    ['/tag/free/', ['/fr']],
    ['/venue/opera/', ['/es']],
    ['/organizer/friends/', ['/fr']],
  ])('the feeds that %s links to, in languages', async (url, roots) => {
    for (const root of roots) {
      const page = await app.get(root + url.replace('/jazz/', root === '/fr' ? '/le-jazz/' : '/jazz/'))
      const feeds = [
        ...page.body.matchAll(/<link rel="alternate" type="(text\/calendar|application\/[a-z+]+)" href="([^"]*)"/g),
      ].map(([, type, href]) => [type, decodeHTML(href).replace('http://calendar.test', '')] as const)
      expect(feeds.map(([type]) => type)).toEqual(['text/calendar', 'application/rss+xml', 'application/feed+json'])
      for (const [type, feed] of feeds) {
        const { status, headers } = await app.get(feed)
        expect([feed, status, headers['content-type']]).toEqual([feed, 200, `${type}; charset=utf-8`])
      }
    }
  })

  test.each(['/events/category/feed/', '/events/category/nothing/feed/', '/events/nothing/feed/', '/events/tag/feed/'])(
    'not to %s',
    async (url) => {
      expect((await app.get(url)).status).toBe(404)
    },
  )
})

describe('bookmarks lead to', () => {
  it.each([
    ['/events/', '/en/'],
    ['/events/month/', '/en/'],
    ['/events/list/', '/en/?view=list'],
    ['/events/list/page/2/', '/en/?view=list&page=2'],
    ['/events/page/2/', '/en/?view=list&page=2'],
    ['/events/list/?tribe_paged=3', '/en/?view=list&page=3'],
    ['/events/2026-12/', '/en/?month=2026-12'],
    ['/events/month/2026-12', '/en/?month=2026-12'],
    ['/events/2026-12-24/', '/en/?date=2026-12-24'],
    ['/events/today/', '/en/?date=2026-11-21'],
    ['/events/list/?tribe-bar-date=2026-12-24', '/en/?view=list&month=2026-12'],
    ['/events/?tribe-bar-date=2026-12-24', '/en/?month=2026-12'],
    ['/events/?tribe-bar-date=2026-12-24&eventDisplay=day', '/en/?date=2026-12-24'],
    ['/events/list/?tribe-bar-search=jazz+night', '/en/?search=jazz+night'],
    ['/events/month/?tribe-bar-search=jazz', '/en/?view=month&search=jazz'],
    ['/events/list/?tribe-bar-date=nonsense', '/en/?view=list'],
    ['/fr/events/2026-12-24/', '/fr/?date=2026-12-24'],
    ['/events/month/?lang=fr', '/fr/'],
    ['/events/category/music/month/', '/events/category/music/'],
    ['/events/category/music/jazz/list/', '/events/category/music/jazz/'],
    ['/events/category/jazz/list/page/2/', '/events/category/music/jazz/?page=2'],
    ['/events/category/music/2026-12/', '/en/?month=2026-12&category=music'],
    ['/events/category/music/jazz/2026-12-24/', '/en/?date=2026-12-24&category=jazz'],
    ['/fr/events/category/le-jazz/day/2026-12-24/', '/fr/?date=2026-12-24&category=le-jazz'],
    ['/events/tag/free/', '/tag/free/'],
    ['/events/tag/free/list/page/2/', '/tag/free/?page=2'],
    ['/fr/events/tag/free/month/', '/fr/tag/free/'],
    ['/event/fair/2026-12-24/', '/event/fair/'],
    ['/event/trivia/2026-12-10/', '/event/trivia-2/'],
    ['/event/trivia/2026-12-17/', '/event/trivia/'],
    ['/fr/event/concert/2026-12-01/', '/fr/event/le-concert/'],
    ['/venue/opera/page/2/', '/venue/opera/?page=2'],
    ['/organizer/friends/list/', '/organizer/friends/'],
  ])('%s', async (url, own) => {
    const { status, headers } = await app.get(url)
    expect([status, headers.location]).toEqual([301, `http://calendar.test${own}`])
  })

  it.each(['/events/list/page/2/', '/events/category/music/month/', '/event/trivia/2026-12-10/'])(
    'the same with HEAD: %s',
    async (url) => {
      const { status, headers } = await app.get(url)
      const head = await app.app.inject({ method: 'HEAD', url })
      expect([head.statusCode, head.headers.location]).toEqual([status, headers.location])
    },
  )

  it.each([
    '/events/category/music/',
    '/events/category/music/jazz/',
    '/tag/free/',
    '/event/fair/',
    '/en/?month=2026-12',
  ])('%s, which is a page', async (url) => {
    expect((await app.get(url)).status).toBe(200)
  })

  it.each([
    ['/events/nothing/', 404],
    ['/events/2026-13/', 404],
    ['/events/2026-12-24/2026-12-25/nothing/', 404],
    ['/events/category/nothing/month/', 404],
    ['/events/category/nothing/2026-12/', 404],
    ['/events/tag/nothing/', 404],
    ['/event/nothing/2026-12-24/', 404],
    ['/event/fair/nothing/', 404],
    ['/event/draft/2026-12-24/', 403],
    ['/venue/opera/nothing/', 404],
  ])('%s, which is an error page', async (url, status) => {
    const reply = await app.get(url, { headers: { accept: 'text/html' } })
    expect([reply.status, reply.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8'])
  })
})

test.each(['/events/list/', '/events/list/?ical=1', '/event/fair/2026-12-24/', '/events/tag/free/', '/events/ical/'])(
  'without LEGACY_ADDRESSES, there is no %s',
  async (url) => {
    expect((await base.get(url)).status).toBe(404)
  },
)

test('on a site in UTC, an event is on the day of its local time, and found by a title with quotes', async () => {
  const site = await serve(base, { REST_PREFIX: '/wp-json', SITE_TIMEZONE: 'UTC' })
  const title = 'Nuit «-Pop» au club'
  const times = [3, 10].map((day) => ({ start: `2027-02-${day + 10}T20:00:00`, timeZone: 'America/New_York' }))
  const ids = [await makeEvent(base.db, title, times[0]), await makeEvent(base.db, title, times[1])]
  expect(await titlesOf(site, '/events/2027-02-20/?ical=1')).toEqual([title])
  expect(await titlesOf(site, '/events/2027-02-21/?ical=1')).toEqual([])
  const text = (await site.app.inject('/event/nuit-pop-au-club/2027-02-20/?ical=1')).body
  expect(text).toContain('DTSTART;TZID=America/New_York:20270220T200000')
  await base.db.event.deleteMany({ where: { id: { in: ids } } })
  await site.app.close()
})
