// RSS and JSON Feed: the newest events for people who read feeds.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { parseXml, type XmlElement } from '../helpers/xml.ts'

let app: TestApp
const day = 86_400_000
const base = 'http://calendar.test'
const published = (days: number) => new Date(Date.parse('2026-11-20T08:30:00Z') - days * day)

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>', FEED_PAST_DAYS: '10' })
  const { db } = app
  const imageId = await makeImage(db, 'https://images.test/a&b.jpg')
  await db.image.update({ where: { id: imageId }, data: { mimeType: 'image/jpeg', fileSize: 1234 } })
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  const links = {
    imageId,
    venueIds: [await makeVenue(db, 'Hall', { city: 'Turin', latitude: 45.5, longitude: 7.25 })],
    organizerIds: [await makeOrganizer(db, 'Club')],
    categoryIds: [await makeCategory(db, { en: 'Jazz', fr: 'Le jazz' }, music)],
    tagIds: [await makeTag(db, 'Free entry')],
  }
  const description = '<p>Songs &amp; <b>dances</b>, <a href="/tag/free-entry/">free</a> ]]&gt;</p>'
  const en = { name: 'Choir "A" & <b> \u{1f3b5}', slug: 'choir', description, excerpt: 'Songs & more' }
  await makeEvent(db, { en, fr: { name: 'Chorale', slug: 'chorale' } }, { ...links, publishedAt: published(1) })
  await makeEvent(db, 'Oldest', { publishedAt: published(9), start: '2026-11-28T10:00:00' })
  await makeEvent(db, 'Newest', { publishedAt: published(0), start: '2027-11-28T10:00:00', allDay: true })
  await makeEvent(db, 'Over', { start: '2026-10-01T10:00:00' })
})
afterAll(() => app?.close())

async function rss(path: string): Promise<XmlElement> {
  const { status, headers, body } = await app.get(path)
  expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/rss+xml; charset=utf-8'])
  const [channel] = parseXml(body).children
  if (!channel) expect.fail('there is no channel')
  return channel
}

async function json(path: string) {
  const { status, headers, body } = await app.get(path)
  expect([path, status, headers['content-type']]).toEqual([path, 200, 'application/feed+json; charset=utf-8'])
  return body
}

const titles = async (path: string): Promise<(string | undefined)[]> =>
  /json/.test(path)
    ? (await json(path)).items.map(({ title }: { title: string }) => title)
    : (await rss(path)).all('item').map((item) => item.text('title'))

const choir = 'Choir "A" & <b> \u{1f3b5}'

describe.each([
  ['rss', 'feed', 'feed=rss2'],
  ['json', 'feed.json', 'feed=json'],
])('%s', (extension, segment, parameter) => {
  test.each([
    [`/events.${extension}`, ['Newest', choir, 'Oldest']],
    [`/${segment}`, ['Newest', choir, 'Oldest']],
    [`/events/${segment}`, ['Newest', choir, 'Oldest']],
    [`/events/${segment}/`, ['Newest', choir, 'Oldest']],
    [`/?${parameter}`, ['Newest', choir, 'Oldest']],
    [`/fr/events.${extension}`, ['Newest', 'Chorale', 'Oldest']],
    [`/fr/${segment}`, ['Newest', 'Chorale', 'Oldest']],
    [`/venue/hall/${segment}`, [choir]],
    [`/organizer/club/${segment}/`, [choir]],
    [`/tag/free-entry/${segment}`, [choir]],
    [`/events/category/music/${segment}`, [choir]],
    [`/events/category/music/jazz/${segment}/`, [choir]],
    [`/fr/events/category/musique/le-jazz/${segment}`, ['Chorale']],
    [`/events/category/jazz/?${parameter}`, [choir]],
    [`/event/choir/?${parameter}`, [choir]],
    [`/events.${extension}?search=choir`, [choir]],
    [`/events.${extension}?categories=music&translation_language=fr`, ['Chorale']],
    [`/events.${extension}?start_date=2026-09-01&end_date=2026-10-30`, ['Over']],
    [`/events.${extension}?per_page=1`, ['Newest']],
  ])('%s lists its events, the newest first', async (path, expected) => {
    expect(await titles(path)).toEqual(expected)
  })

  test.each([
    [`/events.${extension}?per_page=none`, 400],
    [`/events.${extension}?after=none`, 400],
    [`/tag/unknown/${segment}`, 404],
    [`/events/category/music/unknown/${segment}`, 404],
    [`/event/unknown/?${parameter}`, 404],
    ['/event/choir/feed', 404],
  ])('%s is an error, and never a page', async (path, expected) => {
    const { status, headers } = await app.get(path, { headers: { accept: 'text/html' } })
    expect([status, headers['content-type']]).toEqual([
      expected,
      expect.stringMatching(/^(application\/json|text\/plain);/),
    ])
  })

  test('a feed links to the next one until all events are listed', async () => {
    const found: (string | undefined)[] = []
    let next: string | undefined = `${base}/fr/events.${extension}?per_page=2`
    for (let page = 0; next !== undefined && page < 5; page += 1) {
      const path: string = next.replace(base, '')
      found.push(...(await titles(path)))
      const isNext = ({ name, attributes }: XmlElement) => name === 'atom:link' && attributes.rel === 'next'
      next =
        extension === 'json' ? (await json(path)).next_url : (await rss(path)).children.find(isNext)?.attributes.href
    }
    expect([found, next]).toEqual([['Newest', 'Chorale', 'Oldest'], undefined])
  })

  describe('an event', () => {
    afterEach(() => app.db.event.deleteMany({ where: { texts: { some: { name: { contains: 'Hidden' } } } } }))

    test.each([
      ['a draft', { status: 'draft' }],
      ['pending', { status: 'pending' }],
      ['private', { status: 'private' }],
      ['scheduled', { status: 'future', publishedAt: new Date('2100-01-01T00:00:00Z') }],
      ['in the trash', { status: 'trash', trashedFrom: 'publish' }],
      ['with a password', { passwordKey: 'key' }],
      ['hidden from lists', { hideFromListings: true }],
    ] as const)('that is %s is in no list', async (_, columns) => {
      const venueIds = [await makeVenue(app.db, 'Cellar')]
      await makeEvent(app.db, 'Hidden thing', { ...columns, venueIds })
      for (const path of [`/events.${extension}`, `/venue/cellar/${segment}`, `/events.${extension}?search=hidden`]) {
        expect(JSON.stringify((await app.get(path)).body), path).not.toContain('Hidden')
      }
      await app.db.venue.deleteMany({ where: { texts: { some: { name: 'Cellar' } } } })
    })

    test('is listed as soon as it is written, although the feed is cached', async () => {
      const path = `/events.${extension}`
      await app.get(path)
      expect((await app.get(path)).headers['cache-status']).toBe('calendar; hit')
      await makeEvent(app.db, 'Hidden no more', { publishedAt: new Date(app.clock.now) })
      expect((await titles(path))[0]).toBe('Hidden no more')
    })
  })
})

test('RSS has the elements of the specification, and those of other namespaces that calendars read', async () => {
  const channel = await rss('/fr/events.rss?search=chorale')
  for (const [name, content] of Object.entries({
    title: 'Here & <now>',
    link: `${base}/fr/`,
    description: 'Here & <now>',
    language: 'fr',
  })) {
    expect(channel.text(name)).toBe(content)
  }
  expect(channel.all('atom:link').map(({ attributes }) => attributes)).toEqual([
    { rel: 'self', type: 'application/rss+xml', href: `${base}/fr/events.rss?search=chorale` },
  ])
  const [item] = (await rss('/events.rss?search=choir')).all('item')
  if (!item) expect.fail('there is no item')
  const { uid } = (await app.graphql('{ event(slug: "choir") { uid } }')).body.data.event
  const texts = Object.fromEntries(item.children.map(({ name, content }) => [name, content]))
  expect(texts).toEqual({
    title: choir,
    link: `${base}/event/choir/`,
    guid: uid,
    pubDate: 'Thu, 19 Nov 2026 08:30:00 GMT',
    description: 'Songs & more',
    'content:encoded': expect.stringContaining(
      `<p>Songs &amp; <b>dances</b>, <a href="${base}/tag/free-entry/">free</a> ]]&gt;</p>`,
    ),
    category: 'Free entry',
    'dc:creator': 'Club',
    'ev:startdate': '2026-12-01T18:00:00.000Z',
    'ev:enddate': '2026-12-01T20:00:00.000Z',
    'ev:location': 'Hall',
    'ev:organizer': 'Club',
    'georss:point': '45.5 7.25',
    enclosure: '',
  })
  expect(item.all('category').map(({ content }) => content)).toEqual(['Jazz', 'Free entry'])
  expect(item.all('guid')[0]?.attributes).toEqual({ isPermaLink: 'false' })
  expect(item.all('enclosure')[0]?.attributes).toEqual({
    ...{ url: 'https://images.test/a&b.jpg', type: 'image/jpeg', length: '1234' },
  })
  expect(item.text('content:encoded')).toMatch(/^<p>Tuesday, December 1, 2026.* CET · Hall, Turin<\/p>/)
})

test('JSON Feed has the fields of version 1.1, and times and places as an extension', async () => {
  const feed = await json('/fr/events.json?search=chorale')
  const { items, ...head } = feed
  expect(head).toEqual({
    version: 'https://jsonfeed.org/version/1.1',
    title: 'Here & <now>',
    home_page_url: `${base}/fr/`,
    feed_url: `${base}/fr/events.json?search=chorale`,
    language: 'fr',
  })
  const { uid, modifiedAt } = (await app.graphql('{ event(slug: "choir") { uid modifiedAt } }')).body.data.event
  expect(items).toEqual([
    {
      id: uid,
      url: `${base}/fr/event/chorale/`,
      title: 'Chorale',
      language: 'fr',
      summary: 'Songs & more',
      content_html: expect.stringContaining('<b>dances</b>'),
      content_text: expect.stringContaining(`Songs & dances, free (${base}/tag/free-entry/) ]]>`),
      image: 'https://images.test/a&b.jpg',
      date_published: '2026-11-19T08:30:00.000Z',
      date_modified: new Date(modifiedAt).toISOString(),
      tags: ['Le jazz', 'Free entry'],
      authors: [{ name: 'Club', url: `${base}/fr/organizer/club/` }],
      _event: {
        about: 'https://schema.org/Event',
        starts_at: '2026-12-01T18:00:00.000Z',
        ends_at: '2026-12-01T20:00:00.000Z',
        starts_local: '2026-12-01T19:00:00',
        ends_local: '2026-12-01T21:00:00',
        time_zone: 'Europe/Paris',
        all_day: false,
        status: 'SCHEDULED',
        attendance_mode: 'OFFLINE',
        online_url: null,
        cost: null,
        venues: [{ name: 'Hall', address: '', zip: '', city: 'Turin', country: '', latitude: 45.5, longitude: 7.25 }],
      },
    },
  ])
})

test('the text of an event says first that it does not take place as planned', async () => {
  const { id } = await app.db.event.findFirstOrThrow({ where: { texts: { some: { name: choir } } } })
  const setStatus = (eventStatus: 'cancelled' | 'scheduled') =>
    app.db.event.update({ where: { id }, data: { eventStatus, modifiedAt: new Date(app.clock.now) } })
  await setStatus('cancelled')
  const [item] = (await rss('/fr/events.rss?search=chorale')).all('item')
  expect(item?.text('title')).toBe('Chorale')
  expect(item?.text('description')).toBe('Annulé\u00a0: Songs & more')
  expect(item?.text('content:encoded')).toMatch(/^<p>Annulé\u00a0: mardi 1er décembre 2026/)
  const [{ summary, content_html, content_text }] = (await json('/events.json?search=choir')).items
  expect(summary).toBe('Cancelled: Songs & more')
  expect(content_html).toMatch(/^<p>Cancelled: Tuesday, December 1, 2026/)
  expect(content_text).toMatch(/^Cancelled: Tuesday, December 1, 2026/)
  await setStatus('scheduled')
})

test('every item of JSON Feed has an ID, a content and dates of RFC 3339', async () => {
  for (const item of (await json('/events.json')).items) {
    expect(item.id).not.toBe('')
    expect(item.content_html.length * item.content_text.length).toBeGreaterThan(0)
    for (const date of [item.date_published, item.date_modified])
      expect(date).toMatch(/^\d{4}(-\d\d){2}T(\d\d:){2}\d\d\.\d{3}Z$/)
  }
})

test('a feed without events is complete', async () => {
  expect((await rss('/events.rss?search=nothing')).all('item')).toEqual([])
  expect((await json('/events.json?search=nothing')).items).toEqual([])
})

describe('a page links to its feeds', () => {
  const links = async (path: string) => {
    const { body } = await app.get(path)
    const found = [...body.matchAll(/<link rel="alternate" type="([^"]*)" href="([^"]*)" title="([^"]*)">/g)]
    return found.map(([, type, href = '']) => [type, href.replace(base, '').replaceAll('&#61;', '=')] as const)
  }

  test.each([
    ['/en/', ['Newest', choir, 'Oldest']],
    ['/fr/', ['Newest', 'Chorale', 'Oldest']],
    ['/fr/?search=chorale', ['Chorale']],
    ['/venue/hall/', [choir]],
    ['/organizer/club/', [choir]],
    ['/tag/free-entry/', [choir]],
    ['/fr/events/category/musique/le-jazz/', ['Chorale']],
  ])('%s', async (path, expected) => {
    const found = await links(path)
    expect(found.map(([type]) => type)).toEqual(['text/calendar', 'application/rss+xml', 'application/feed+json'])
    for (const [, href] of found.slice(1)) expect([href, await titles(href)]).toEqual([href, expected])
  })

  test('but the page of a record that is not public links to none', async () => {
    const { id } = await app.db.event.findFirstOrThrow({ where: { texts: { some: { name: 'Newest' } } } })
    await app.db.event.update({ where: { id }, data: { passwordKey: 'key' } })
    expect(await links('/event/newest/')).toEqual([])
    await app.db.event.update({ where: { id }, data: { passwordKey: null } })
    expect((await links('/event/newest/')).map(([type]) => type)).toContain('application/json+oembed')
  })
})
