import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'
import { parseXml } from '../helpers/xml.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>, in every town', PER_PAGE_DEFAULT: '2' })
  for (const title of ['Choir "A"', 'Choir B', 'Choir C']) await makeEvent(app.db, { en: title, fr: `Chœur ${title}` })
  await makeEvent(app.db, 'Theatre')
})
afterAll(() => app?.close())

describe('robots.txt', () => {
  test('names the sitemap, and keeps crawlers from the APIs and suggestions in all languages', async () => {
    const { status, headers, body } = await app.get('/robots.txt')
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const lines: string[] = body.split('\n')
    expect(lines[0]).toBe('User-agent: *')
    expect(lines).toContain('Sitemap: http://calendar.test/sitemap.xml')
    for (const path of ['/graphql', '/fr/graphql', '/cal/events/v1', '/es/cal/events/v1', '/fr/suggestions']) {
      expect(lines).toContain(`Disallow: ${path}`)
    }
    expect(lines).not.toContain('Disallow: /')
  })

  test('of a site below a path has that path in its rules', async () => {
    const below = await serve(app, { PUBLIC_URL: 'https://example.test/calendar', REST_PREFIX: '/api' })
    const { body } = await below.get('/robots.txt')
    expect(body).toContain('Disallow: /calendar/fr/api/cal/events/v1\n')
    expect(body).toContain('Sitemap: https://example.test/calendar/sitemap.xml\n')
  })

  test('keeps crawlers from the calls of the legacy platform', async () => {
    const legacy = await serve(app, { REST_PREFIX: '/wp-json' })
    expect((await legacy.get('/robots.txt')).body).toContain('Disallow: /fr/wp-json/wp/v2\n')
    expect((await app.get('/robots.txt')).body).not.toContain('wp/v2')
  })

  test('forbids everything if SEARCH_ENGINES is off', async () => {
    const closed = await serve(app, { SEARCH_ENGINES: 'off' })
    expect((await closed.get('/robots.txt')).body).toBe('User-agent: *\nDisallow: /\n')
  })
})

test.each([
  ['/favicon.ico', 'image/x-icon'],
  ['/favicon.svg', 'image/svg+xml'],
])('%s is an icon that browsers may cache', async (path, type) => {
  const { status, headers } = await app.get(path)
  expect([status, headers['content-type'], headers['cache-control']]).toEqual([200, type, 'public, max-age=86400'])
  expect((await app.get('/en/')).body).toContain('href="/favicon.svg"')
})

describe('the search of the landing page', () => {
  test.each([
    ['/en/?search=choir', 'Upcoming events with “choir”', 'Choir B'],
    ['/fr/?search=ch%C5%93ur', 'Événements à venir avec «\u00a0chœur\u00a0»', 'Chœur Choir B'],
    ['/es/?search=choir', 'Próximos eventos con «choir»', 'Choir B'],
  ])('%s lists only events that match', async (path, heading, title) => {
    const { status, body } = await app.get(path)
    expect(status).toBe(200)
    expect(body).toContain(`<h2 id="coming">${heading}</h2>`)
    expect(body).toContain(`>${title}</a>`)
    expect(body).not.toContain('>Theatre</a>')
    expect(body).toContain('<meta name="robots" content="noindex">')
    expect(body).toContain('<form class="search" role="search"')
  })

  test('stays on the next page, and in the redirect of a language root without trailing slash', async () => {
    const { body } = await app.get('/en/?search=%22choir%22')
    const [, next = ''] = /<a href="([^"]*)" rel="next">/.exec(body) ?? []
    const second = await app.get(`/en/${next.replaceAll('&#38;', '&').replaceAll('&#61;', '=')}`)
    expect(second.body).toContain('<p>Page 2 of 2</p>')
    expect(second.body).toContain('>Choir C</a>')
    const { status, headers } = await app.get('/fr?search=choir&page=2')
    expect([status, headers.location]).toEqual([301, 'http://calendar.test/fr/?search=choir&page=2'])
  })

  test.each(['%3Cscript%3E', '%22%20onfocus=%22alert(1)', '%00', `${'x'.repeat(5000)}`, '%F0%9F%98%80', '-', '%22'])(
    'escapes or ignores what it cannot find: %s',
    async (search) => {
      const { status, body } = await app.get(`/en/?search=${search}`)
      expect(status).toBe(200)
      expect(body).not.toMatch(/<script>|" onfocus/)
    },
  )

  test('says so if nothing matches', async () => {
    expect((await app.get('/en/?search=opera')).body).toContain('<p>No upcoming events match.</p>')
  })
})

describe('the OpenSearch description', () => {
  test.each(['en', 'fr', 'es'])('in %s leads to the search of the landing page', async (language) => {
    const page = await app.get(`/${language}/`)
    expect(page.body).toContain(
      `<link rel="search" href="/${language}/opensearch.xml" type="application/opensearchdescription+xml" title="Here &#38; &#60;now&#62;, in every town">`,
    )
    const { status, headers, body } = await app.get(`/${language}/opensearch.xml`)
    expect([status, headers['content-type']]).toEqual([200, 'application/opensearchdescription+xml'])
    const description = parseXml(body)
    expect(description.attributes.xmlns).toBe('http://a9.com/-/spec/opensearch/1.1/')
    expect(description.text('ShortName')).toBe('Here & <now>, in')
    expect(description.text('Language')).toBe(language)
    const url = description.all('Url').find(({ attributes }) => attributes.type === 'text/html')
    const template = url?.attributes.template?.replace('http://calendar.test', '') ?? ''
    const results = await app.get(template.replace('{searchTerms}', 'choir').replace('{startPage?}', '2'))
    expect(results.body).toContain('Choir C')
    const feed = description.all('Url').find(({ attributes }) => attributes.type === 'application/rss+xml')
    const feedPath =
      feed?.attributes.template?.replace('http://calendar.test', '').replace('{searchTerms}', 'choir') ?? ''
    const items = parseXml((await app.get(feedPath)).body).children[0]?.all('item') ?? []
    expect(items).toHaveLength(3)
  })
})
