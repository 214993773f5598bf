import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, type Reply, serve, type TestApp } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import {
  type EventInput,
  makeCategory,
  makeEvent,
  makeImage,
  makeOrganizer,
  makeTag,
  makeVenue,
} from '../helpers/make.ts'
import { ns } from '../helpers/rest.ts'

const base = 'http://calendar.test'
let app: TestApp
let author: ApiClient
let editor: ApiClient
let locked: EventInput

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Calendar' })
  const { db } = app
  editor = await app.signIn('editor')
  const writer = await app.signIn('author')
  author = writer
  locked = { passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }
  const imageId = await makeImage(db, '/images/poster.jpg')
  const address = { address: '1 Main St', city: 'Turin', country: 'Italy', latitude: 45.07, longitude: 7.69 }
  const text = { description: '<p>Own <b>words</b></p>', excerpt: 'Short &amp; good' }
  const venue = await makeVenue(
    db,
    { en: { name: 'Hall', ...text }, fr: 'Salle' },
    { ...address, imageId, phone: '+39 55', website: 'javascript:alert(1)' },
  )
  const organizer = await makeOrganizer(db, { en: { name: 'Club', ...text }, fr: 'Cercle' }, { email: 'a@club.test' })
  const arts = await makeCategory(db, { en: { name: 'Arts', description: 'All arts' }, fr: 'Les arts' })
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' }, arts)
  const tag = await makeTag(db, { en: 'Free entry', fr: 'Entrée libre' })
  const links = { venueIds: [venue], organizerIds: [organizer], categoryIds: [music], tagIds: [tag] }
  const festival = await makeEvent(db, 'Festival', { end: '2026-12-10T10:00:00' })
  const customFields = [{ key: 'door', label: 'Door', value: ['A', '<b>B'] }]
  await makeEvent(
    db,
    { en: { name: 'Choir', ...text }, fr: 'Chorale' },
    { ...links, imageId, cost: ['0'], website: 'https://choir.test/page', parentId: festival, customFields },
  )
  await makeEvent(db, 'Хор')
  await makeEvent(db, '<script>alert(1)</script> "party" & co')
  await makeEvent(db, 'Over', { start: '2026-11-01T10:00:00' })
  await makeEvent(db, 'Unlisted', { hideFromListings: true })
  await makeEvent(db, { en: { name: 'Secret', ...text } }, { ...links, ...locked })
  await makeEvent(db, { en: { name: 'Numbered', slug: '' } }, { status: 'draft', authorId: writer.id })
  await makeEvent(db, 'Draft', { status: 'draft', authorId: writer.id })
  await makeEvent(db, 'Trashed', { status: 'trash', authorId: writer.id })
  await makeVenue(db, { en: { name: 'Vault', ...text } }, { ...address, passwordKey: locked.passwordKey })
})
afterAll(() => app.close())

const page = (path: string, client: ApiClient = app) => client.get(path)
const title = ({ body }: Reply) => /<h1[^>]*>(.*?)<\/h1>/.exec(body)?.[1]
const link = ({ body }: Reply, rel: string) => new RegExp(`<link rel="${rel}" href="([^"]*)">`).exec(body)?.[1]
const alternates = ({ body }: Reply) =>
  Object.fromEntries(
    [...body.matchAll(/<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">/g)].map(([, lang, url]) => [lang, url]),
  )
const jsonLd = ({ body }: Reply) => {
  const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(body) ?? []
  return text === undefined ? undefined : JSON.parse(text)
}

describe('a record has a page in each language', () => {
  it.each([
    ['event', 'Choir', '/event/choir/', 'Chorale', '/fr/event/chorale/', '/es/event/choir/'],
    ['venue', 'Hall', '/venue/hall/', 'Salle', '/fr/venue/salle/', '/es/venue/hall/'],
    ['organizer', 'Club', '/organizer/club/', 'Cercle', '/fr/organizer/cercle/', '/es/organizer/club/'],
    [
      'category',
      'Arts',
      '/events/category/arts/',
      'Les arts',
      '/fr/events/category/les-arts/',
      '/es/events/category/arts/',
    ],
    [
      'category in another',
      'Music',
      '/events/category/arts/music/',
      'Musique',
      '/fr/events/category/les-arts/musique/',
      '/es/events/category/arts/music/',
    ],
    ['tag', 'Free entry', '/tag/free-entry/', 'Entrée libre', '/fr/tag/entree-libre/', '/es/tag/free-entry/'],
  ])('%s', async (_kind, english, path, french, frenchPath, spanishPath) => {
    const own = await page(path)
    expect([own.status, title(own), own.headers['content-language']]).toEqual([200, english, 'en'])
    expect(own.headers['cache-control']).toBe('no-cache')
    expect(own.body).toContain(`<title>${english} · Calendar</title>`)
    expect(link(own, 'canonical')).toBe(`${base}${path}`)
    // Not translated into Spanish: the page exists, but search engines must not index it.
    expect(alternates(own)).toEqual({ en: base + path, fr: base + frenchPath, 'x-default': base + path })
    expect(own.body).toContain(`<a href="${base}${spanishPath}" lang="es" hreflang="es">español</a>`)
    const translated = await page(frenchPath)
    expect([translated.status, title(translated)]).toEqual([200, french])
    expect(alternates(translated)).toEqual(alternates(own))
    const fallen = await page(spanishPath)
    expect([fallen.status, title(fallen)]).toEqual([200, english])
    expect(fallen.body).toContain('<h1 lang="en">')
    expect(fallen.body).toContain('Aún sin traducir; se muestra en inglés.')
  })
})

describe('a non-canonical URL redirects to the canonical one', () => {
  it.each([
    ['/event/choir', '/event/choir/'],
    ['/en/event/choir/', '/event/choir/'],
    ['/fr/event/choir/', '/fr/event/chorale/'],
    ['/event/Choir/', '/event/choir/'],
    ['/event/chorale/?page=1', '/event/choir/'],
    ['/events/category/music/', '/events/category/arts/music/'],
    ['/events/category/wrong/music', '/events/category/arts/music/'],
    ['/fr/tag/free-entry', '/fr/tag/entree-libre/'],
  ])('%s to %s', async (requested, own) => {
    const { status, headers } = await page(requested)
    expect([status, headers.location]).toEqual([301, base + own])
  })

  it('also by ID', async () => {
    for (const [kind, slug] of [
      ['events', 'choir'],
      ['venues', 'hall'],
      ['organizers', 'club'],
    ]) {
      const { body } = await app.get(`${ns}/${kind}/by-slug/${slug}`)
      const { status, headers } = await page(`/?p=${body.id}`)
      expect([status, headers.location]).toEqual([301, body.url])
    }
  })
})

test('slugs in other scripts have pages', async () => {
  const { body } = await app.graphql('{ events(filter: { search: "Хор" }) { nodes { url } } }')
  const path = body.data.events.nodes[0].url.replace(base, '')
  expect(path).toMatch(/^\/event\/%d1/)
  expect(title(await page(path))).toBe('Хор')
  expect(title(await page(path.toUpperCase().replace('/EVENT', '/event')))).toBe('Хор')
})

test('JSON-LD equals that of REST', async () => {
  for (const [path, kind, slug] of [
    ['/event/choir/', 'events', 'choir'],
    ['/fr/event/chorale/', 'events', 'choir'],
    ['/venue/hall/', 'venues', 'hall'],
    ['/organizer/club/', 'organizers', 'club'],
  ] as const) {
    const root = path.startsWith('/fr') ? '/fr' : ''
    const { body } = await app.get(`${root}${ns}/${kind}/by-slug/${slug}`)
    expect(body.json_ld['@type'], path).toBeDefined()
    expect(jsonLd(await page(path)), path).toEqual(body.json_ld)
  }
})

test('the alternative text of an image is that of the page', async () => {
  await app.db.imageText.updateMany({ data: { altText: 'The "choir" & friends' } })
  expect((await page('/event/choir/')).body).toContain('alt="The &#34;choir&#34; &#38; friends"')
  await app.db.imageText.updateMany({ data: { altText: '' } })
})

test('an event page shows every field of the event', async () => {
  const { body } = await page('/event/choir/')
  for (const part of [
    '<time datetime="2026-12-01T19:00:00+01:00">',
    `<a href="${base}/venue/hall/">Hall</a>, 1 Main St, Turin, Italy`,
    `<a href="${base}/organizer/club/">Club</a>`,
    '<dd>Free</dd>',
    '<a href="https://choir.test/page" rel="noopener">choir.test</a>',
    '<dt>Door</dt><dd>A, &#60;b&#62;B</dd>',
    `<a href="${base}/events/category/arts/music/">Music</a>`,
    `<a href="${base}/tag/free-entry/">Free entry</a>`,
    `<dt>Part of</dt><dd><a href="${base}/event/festival/">Festival</a></dd>`,
    `<figure class="picture"><a href="${base}/images/poster.jpg"><img src="${base}/images/poster.jpg" width="1200" height="800" alt=""`,
    '<p>Own <b>words</b></p>',
    '<meta name="description" content="Short &#38; good">',
    `<meta property="og:image" content="${base}/images/poster.jpg">`,
    `<meta property="og:url" content="${base}/event/choir/">`,
  ]) {
    expect(body).toContain(part)
  }
  const festival = await page('/event/festival/')
  expect(festival.body).toContain('<h2 id="parts">Parts of this event</h2>')
  expect(festival.body).toContain(`<a href="${base}/event/choir/">Choir</a>`)
  expect((await page('/event/over/')).body).toContain('This event is over.')
})

test('text in another language than the page has a lang attribute', async () => {
  const { body } = await page('/fr/event/chorale/')
  expect(body).toContain('<h1>Chorale</h1>')
  expect(body).toContain('>mardi 1er décembre 2026, 19:00\u2009–\u200921:00 CET</time>')
  expect(body).toContain('<div class="text" lang="en"><p>Own <b>words</b></p></div>')
})

test('pages of venues, organizers, categories and tags show upcoming events', async () => {
  for (const path of [
    '/venue/hall/',
    '/organizer/club/',
    '/events/category/arts/',
    '/events/category/arts/music/',
    '/tag/free-entry/',
  ]) {
    const { body } = await page(path)
    expect(body.match(/<h3><a [^>]*>[^<]*<\/a>/g), path).toEqual([`<h3><a href="${base}/event/choir/">Choir</a>`])
  }
})

test('a venue page shows address and map, and links only to http and https websites', async () => {
  const { body } = await page('/venue/hall/')
  expect(body).toContain('1 Main St<br>Turin<br>Italy')
  expect(body).toContain('#map&#61;17/45.07/7.69')
  expect(body).toContain('href="tel:+3955"')
  expect(body).not.toContain('href="javascript:')
  expect(body).toContain('javascript:alert(1)')
})

test('markup in content is escaped or sanitized', async () => {
  const { body } = await app.graphql('{ events(filter: { search: "party" }) { nodes { url title } } }')
  const shown = await page(body.data.events.nodes[0].url.replace(base, ''))
  expect(shown.body).not.toContain('<script>')
  expect(title(shown)).toBe('&#60;script&#62;alert(1)&#60;/script&#62; &#34;party&#34; &#38; co')
  expect(jsonLd(shown).name).toBe('<script>alert(1)</script> "party" & co')
})

describe('a protected record', () => {
  it.each(['/event/secret/', '/venue/vault/'])('%s shows a password form', async (path) => {
    const shown = await page(path)
    expect(shown.status).toBe(200)
    expect(shown.body).toContain('<input type="password" name="password" required autocomplete="off">')
    expect(shown.body).toContain('<meta name="robots" content="noindex">')
    for (const withheld of ['Own', 'Short', 'Turin', 'Free entry', 'application/ld', 'og:', 'role="alert"']) {
      expect(shown.body, withheld).not.toContain(withheld)
    }
  })

  it('shows its content for the password, only in this response', async () => {
    const opened = await app.send('POST', '/event/secret/', 'password=sesame')
    expect([opened.status, opened.headers['cache-control']]).toEqual([200, 'private, no-store'])
    expect(opened.body).toContain('<p>Own <b>words</b></p>')
    expect(opened.body).not.toContain('type="password"')
    const venue = await app.send('POST', '/venue/vault/', 'password=sesame')
    expect(venue.body).toContain('Turin')
  })

  it('shows an error for a wrong password', async () => {
    const refused = await app.send('POST', '/event/secret/', 'password=open')
    expect(refused.body).toContain('<p class="note" role="alert">The password is wrong.</p>')
    expect(refused.body).not.toContain('Own')
  })

  it('ignores a password in the URL', async () => {
    expect((await page('/event/secret/?password=sesame')).body).not.toContain('Own')
  })
})

describe('visibility is the same as in the APIs', () => {
  it('the author and editors see a draft, anonymous visitors do not', async () => {
    expect([(await page('/event/draft/')).status, title(await page('/event/draft/'))]).toEqual([
      403,
      'This page is not public.',
    ])
    for (const client of [author, editor]) {
      const shown = await page('/event/draft/', client)
      expect([shown.status, title(shown), shown.headers['cache-control']]).toEqual([200, 'Draft', 'private, no-store'])
      expect(shown.body).toContain('Not published: visitors do not see this page.')
      expect(shown.body).toContain('noindex')
    }
  })

  it('records without a slug and trashed records have a page by ID', async () => {
    const query = '{ events(filter: { status: [DRAFT, TRASH] }) { nodes { title url } } }'
    const { body } = await editor.graphql(query)
    const urls = Object.fromEntries(
      body.data.events.nodes.map((event: Record<string, string>) => [event.title, event.url]),
    )
    for (const [name, refused] of [
      ['Numbered', 403],
      ['Trashed', 410],
    ] as const) {
      expect(urls[name]).toMatch(/^http:\/\/calendar\.test\/\?p=\d+$/)
      const path = urls[name].replace(base, '')
      expect((await page(path)).status, name).toBe(refused)
      expect([(await page(path, editor)).status, title(await page(path, editor))]).toEqual([200, name])
    }
  })

  it('an unlisted event has a page', async () => {
    expect(title(await page('/event/unlisted/'))).toBe('Unlisted')
  })

  it('a wrong credential is 401', async () => {
    const { status, headers } = await page('/event/choir/', app.as({ authorization: 'Basic eDp5' }))
    expect([status, headers['www-authenticate']]).toEqual([401, 'Basic realm="events"'])
  })
})

test.each([
  '/event/none/',
  '/venue/none/',
  '/organizer/choir/',
  '/tag/none/',
  '/events/category/none/',
  '/?p=0',
  '/?p=x',
  '/?p=99999999999',
  '/fr/event/none/',
])('%s is 404', async (path) => {
  const { status, headers, body } = await page(path)
  expect([status, headers['cache-control']]).toEqual([404, 'no-store'])
  expect(body).toContain('noindex')
})

test.runIf(countsStatements)('a page takes a constant number of statements', async () => {
  const count = async (path: string) => {
    app.statements.length = 0
    await page(path)
    return app.statements.filter((sql) => !/^(BEGIN|COMMIT)/i.test(sql)).length
  }
  expect(await count('/event/choir/')).toBeLessThanOrEqual(12)
  const tag = await makeTag(app.db, 'Crowded')
  const addEvent = (name: string) => makeEvent(app.db, name, { tagIds: [tag] })
  await addEvent('One')
  const few = await count('/tag/crowded/')
  for (const name of ['Two', 'Three', 'Four']) await addEvent(name)
  expect(await count('/tag/crowded/')).toBe(few)
})

test('with another PAGES_URL, links lead to that site', async () => {
  const elsewhere = await serve(app, { PAGES_URL: 'https://pages.test' })
  expect((await elsewhere.get('/event/choir/')).status).toBe(404)
  expect((await elsewhere.get('/')).body).toContain('<a href="https://pages.test/event/choir/">Choir</a>')
  const closed = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  expect((await closed.get('/es/event/choir/')).status).toBe(404)
})
