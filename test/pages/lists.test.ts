// Pages that list all venues, organizers, categories and tags.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { openTestApp, type Reply, serve, type TestApp } from '../helpers/app.ts'
import { countsStatements } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const base = 'http://calendar.test'
const lists = ['venues', 'organizers', 'categories', 'tags']
let app: TestApp
/** The lists of a site without records. */
const emptyLists = new Map<string, Reply>()

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Calendar' })
  for (const list of lists) emptyLists.set(list, await app.get(`/${list}/`))
  await fill(app)
})
afterAll(() => app?.close())

async function fill({ db, signIn, site }: TestApp) {
  const author = await signIn('author')
  const locked = { passwordKey: await hashRecordPassword('sesame', site.passwordSalt) }
  const hall = await makeVenue(db, { en: 'Town hall', fr: 'Mairie' }, { city: 'Turin', country: 'Italy' })
  await makeVenue(db, { fr: 'École <b>' }, { city: 'Lyon' })
  await makeVenue(db, 'Vault', { ...locked, city: 'Hidden city' })
  await makeVenue(db, 'Attic', { status: 'draft', authorId: author.id })
  await makeVenue(db, 'Cellar', { status: 'private', authorId: author.id })
  await makeVenue(db, 'Ruin', { status: 'trash', trashedFrom: 'publish' })
  const club = await makeOrganizer(db, { en: 'Club', fr: 'Cercle' })
  const arts = await makeCategory(db, { en: 'Arts', fr: 'Les arts' })
  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' }, arts)
  const jazz = await makeCategory(db, 'Jazz', music)
  await makeCategory(db, 'Free jazz', jazz)
  await makeCategory(db, 'Sports')
  const tag = await makeTag(db, { en: 'Free entry', fr: 'Entrée libre' })
  const links = { venueIds: [hall], organizerIds: [club], categoryIds: [jazz], tagIds: [tag] }
  for (const title of ['One', 'Two']) await makeEvent(db, title, links)
  await makeEvent(db, 'Over', { ...links, start: '2026-11-01T10:00:00' })
  await makeEvent(db, 'Unlisted', { ...links, hideFromListings: true })
  await makeEvent(db, 'Draft', { ...links, status: 'draft' })
}

const link = ({ body }: Reply, rel: string) => new RegExp(`<link rel="${rel}" href="([^"]*)">`).exec(body)?.[1]
const title = ({ body }: Reply) => /<h1>(.*?)<\/h1>/.exec(body)?.[1]
/** The entries as text, with a `>` for each list within another. */
const entries = ({ body }: Reply): string[] => {
  const [, list = ''] = /<ul class="records">(.*?)<(?:nav|\/main)/s.exec(body) ?? []
  let depth = 0
  return list
    .split(/(?=<li>|<ul>|<\/ul>)/)
    .flatMap((part) => {
      if (part.startsWith('<ul>')) depth++
      if (part.startsWith('</ul>')) depth--
      return part.startsWith('<li>') ? ['>'.repeat(depth) + part.replace(/<[^>]*>/g, ' ')] : []
    })
    .map((text) => text.replace(/\s+/g, ' ').trim().replace(/> /g, '>'))
}

describe('each list has a page in each language', () => {
  it.each([
    ['/venues/', 'Venues', ['École &#60;b&#62; Lyon', 'Town hall Turin, Italy 2 upcoming events', 'Vault']],
    ['/fr/venues/', 'Lieux', ['École &#60;b&#62; Lyon', 'Mairie Turin, Italy 2 événements à venir', 'Vault']],
    ['/es/venues/', 'Lugares', ['École &#60;b&#62; Lyon', 'Town hall Turin, Italy 2 próximos eventos', 'Vault']],
    ['/organizers/', 'Organizers', ['Club 2 upcoming events']],
    ['/fr/organizers/', 'Organisateurs', ['Cercle 2 événements à venir']],
    ['/tags/', 'Tags', ['Free entry 2 upcoming events']],
    ['/es/tags/', 'Etiquetas', ['Free entry 2 próximos eventos']],
  ])('%s', async (path, heading, expected) => {
    const shown = await app.get(path)
    expect([shown.status, title(shown), shown.headers['cache-control']]).toEqual([200, heading, 'no-cache'])
    expect(shown.body).toContain(`<title>${heading} · Calendar</title>`)
    expect(entries(shown)).toEqual(expected)
    expect(link(shown, 'canonical')).toBe(base + path)
    const own = path.replace(/^\/(fr|es)/, '')
    for (const [language, url] of Object.entries({ en: own, fr: `/fr${own}`, es: `/es${own}`, 'x-default': own })) {
      expect(shown.body).toContain(`<link rel="alternate" hreflang="${language}" href="${base}${url}">`)
    }
  })

  it('categories are a tree, and count the events of their descendants', async () => {
    expect(entries(await app.get('/fr/categories/'))).toEqual([
      'Les arts 2 événements à venir',
      '>Musique 2 événements à venir',
      '>>Jazz 2 événements à venir',
      '>>>Free jazz',
      'Sports',
    ])
  })

  it('entries link to their pages, and say which language their name is in', async () => {
    const venues = await app.get('/fr/venues/')
    expect(venues.body).toContain(`<a href="${base}/fr/venue/mairie/">Mairie</a>`)
    expect(venues.body).toContain(`<a href="${base}/fr/venue/vault/" lang="en">Vault</a>`)
    const categories = await app.get('/categories/')
    expect(categories.body).toContain(`<a href="${base}/events/category/arts/music/">Music</a>`)
  })

  it('without language fallback, only names in its language', async () => {
    const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
    expect(entries(await strict.get('/venues/')).map((text) => text.split(' ')[0])).toEqual(['Town', 'Vault'])
  })

  it('without language fallback, a category whose parent has no name in its language is listed as a root', async () => {
    const strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
    expect(entries(await strict.get('/categories/'))).toEqual(entries(await app.get('/categories/')))
    const outdoors = await makeCategory(app.db, 'Outdoors')
    const parks = await makeCategory(app.db, { en: 'Parks', fr: 'Parcs' }, outdoors)
    const trees = await makeCategory(app.db, 'Trees', parks)
    const oaks = await makeCategory(app.db, { en: 'Oaks', fr: 'Chênes' }, trees)
    const young = await makeCategory(app.db, { en: 'Young oaks', fr: 'Jeunes chênes' }, oaks)
    onTestFinished(async () => {
      await app.db.category.deleteMany({ where: { id: { in: [outdoors, parks, trees, oaks, young] } } })
    })
    expect(entries(await strict.get('/fr/categories/')).map((text) => text.replace(/ \d.*/, ''))).toEqual([
      'Chênes',
      '>Jeunes chênes',
      'Les arts',
      '>Musique',
      'Parcs',
    ])
    const hrefs = [...(await strict.get('/fr/categories/')).body.matchAll(/<li><a href="([^"]*\/category\/[^"]*)"/g)]
    for (const [, href = ''] of hrefs) expect((await strict.get(new URL(href).pathname)).status, href).toBe(200)
    expect(entries(await strict.get('/categories/')).filter((text) => /parks|oaks/i.test(text))).toEqual([
      '>Parks',
      '>>>Oaks',
      '>>>>Young oaks',
    ])
  })
})

describe('a non-canonical URL redirects to the canonical one', () => {
  it.each([
    ['/venues', '/venues/'],
    ['/en/venues/', '/venues/'],
    ['/fr/categories?page=1', '/fr/categories/'],
    ['/en/tags?search=free', '/tags/?search=free'],
  ])('%s to %s', async (requested, own) => {
    const { status, headers } = await app.get(requested)
    expect([status, headers.location]).toEqual([301, base + own])
  })

  it('with legacy addresses, also to the language in the query', async () => {
    const legacy = await serve(app, { REST_PREFIX: '/wp-json' })
    expect((await legacy.get('/venues/?lang=fr')).headers.location).toBe(`${base}/fr/venues/`)
  })
})

test('only published records are listed, for every reader', async () => {
  for (const role of ['author', 'editor', 'administrator'] as const) {
    const shown = await (await app.signIn(role)).get('/venues/')
    expect([role, entries(shown).length, shown.headers['cache-control']]).toEqual([role, 3, 'private, no-store'])
  }
  expect((await app.get('/venues/')).body).not.toContain('Hidden city')
})

describe('the search', () => {
  it('finds names, and is not indexed', async () => {
    const found = await app.get('/venues/?search=hall')
    expect(entries(found)).toEqual(['Town hall Turin, Italy 2 upcoming events'])
    expect(found.body).toContain('name="search" maxlength="200" value="hall"')
    expect(found.body).toContain('<meta name="robots" content="noindex">')
    expect(found.body).toContain(`<a href="${base}/fr/venues/?search&#61;hall" lang="fr" hreflang="fr">`)
  })

  it('does not find a place that a password protects', async () => {
    expect(entries(await app.get('/venues/?search=hidden'))).toEqual([])
  })

  it('finds categories at every depth', async () => {
    expect(entries(await app.get('/categories/?search=jazz'))).toEqual(['Free jazz', 'Jazz 2 upcoming events'])
  })

  it('says if nothing matches', async () => {
    const { status, body } = await app.get('/fr/organizers/?search=%3Cx%3E')
    expect([status, body.includes('Aucun résultat pour «\u00a0&#60;x&#62;\u00a0».')]).toEqual([200, true])
    expect(body).toContain(`<a href="${base}/fr/organizers/">`)
  })
})

test.each(lists)('an empty list says so: %s', (list) => {
  const { status, body } = emptyLists.get(list) ?? {}
  expect([status, body.includes('Nothing is listed here yet.'), body.includes('role="search"')]).toEqual([
    200,
    true,
    false,
  ])
})

describe('navigation', () => {
  it.each(['/en/', '/event/one/', '/venues/', '/event/nothing/'])('%s links to all lists', async (path) => {
    const { body } = await app.get(path)
    for (const list of lists) expect(body).toContain(`<a href="${base}/${list}/"`)
  })

  it('marks the list that is shown', async () => {
    const { body } = await app.get('/fr/tags/?search=x')
    expect(body).toContain(`<a href="${base}/fr/tags/" aria-current="page">Mots-clés</a>`)
    expect(body.match(/aria-current="page"/g)).toHaveLength(1)
  })

  it.each([
    ['/fr/venue/mairie/', '/fr/venues/', 'Lieux'],
    ['/organizer/club/', '/organizers/', 'Organizers'],
    ['/tag/free-entry/', '/tags/', 'Tags'],
    ['/events/category/arts/music/', '/categories/', 'Categories'],
  ])('breadcrumbs of %s lead to its list', async (path, list, name) => {
    const { body } = await app.get(path)
    expect(body).toMatch(new RegExp(`<nav class="breadcrumbs.*<li><a href="${base}${list}">${name}</a></li>`))
    expect(body).toContain(`{"@type":"ListItem","position":2,"name":"${name}","item":"${base}${list}"}`)
  })

  it('with another PAGES_URL, neither pages nor links', async () => {
    const elsewhere = await serve(app, { PAGES_URL: 'https://pages.test' })
    expect((await elsewhere.get('/venues/')).status).toBe(404)
    expect((await elsewhere.get('/en/')).body).not.toContain('/venues/')
    expect((await elsewhere.get('/sitemap.xml')).body).not.toContain('/venues/')
  })

  it.each([
    ['REST_PREFIX', '/venues'],
    ['REST_NAMESPACE', 'venues'],
  ])('an address of REST stays: %s=%s', async (name, value) => {
    const service = await serve(app, { [name]: value })
    expect((await service.get('/venues/')).body).not.toContain('<h1>')
    expect((await service.get('/tags/')).body).not.toContain(`"${base}/venues/"`)
  })
})

describe('a long list', () => {
  let long: TestApp
  beforeAll(async () => {
    long = await openTestApp()
    for (let number = 100; number <= 220; number++) await makeVenue(long.db, `Venue ${number}`)
  })
  afterAll(() => long?.close())

  it('has pages that link to each other', async () => {
    const second = await long.get('/fr/venues/?page=2')
    expect(entries(second)).toHaveLength(50)
    expect(entries(second)[0]).toBe('Venue 150')
    const url = `${base}/fr/venues/`
    expect([link(second, 'canonical'), link(second, 'prev'), link(second, 'next')]).toEqual([
      `${url}?page&#61;2`,
      url,
      `${url}?page&#61;3`,
    ])
    expect(second.body).toContain('Page 2 sur 3')
    // Other languages have another order.
    expect(second.body).not.toContain('hreflang="es" href')
    const found = await long.get('/venues/?search=venue')
    expect(found.body).toContain(`<a href="${base}/venues/?search&#61;venue&#38;page&#61;2" rel="next">`)
  })

  it('has no page after the last one', async () => {
    expect((await long.get('/venues/?page=4')).status).toBe(404)
  })
})

test('more categories than a page has are on other pages, below their parent if it is there', async () => {
  const own = await openTestApp()
  onTestFinished(() => own.close())
  const music = await makeCategory(own.db, 'Music')
  const numbers = Array.from({ length: 101 }, (_, index) => index + 100)
  for (const number of numbers) await makeCategory(own.db, `Band ${number}`, music)
  await makeCategory(own.db, 'Zither', music)
  const [first, second] = [await own.get('/categories/'), await own.get('/categories/?page=2')]
  expect(entries(first)).toEqual(numbers.slice(0, 100).map((number) => `Band ${number}`))
  expect(entries(second)).toEqual(['Music', '>Band 200', '>Zither'])
  expect([link(first, 'next'), second.body.includes('Page 2 of 2')]).toEqual([`${base}/categories/?page&#61;2`, true])
})

test.runIf(countsStatements)('a list takes a constant number of statements', async () => {
  const own = await openTestApp()
  onTestFinished(() => own.close())
  const parent = await makeCategory(own.db, 'Zoo')
  const add = async (name: string) => {
    const links = {
      venueIds: [await makeVenue(own.db, name)],
      organizerIds: [await makeOrganizer(own.db, name)],
      categoryIds: [await makeCategory(own.db, name, parent)],
      tagIds: [await makeTag(own.db, name)],
    }
    await makeEvent(own.db, name, links)
  }
  const counts = async () => {
    const numbers: number[] = []
    for (const list of lists) {
      own.statements.length = 0
      await own.get(`/${list}/`)
      numbers.push(own.statements.filter((sql) => !/^(BEGIN|COMMIT)/i.test(sql)).length)
    }
    return numbers
  }
  await add('W')
  const few = await counts()
  for (const name of ['X', 'Y', 'Z']) await add(name)
  expect(await counts()).toEqual(few)
  expect(Math.max(...few)).toBeLessThanOrEqual(12)
})
