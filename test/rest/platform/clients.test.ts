// What clients of the reference do, replayed against a site with the paths and names that they know.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeVenue } from '../../helpers/make.ts'
import { basic, createCredential } from '../../helpers/users.ts'

const base = 'http://calendar.test'
const rest = '/wp-json/old/events/v1'
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)
const total = 57

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'calendar-clients-'))
  app = await openTestApp({
    ...{ REST_PREFIX: '/wp-json', REST_NAMESPACE: 'old/events/v1', REST_HEADER_PREFIX: 'X-Old' },
    ...{ REST_CATEGORY_TAXONOMY: 'old_events_cat', IMAGES_DIR: folder },
  })
  const { db } = app
  const full = {
    venueIds: [await makeVenue(db, 'Hall & park', { city: 'Ghent' })],
    organizerIds: [await makeOrganizer(db, 'Club')],
    categoryIds: [await makeCategory(db, { en: 'Music', fr: 'Musique' })],
    imageId: await makeImage(db),
    cost: ['$10', '$25'],
  }
  for (let number = 1; number <= total; number++) {
    const day = String(1 + (number % 28)).padStart(2, '0')
    const texts = { en: `Night ${number} – “R&B”`, fr: `Nuit ${number}` }
    await makeEvent(db, texts, { start: `2026-12-${day}T19:00:00`, ...(number % 3 === 0 ? full : {}) })
  }
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

interface SentEvent {
  readonly cost_details: { readonly values: readonly unknown[] }
  readonly image: false | { readonly url: unknown }
  readonly venue: readonly unknown[] | { readonly id: unknown }
}

/** Fails where a decoder with types would: a number as text, or an absent list as null. */
function expectTyped(event: SentEvent): void {
  expect(event).toMatchObject({
    ...{ id: expect.any(Number), author: expect.any(String), all_day: expect.any(Boolean), title: expect.any(String) },
    ...{ start_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/), timezone: expect.any(String) },
    ...{
      cost: expect.any(String),
      cost_details: { values: expect.any(Array) },
      start_date_details: { year: expect.stringMatching(/^\d{4}$/) },
    },
    ...{ categories: expect.any(Array), tags: expect.any(Array), organizer: expect.any(Array) },
  })
  for (const value of event.cost_details.values) expect(value).toEqual(expect.any(String))
  expect(event.image === false || typeof event.image.url === 'string').toBe(true)
  expect(event.venue).toEqual('id' in event.venue ? expect.objectContaining({ id: expect.any(Number) }) : [])
}

describe('a bot that knows only /?rest_route= and pages by the header', () => {
  test.each(['/', '/index.php', '/fr/'])('%s', async (path) => {
    const ids = new Set<number>()
    let pages = 1
    for (let page = 1; page <= pages; page++) {
      const query = `rest_route=/old/events/v1/events&per_page=100&page=${page}&order=asc&orderby=date&_fields=id`
      const { status, headers, body } = await app.get(`${path}?${query}`, {
        headers: { 'user-agent': 'bot/0.1 (+https://bot.test; ¿?)' },
      })
      expect([status, headers['x-old-total'], body.total]).toEqual([200, String(total), total])
      expect(body.events.length).toBe(page === 1 ? 50 : total - 50)
      pages = Number(headers['x-old-totalpages'])
      for (const event of body.events) {
        expectTyped(event)
        ids.add(event.id)
      }
    }
    expect([pages, ids.size]).toEqual([2, total])
  })

  test('a browser may read these headers on another site', async () => {
    const { headers } = await app.get('/?rest_route=/old/events/v1/events', {
      headers: { origin: 'https://page.test' },
    })
    expect(headers['access-control-allow-origin']).toBe('*')
    expect(headers['access-control-expose-headers']).toContain('X-Old-Total, X-Old-TotalPages')
  })
})

describe('a scraper that finds the API on a page, and follows next_rest_url', () => {
  test.each(['/', '/fr/'])('%s', async (page) => {
    const root = String((await app.get(page)).headers['x-old-api-root'])
    const seen: string[] = []
    let next: string | undefined = `${root}events?per_page=20&start_date=2026-12-01&categories=music`
    let previous: string | undefined
    while (next !== undefined && seen.length <= total) {
      const { status, body } = await app.get(next.slice(base.length))
      expect([status, typeof body.total_pages, 'previous_rest_url' in body]).toEqual([
        200,
        'number',
        previous !== undefined,
      ])
      seen.push(...body.events.map(({ title }: { title: string }) => title))
      previous = next
      next = body.next_rest_url
      if (next !== undefined) expect(next).toContain('categories=music')
    }
    expect([seen.length, new Set(seen).size]).toEqual([19, 19])
    expect(seen.every((title) => title.startsWith(page === '/fr/' ? 'Nuit' : 'Night'))).toBe(true)
  })

  test('a page after the last one is 404, which ends a loop', async () => {
    const { status, body } = await app.get(`${rest}/events/?page=99`)
    expect([status, body.code]).toEqual([404, 'event-archive-page-not-found'])
  })
})

describe('a screen that only reads what comes next', () => {
  test.each([
    'starts_after=now&per_page=1',
    'start_date=now&per_page=1&status=publish',
    'start_date=2026/11/21T13:00&end_date=2027/01/01&per_page=1',
    'start_date=2026-11-21&per_page=1&strict_dates=true',
    'start_date=2026-11-21T00:00:00&per_page=1&order=&orderby=date',
  ])('%s', async (query) => {
    const { status, body } = await app.get(`/wp-json/old/events/v1/events/?${query}`)
    expect([status, body.events.length]).toEqual([200, 1])
    expect(body.events[0].start_date).toBe('2026-12-01 19:00:00')
    expect(body.events[0].title).toBe('Night 28 – “R&amp;B”')
  })
})

describe('a provider that writes with an application password', () => {
  let editor: ApiClient
  let authorization: string
  beforeAll(async () => {
    const { id, login } = await app.signIn('editor')
    authorization = basic(login, await createCredential(app.db, id, 'application_password'))
    editor = app.as({ authorization })
  })

  test('it checks its credential, and finds the namespaces of the site', async () => {
    expect((await editor.get('/wp-json/wp/v2/users/me?context=edit')).body.capabilities).toMatchObject({
      upload_files: true,
      publish_posts: true,
    })
    expect((await editor.get('/wp-json/')).body.namespaces).toEqual(['old/events/v1', 'wp/v2'])
    expect((await app.get('/wp-json/wp/v2/users/me')).status).toBe(401)
  })

  test('it creates what it does not find, and then an event that it updates and deletes', async () => {
    const find = () => editor.get('/wp-json/wp/v2/tags?search=open%20air&per_page=100&_fields=id,name,slug')
    expect((await find()).body).toEqual([])
    const tag = (await editor.send('POST', '/wp-json/wp/v2/tags', { name: 'Open air' })).body
    expect((await find()).body).toEqual([{ id: tag.id, name: 'Open air', slug: 'open-air' }])

    const media = await editor.send('POST', '/wp-json/wp/v2/media', png, {
      'content-type': 'image/png',
      'content-disposition': 'attachment; filename="concert.png"',
    })
    expect([media.status, media.body.source_url]).toEqual([
      201,
      expect.stringMatching(/^http:\/\/calendar\.test\/images\//),
    ])

    const created = await editor.send('POST', `${rest}/events`, {
      ...{ title: 'Concert &amp; more', description: '<p>All evening</p>', status: 'publish' },
      ...{ start_date: '2027-03-01 20:00:00', end_date: '2027-03-01 23:00:00', timezone: 'Europe/Brussels' },
      ...{ image: media.body.id, tags: [tag.id], categories: ['music'], cost: '10', all_day: false },
      ...{ venue: { venue: 'Barn', city: 'Ghent' }, organizer: [{ organizer: 'Farm' }], unknown: 'ignored' },
    })
    expect(created.status).toBe(201)
    expectTyped(created.body)
    expect(created.body).toMatchObject({
      ...{ title: 'Concert &amp; more', timezone: 'Europe/Brussels', utc_start_date: '2027-03-01 19:00:00' },
      ...{ image: { id: media.body.id, url: media.body.source_url }, tags: [{ id: tag.id, slug: 'open-air' }] },
      ...{ categories: [{ slug: 'music', taxonomy: 'old_events_cat' }], venue: { venue: 'Barn' } },
    })
    const { id } = created.body

    const posted = await editor.send('POST', `${rest}/events/${id}`, { title: 'Concert' })
    const put = await editor.send('PUT', `/?rest_route=/old/events/v1/events/${id}`, { cost: '' })
    expect([posted.status, put.status, put.body.title, put.body.cost]).toEqual([200, 200, 'Concert', ''])
    expect((await app.get(`${rest}/events/${id}/`)).body.tags).toHaveLength(1)

    const deleted = await editor.send('DELETE', `${rest}/events/${id}?force=true`)
    expect([deleted.status, deleted.body.status]).toEqual([200, 'trash'])
    const again = await editor.send('POST', `${rest}/events/${id}?_method=DELETE`)
    expect([again.status, again.body.code]).toEqual([410, 'event-is-in-trash'])
  })

  test('a script without the credential changes nothing', async () => {
    const event = { title: 'x', start_date: '2027-03-01', end_date: '2027-03-01' }
    const tags = await app.db.tag.count()
    const tag = await app.send('POST', '/wp-json/wp/v2/tags', { name: 'x' })
    expect([tag.status, (await app.send('POST', `${rest}/events`, event)).status]).toEqual([401, 401])
    expect(await app.db.tag.count()).toBe(tags)
  })
})
