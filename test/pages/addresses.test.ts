// Requests for non-canonical URLs, and requests that pages cannot process.
import { once } from 'node:events'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { crawl } from '../helpers/links.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp({ PER_PAGE_DEFAULT: '2' })
  await fill(app)
})
afterAll(() => app.close())

async function fill({ db }: TestApp) {
  const links = {
    venueIds: [await makeVenue(db, 'Hall')],
    organizerIds: [await makeOrganizer(db, { fr: 'Cercle' })],
    categoryIds: [await makeCategory(db, { en: 'Heritage', fr: 'Patrimoine' })],
    tagIds: [await makeTag(db, { es: 'Canción' })],
  }
  for (let night = 1; night <= 3; night++) {
    await makeEvent(db, { en: `Night ${night}`, fr: `Nuit ${night}` }, links)
  }
}

describe('pagination of upcoming events', () => {
  it.each([
    ['/?page=2', 'Page 2 of 2'],
    ['/?view=list&utm_source=x', 'Page 1 of 2'],
    ['/fr/?page=2', 'Page 2 sur 2'],
    ['/events/category/heritage/?page=2', 'Page 2 of 2'],
    ['/en/?page=0', 'Page 1 of 2'],
    ['/en/?page[]=2', 'Page 1 of 2'],
  ])('%s shows its page', async (path, text) => {
    const { status, body } = await app.get(path)
    expect([status, String(body).includes(text)]).toEqual([200, true])
  })

  it.each(['3', '99999999999', '9'.repeat(400)])('a page after the last one is 404: %s', async (page) => {
    expect((await app.get(`/en/?page=${page}`)).status).toBe(404)
  })

  it.each([
    ['/events/category/heritage?page=2', '/events/category/heritage/?page=2'],
    ['/events/category/patrimoine/?page=2', '/events/category/heritage/?page=2'],
    ['/fr?page=2', '/fr/?view=list&page=2'],
    ['/events/category/heritage?utm_source=x', '/events/category/heritage/'],
  ])('the redirect from %s keeps the page', async (path, own) => {
    const { status, headers } = await app.get(path)
    expect([status, headers.location]).toEqual([301, `http://calendar.test${own}`])
  })
})

describe('the address of the list of events on legacy sites', () => {
  it.each([
    ['/events/', '/en/'],
    ['/events', '/en/'],
    ['/fr/events/', '/fr/'],
    ['/es/events?page=2&utm_source=x', '/es/'],
  ])('%s redirects to the landing page of its language', async (path, own) => {
    const { status, headers } = await app.get(path)
    expect([status, headers.location]).toEqual([301, `http://calendar.test${own}`])
  })

  it('with LEGACY_ADDRESSES, the language in the query takes precedence', async () => {
    const legacy = await serve(app, { REST_PREFIX: '/wp-json' })
    expect((await legacy.get('/fr/events/?lang=es')).headers.location).toBe('http://calendar.test/es/')
    await legacy.app.close()
  })

  it.each(['/events/?feed=atom', '/fr/events/?ical=x', '/events/?rest_route=/nothing'])(
    '%s is not found, because it asks for another format',
    async (path) => {
      expect((await app.get(path, { headers: { accept: 'text/html' } })).status).toBe(404)
    },
  )

  it('the REST API may have it as its prefix', async () => {
    const other = await serve(app, { REST_PREFIX: '/events' })
    expect((await other.get('/events/cal/events/v1/events')).status).toBe(200)
    await other.app.close()
  })
})

test.each(['/event/night-1/', '/', '/en/events.json?per_page=1', '/cal/events/v1/venues/by-slug/hall'])(
  'a request for %s by its whole URL gets the response of its path, whatever the host',
  async (path) => {
    if (!app.app.server.listening) await app.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = app.app.server.address() as AddressInfo
    const send = async (target: string) => {
      const [response] = await once(get({ port, host: '127.0.0.1', path: target, agent: false }), 'response')
      return [response.statusCode, response.headers.location, await text(response)]
    }
    const expected = await send(path)
    expect(expected[0]).toBe(200)
    for (const host of ['calendar.test', 'other.test:81']) expect(await send(`http://${host}${path}`)).toEqual(expected)
  },
)

test('pages and widgets of a site below a path link to its files', async () => {
  const below = await serve(app, { PUBLIC_URL: 'https://example.test/calendar' })
  for (const path of ['/event/night-1/', '/fr/', '/embed/events', '/embed/event/nothing']) {
    const { body } = await below.get(path)
    const links = [...String(body).matchAll(/<link rel="(?:icon|search|stylesheet)" href="([^"]*)"/g)]
    const paths = links.map(([, href = '']) => href)
    expect(paths.length).toBeGreaterThan(0)
    for (const each of paths) {
      expect(each).toMatch(/^\/calendar\//)
      expect((await below.get(each.slice('/calendar'.length))).status).toBe(200)
    }
  }
  await below.app.close()
})

test('error pages are not cacheable', async () => {
  for (const [accept, part] of [
    ['text/html', '<!doctype html>'],
    ['application/json', '"not_found"'],
  ]) {
    const { status, headers, body } = await app.get('/nothing', { headers: { accept } })
    expect([status, headers['cache-control'], headers.vary]).toEqual([404, 'no-store', 'Accept, Accept-Language'])
    expect(typeof body === 'string' ? body : JSON.stringify(body)).toContain(part)
  }
})

test.each([
  ['broken', '/event/%zz/'],
  ['too long', `/event/${'x'.repeat(3000)}/`],
])('an error page does not contain a URL that is %s', async (_what, path) => {
  const { status, body } = await app.get(path)
  expect([status, body.code]).toEqual([400, 'bad_url'])
  expect(JSON.stringify(body)).not.toMatch(/zz|xxx/)
})

test.each([
  [415, 'application/json', '{"password":"x"}'],
  [413, 'application/x-www-form-urlencoded', `password=${'x'.repeat(20_000)}`],
])('an invalid request gets an error page: %s', async (expected, type, payload) => {
  const { status, headers, body } = await app.send('POST', '/fr/event/nuit-1/', payload, { 'content-type': type })
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    expected,
    'text/html; charset=utf-8',
    'no-store',
  ])
  expect(body).toContain('Les données du formulaire ne peuvent pas être traitées.')
})

describe('without fallback between languages', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await openTestApp({ LANGUAGE_FALLBACK: 'off', PER_PAGE_DEFAULT: '2' })
    await fill(strict)
  })
  afterAll(() => strict.close())

  it('every link leads to a page', async () => {
    const { seen, broken } = await crawl(strict)
    expect(broken).toEqual([])
    expect(seen).toContain('/fr/event/nuit-1/')
  })

  it('a page links only to languages that it is translated into', async () => {
    const { body } = await strict.get('/event/night-1/')
    expect(body).toContain('href="http://calendar.test/fr/event/nuit-1/"')
    expect(body).not.toContain('hreflang="es"')
  })
})

test('the landing page is at PUBLIC_URL when pages are under another path', async () => {
  const behind = await openTestApp({ PUBLIC_URL: 'https://x.test/api', PAGES_URL: 'https://x.test' })
  expect((await behind.get('/en/')).status).toBe(200)
  await behind.close()
})
