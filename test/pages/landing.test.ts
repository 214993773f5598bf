import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>' })
  const { db } = app
  const venueIds = [await makeVenue(db, 'Hall', { city: 'Turin' })]
  await makeEvent(db, { en: 'Choir', fr: 'Chorale', es: 'Coro' }, { venueIds })
  await makeEvent(db, 'Over', { start: '2026-11-01T10:00:00' })
  await makeEvent(db, 'Unlisted', { hideFromListings: true })
  await makeEvent(db, 'Draft', { status: 'draft' })
})
afterAll(() => app.close())

const page = (url: string, accept?: string) =>
  app.get(url, { headers: accept === undefined ? {} : { 'accept-language': accept } })

describe('the language of the landing page', () => {
  it.each([
    [undefined, 'en', 'Choir'],
    ['fr', 'fr', 'Chorale'],
    ['fr-CH, fr;q=0.9, en;q=0.8', 'fr', 'Chorale'],
    ['de, es;q=0.5, en;q=0.1', 'es', 'Coro'],
    ['de', 'en', 'Choir'],
    ['*', 'en', 'Choir'],
    ['en;q=0, *', 'fr', 'Chorale'],
    [';;,q=,\u00e9', 'en', 'Choir'],
  ])('with Accept-Language %s is %s', async (accept, language, title) => {
    const { status, headers, body } = await page('/', accept)
    expect([status, headers['content-language']]).toEqual([200, language])
    expect(headers.vary).toBe('Accept-Language, Authorization')
    expect(body).toContain(`<html lang="${language}">`)
    expect(body).toContain(`>${title}</a>`)
  })

  it.each([
    ['/fr/', 'fr'],
    ['/es/', 'es'],
    ['/en/', 'en'],
  ])('of %s comes from the path, not from Accept-Language', async (path, language) => {
    const { headers, body } = await page(path, 'de, en')
    expect([headers['content-language'], headers.vary]).toEqual([language, 'Authorization'])
    expect(body).toContain(`<link rel="canonical" href="http://calendar.test${path}">`)
  })
})

test('a language root without a trailing slash redirects to the one with it', async () => {
  const { status, headers } = await page('/fr')
  expect([status, headers.location]).toEqual([301, 'http://calendar.test/fr/'])
})

test('shows upcoming events, but no past, unlisted or draft events', async () => {
  const { body } = await page('/en/')
  expect(body).toMatch(/Tuesday, December 1, 2026,? (at )?7:00\s–\s9:00\sPM CET/)
  expect(body).toContain('Hall, Turin')
  for (const title of ['Over', 'Unlisted', 'Draft']) expect(body).not.toContain(`>${title}<`)
})

test('escapes the site name and allows no scripts but those of the search and of the link to the editor', async () => {
  const { headers, body } = await page('/en/')
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  expect(body).toContain('<title>Here &#38; &#60;now&#62;</title>')
  expect(body).not.toContain('<now>')
  expect(body.match(/<script[^>]*>/g)).toEqual([
    expect.stringMatching(/^<script src="\/pages\/[\w-]+\/suggestions\.js" defer>$/),
    expect.stringMatching(
      /^<script src="\/pages\/[\w-]+\/edit-link\.js" data-graphql="\/graphql" data-query="\{ viewer \{ rights \} \}" data-id="" data-href="\/edit\/" data-label="Open the editor" defer>$/,
    ),
  ])
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' https: http:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  )
})

test('the style sheet is immutable, since its path contains its hash', async () => {
  const [, path = ''] = /href="(\/pages\/[\w-]+\/style\.css)"/.exec((await page('/')).body) ?? []
  const { status, headers } = await app.get(path)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/css; charset=utf-8',
    'public, max-age=31536000, immutable',
  ])
})

test.each([
  ['/event/choir/', 'en', 'For developers'],
  ['/fr/', 'fr', 'Pour les développeurs'],
  ['/es/', 'es', 'Para desarrolladores'],
])('%s has one link for developers, to the APIs and their documentation', async (path, language, text) => {
  const base = 'http://calendar.test'
  const { body } = await page(path)
  const [footer = ''] = /<footer[\s\S]*<\/footer>/.exec(body) ?? []
  expect(footer.match(/<a [^>]*>[^<]*/g)).toEqual([`<a href="${base}/${language}/developers/">${text}`])
  expect(body).not.toMatch(/href="[^"]*\/(graphql|docs)"|curl/)
  const developers = await page(`/${language}/developers/`)
  expect(developers.body).toContain(`<h1>${text}</h1>`)
  for (const url of [`/${language}/graphql`, `/${language}/cal/events/v1`, '/docs']) {
    expect(developers.body).toContain(`href="${base}${url}"`)
    expect((await app.get(url, { headers: { accept: 'text/html' } })).status, url).toBe(200)
  }
  expect(developers.body).toContain('<meta name="robots" content="noindex">')
  expect((await page('/developers')).headers.location).toBe(`${base}/en/developers/`)
})

test('the example requests work', async () => {
  const { body } = await page('/fr/developers/')
  const text = String(/<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(body)?.[1])
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#61;', '=')
  const [, graphql, payload] = /curl (\S+) -H 'content-type: application\/json' -d '([^']*)'/.exec(text) ?? []
  const [, rest] = /\ncurl '([^']*)'/.exec(text) ?? []
  const path = (url: string | undefined) => String(url).replace('http://calendar.test', '')
  const response = await app.send('POST', path(graphql), payload, { 'content-type': 'application/json' })
  expect(response.body.data.events.nodes[0].title).toBe('Chorale')
  expect((await app.get(path(rest))).body.events[0].title).toBe('Chorale')
})

test('paginates upcoming events, and a page after the last one is 404', async () => {
  const small = await serve(app, { PER_PAGE_DEFAULT: '1' })
  await makeEvent(app.db, 'Second', { start: '2026-12-02T19:00:00' })
  const [first, second, third] = await Promise.all(
    ['?view=list', '?page=2', '?view=list&page=3'].map((query) => small.get(`/en/${query}`)),
  )
  expect(first?.body).toContain('<p>Page 1 of 2</p><a href="?view&#61;list&#38;page&#61;2" rel="next">Next</a>')
  expect(second?.body).toContain('<a href="?view&#61;list" rel="prev">Previous</a><p>Page 2 of 2</p>')
  expect(second?.body).toContain('>Second</a>')
  expect(third?.status).toBe(404)
  for (const query of ['?page=0', '?page=x', '?page[]=1']) {
    expect((await small.get(`/en/${query}`)).status, query).toBe(200)
  }
})

test('does not mention disabled APIs', async () => {
  const closed = await serve(app, { REST_ENABLED: 'off', GRAPHIQL: 'off' })
  const { body } = await closed.get('/en/developers/')
  expect(body).not.toMatch(/REST|\/docs|GraphiQL/)
  expect(body).toContain('<code>http://calendar.test/en/graphql</code>')
})

test('the parent path of a prefixed REST API redirects to the landing page', async () => {
  const prefixed = await serve(app, { REST_PREFIX: '/api' })
  const index = await prefixed.get('/fr/api/cal/events/v1')
  const up = index.body._links.up[0].href.replace('http://calendar.test', '')
  const { status, headers } = await prefixed.get(up)
  expect([up, status, headers.location]).toEqual(['/fr/api/', 302, 'http://calendar.test/fr/'])
})

test('a language without translated texts shows the English ones', async () => {
  // A separate database, because texts are stored for the languages of the site.
  const german = await openTestApp({ LANGUAGES: 'de,fr-ca', DEFAULT_LANGUAGE: 'de' })
  await makeEvent(german.db, { de: 'Chor' })
  const { body } = await german.get('/')
  expect(body).toContain('<html lang="de">')
  expect(body).toContain('Dienstag, 1. Dezember 2026')
  expect(body).toContain('Upcoming events')
  expect((await german.get('/fr-ca/')).body).toContain('Événements à venir')
  await german.close()
})

describe('an unknown path', () => {
  it('returns an HTML page in the language of a browser', async () => {
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'es' }
    const { status, headers: sent, body } = await app.get('/nothing', { headers })
    expect([status, sent['content-language']]).toEqual([404, 'es'])
    expect(body).toContain('Página no encontrada.')
    expect((await app.get('/fr/nothing', { headers })).body).toContain('Page introuvable.')
  })

  it('returns JSON to other clients and under API paths', async () => {
    expect((await app.get('/nothing')).body.code).toBe('not_found')
    const headers = { accept: 'text/html' }
    expect((await app.get('/cal/events/v1/nothing', { headers })).body.code).toBe('rest_no_route')
    expect((await app.send('POST', '/nothing', {}, headers)).body.code).toBe('not_found')
  })
})
