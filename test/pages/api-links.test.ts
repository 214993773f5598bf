// Headers and links by which clients of the reference find the REST API from a page (contract i.5).
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const legacy = { REST_PREFIX: '/wp-json', REST_NAMESPACE: 'old/events/v1', REST_HEADER_PREFIX: 'X-Old' }
const base = 'http://calendar.test'
const names = ['version', 'root', 'origin'] as const

let app: TestApp
let pages: [page: string, platform: string, path: string][]
beforeAll(async () => {
  app = await openTestApp(legacy)
  const { db } = app
  const venue = await makeVenue(db, 'Hall')
  await makeOrganizer(db, 'Club')
  const categoryIds = [await makeCategory(db, { en: 'Music', fr: 'Musique' })]
  const tagIds = [await makeTag(db, '音楽')]
  const event = await makeEvent(db, { en: 'Night', fr: 'Nuit' }, { venueIds: [venue], categoryIds, tagIds })
  pages = [
    ['/', '/wp-json/', '/'],
    ['/fr/', '/fr/wp-json/', '/'],
    ['/event/night/', '/wp-json/', `/events/${event}`],
    ['/fr/event/nuit/', '/fr/wp-json/', `/events/${event}`],
    ['/venue/hall/', '/wp-json/', `/events/?venue=${venue}`],
    ['/organizer/club/', '/wp-json/', '/'],
    ['/events/category/music/', '/wp-json/', '/events/?categories=music'],
    ['/fr/events/category/musique/', '/fr/wp-json/', '/events/?categories=musique'],
    [
      `/tag/${encodeURIComponent('音楽').toLowerCase()}/`,
      '/wp-json/',
      `/events/?tags=${encodeURIComponent(encodeURIComponent('音楽').toLowerCase())}`,
    ],
  ]
})
afterAll(() => app.close())

const headersOf = ({ headers }: { headers: Record<string, string | undefined> }, prefix = 'x-old') =>
  names.map((name) => headers[`${prefix}-api-${name}`])

test('each page names the API, and the part of it that it shows', async () => {
  for (const [page, platform, path] of pages) {
    const reply = await app.get(page)
    const root = `${base}${platform}old/events/v1${path}`
    expect([page, reply.status, ...headersOf(reply)]).toEqual([page, 200, 'v1', root, base])
    expect(reply.headers.link).toBe(`<${base}${platform}>; rel="https://api.w.org/"`)
    expect(reply.body).toContain(`<link rel="https://api.w.org/" href="${base}${platform}">`)
    expect(reply.body).toContain(
      `<link rel="alternate" type="application/json" title="REST API" href="${root.replace('=', '&#61;')}">`,
    )
    expect(reply.body).toContain('<meta name="old-api-version" content="v1">')
  }
})

test('the API answers at each of these addresses with what the page shows', async () => {
  for (const [page] of pages) {
    const [, root] = headersOf(await app.get(page))
    const { status, body } = await app.get(String(root).slice(base.length))
    expect([page, status]).toEqual([page, 200])
    if (page.includes('night')) expect(body.slug).toBe('night')
    if (root?.includes('?')) expect([page, body.total]).toEqual([page, 1])
  }
})

test('responses of the API have none of these headers', async () => {
  const reply = await app.get('/wp-json/old/events/v1/events')
  expect(headersOf(reply)).toEqual([undefined, undefined, undefined])
})

describe('other settings', () => {
  test('without the REST API, pages say that it is disabled', async () => {
    const closed = await serve(app, { ...legacy, REST_ENABLED: 'off' })
    const reply = await closed.get('/event/night/')
    expect([...headersOf(reply), reply.headers.link]).toEqual(['disabled', undefined, undefined, undefined])
    expect(reply.body).not.toContain('api.w.org')
    await closed.app.close()
  })

  test('without LEGACY_ADDRESSES there are no such headers and links', async () => {
    const plain = await serve(app, {})
    const reply = await plain.get('/event/night/')
    expect([...headersOf(reply, 'x-cal'), reply.headers.link]).toEqual([undefined, undefined, undefined, undefined])
    expect(reply.body).not.toMatch(/api\.w\.org|api-version/)
    await plain.app.close()
  })
})
