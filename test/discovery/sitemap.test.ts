import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compared, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { parseXml, type XmlElement } from '../helpers/xml.ts'

let app: TestApp
const ids = { choir: 0, venue: 0 }
const future = new Date('2100-01-01T00:00:00Z')

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  ids.choir = await makeEvent(db, { en: 'Choir', fr: 'Chorale' })
  await makeEvent(db, { es: 'Coro y danza' })
  ids.venue = await makeVenue(db, { en: 'Hall', fr: 'Salle' })
  await makeOrganizer(db, 'Club')
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  await makeCategory(db, { en: 'Jazz' }, music)
  await makeTag(db, 'Free entry')
  for (const [title, columns] of Object.entries({
    draft: { status: 'draft' },
    pending: { status: 'pending' },
    private: { status: 'private' },
    scheduled: { status: 'future', publishedAt: future },
    trashed: { status: 'trash', trashedFrom: 'publish' },
    locked: { passwordKey: 'key' },
    unlisted: { hideFromListings: true },
  } as const)) {
    await makeEvent(db, `Secret ${title}`, columns)
    if (title !== 'unlisted') await makeVenue(db, `Secret place ${title}`, columns as object)
  }
})
afterAll(() => app?.close())

interface Entry {
  readonly loc: string
  readonly lastmod: string | undefined
  readonly alternates: Readonly<Record<string, string>>
}

const read = async (path = '/sitemap.xml', from = app): Promise<XmlElement> => {
  const { status, headers, body } = await from.get(path)
  expect([status, headers['content-type']]).toEqual([200, 'application/xml; charset=utf-8'])
  return parseXml(body)
}

const entries = (root: XmlElement): Entry[] =>
  root.children.map((url) => ({
    loc: url.text('loc') ?? '',
    lastmod: url.text('lastmod'),
    alternates: Object.fromEntries(
      url.children
        .filter(({ name }) => name === 'xhtml:link')
        .map(({ attributes }) => [attributes.hreflang, attributes.href]),
    ),
  }))

const base = 'http://calendar.test'

const listPages = ['venues', 'organizers', 'categories', 'tags'].flatMap((list) =>
  ['', '/fr', '/es'].map((root) => `${root}/${list}/`),
)

test('lists the landing pages, lists of records, and each visible record in each language that has its own text', async () => {
  const root = await read()
  expect([root.name, root.attributes.xmlns]).toEqual(['urlset', 'http://www.sitemaps.org/schemas/sitemap/0.9'])
  expect(
    entries(root)
      .map(({ loc }) => loc.replace(base, ''))
      .sort(),
  ).toEqual(
    [
      ...['/en/', '/fr/', '/es/', '/event/choir/', '/fr/event/chorale/', '/es/event/coro-y-danza/'],
      ...listPages,
      ...['/venue/hall/', '/fr/venue/salle/', '/organizer/club/', '/tag/free-entry/'],
      ...['/events/category/music/', '/fr/events/category/musique/', '/events/category/music/jazz/'],
    ].sort(),
  )
})

test('each page links to all its translations, has the time of the last change, and answers 200', async () => {
  const all = entries(await read())
  const alternates = {
    en: `${base}/event/choir/`,
    fr: `${base}/fr/event/chorale/`,
    'x-default': `${base}/event/choir/`,
  }
  const { modifiedAt } = await app.db.event.findUniqueOrThrow({ where: { id: ids.choir } })
  for (const loc of [alternates.en, alternates.fr]) {
    expect(all).toContainEqual({ loc, lastmod: modifiedAt.toISOString(), alternates })
  }
  expect(all.find(({ loc }) => loc.endsWith('coro-y-danza/'))?.alternates).toEqual({})
  for (const { loc } of all) {
    const { status, body } = await app.get(loc.replace(base, ''))
    expect([loc, status]).toEqual([loc, 200])
    expect(body).toContain(`<link rel="canonical" href="${loc}">`)
  }
})

describe('the sitemap changes', () => {
  const locations = async () => entries(await read()).map(({ loc }) => loc.replace(base, ''))
  beforeEach(async () => {
    await app.db.event.update({ where: { id: ids.choir }, data: { status: 'publish', publishedAt: new Date(0) } })
  })

  test('with a write, although the response is cached', async () => {
    expect(await locations()).toContain('/event/choir/')
    expect((await app.get('/sitemap.xml')).headers['cache-status']).toBe('calendar; hit')
    await app.db.event.update({ where: { id: ids.choir }, data: { status: 'draft' } })
    expect(await locations()).not.toContain('/event/choir/')
  })

  test('when the publication date of an event comes', async () => {
    const publishedAt = new Date(app.clock.now.getTime() + 60_000)
    await app.db.event.update({ where: { id: ids.choir }, data: { publishedAt } })
    expect(await locations()).not.toContain('/event/choir/')
    app.clock.now = publishedAt
    expect(await locations()).toContain('/event/choir/')
  })
})

test('signing in shows no more than visitors see', async () => {
  const administrator = await app.signIn('administrator')
  const sent = await administrator.get('/sitemap.xml')
  expect(sent.body).not.toContain('secret')
  expect(sent.body).toBe((await app.get('/sitemap.xml')).body)
})

test('a client that has the current version gets 304', async () => {
  const { headers } = await app.get('/sitemap.xml')
  const again = await app.get('/sitemap.xml?other=query', { headers: { 'if-none-match': headers.etag ?? '' } })
  expect([again.status, again.headers['cache-status']]).toEqual([304, 'calendar; hit'])
})

test('parts have the same pages as the whole, and a part without pages is 404', async () => {
  const whole = entries(await read())
  const { body } = await app.graphql('{ sitemapParts { kind number pages modifiedAt } }')
  const parts: { kind: string; number: number; pages: number }[] = body.data.sitemapParts
  const pages = entries(await read('/sitemap-home.xml'))
  for (const { kind, number, pages: count } of parts) {
    const ofPart = entries(await read(`/sitemap-${kind.toLowerCase()}-${number}.xml`))
    expect(ofPart).toHaveLength(count)
    pages.push(...ofPart)
  }
  expect(pages).toEqual(whole)
  for (const path of ['/sitemap-event-999.xml', '/sitemap-event-0.xml', '/sitemap-event-999999999.xml']) {
    expect((await app.get(path)).status, path).toBe(404)
  }
})

test('above 50,000 pages, it is an index of parts, which take few statements', async () => {
  const large = await openTestApp(compared)
  await large.db.$transaction(async (tx) => {
    // Without triggers, for which one has to be a superuser.
    await tx.$executeRaw`SELECT set_config('session_replication_role', 'replica', true)
      WHERE current_setting('is_superuser') = 'on'`
    await tx.$executeRaw`INSERT INTO content SELECT generate_series(1, 17000)`
    await tx.$executeRaw`
      INSERT INTO event (id, content_id, status, published_at, modified_at, original_language, starts_at, ends_at, starts_local,
        ends_local, time_zone)
      SELECT id, id, 'publish', '2026-01-01', '2026-01-01', 'en', '2026-12-01', '2026-12-02', '2026-12-01', '2026-12-02', 'UTC'
      FROM generate_series(1, 17000) AS id`
    await tx.$executeRaw`
      INSERT INTO content_text (content_id, language, name, description, excerpt, slug, written, source, folded)
      SELECT id, language, '', '', '', 'e-' || language || id, '{name}', language, ''
      FROM generate_series(1, 17000) AS id, unnest(array['en', 'fr', 'es']) AS language`
  })
  const index = await read('/sitemap.xml', large)
  expect(index.name).toBe('sitemapindex')
  const parts = index.children.map((part) => part.text('loc')?.replace(base, '') ?? '')
  expect(parts).toEqual(['/sitemap-home.xml', ...[1, 2, 3, 4].map((part) => `/sitemap-event-${part}.xml`)])
  large.statements.length = 0
  const pages = entries(await read(parts[2], large))
  if (countsStatements) expect(large.statements.length).toBeLessThan(6)
  expect(pages).toHaveLength(15_000)
  expect(new Set(pages.map(({ loc }) => loc)).size).toBe(15_000)
  await large.close()
})

test('with another PAGES_URL, pages have its address', async () => {
  const other = await serve(app, { PAGES_URL: 'https://pages.test' })
  expect(entries(await read('/sitemap.xml', other)).map(({ loc }) => loc)).toContain('https://pages.test/venue/hall/')
})
