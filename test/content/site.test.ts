// What a start with changed LANGUAGES or DEFAULT_LANGUAGE does to an existing database.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

describe('the languages of a site', () => {
  let id: number
  let category: number
  beforeEach(async () => {
    await truncate(app.db)
    await serve(app)
    id = await makeEvent(app.db, { fr: { name: 'Fête', description: 'Longue' }, en: 'Party', es: 'Fiesta' })
    category = await makeCategory(app.db, { es: 'Música' })
    await makeVenue(app.db, 'Hall')
  })
  const title = async (server: TestApp, root: string) =>
    (await server.graphql(`{ event(id: ${id}) { title } }`, {}, root)).body.data?.event.title
  const languages = async () =>
    (await app.db.eventText.findMany({ where: { eventId: id }, orderBy: { language: 'asc' } })).map(
      (row) => row.language,
    )

  test('can be added by a setting', async () => {
    const server = await serve(app, { LANGUAGES: 'en,fr,es,de' })
    expect(await languages()).toEqual(['de', 'en', 'es', 'fr'])
    expect(await title(server, '/de')).toBe('Party')
    const { body } = await server.graphql(
      `query @inContext(language: DE) { venues { nodes { name url } } category(slug: "musica") { name } }`,
    )
    expect(body.data).toEqual({
      venues: { nodes: [{ name: 'Hall', url: 'http://calendar.test/de/venue/hall/' }] },
      category: { name: 'Música' },
    })
    const rest = await server.get(`/de/cal/events/v1/events/${id}`)
    expect([rest.status, rest.body.title]).toEqual([200, 'Party'])
  })

  test('keep the text of a removed language, and serve it again later', async () => {
    const fewer = await serve(app, { LANGUAGES: 'en,fr' })
    expect((await fewer.graphql('{ __typename }', {}, '/es')).status).toBe(404)
    expect(await languages()).toEqual(['en', 'es', 'fr'])
    const { body } = await fewer.graphql(`{ category(id: ${category}) { name languages { tag name } } }`)
    expect(body.data.category).toEqual({ name: 'Música', languages: { tag: 'es', name: null } })
    const venueRows = await app.db.venueText.findMany({ select: { language: true }, orderBy: { language: 'asc' } })
    expect(venueRows).toEqual([{ language: 'en' }, { language: 'fr' }])
    const again = await serve(app)
    expect(await title(again, '/es')).toBe('Fiesta')
    const hall = await again.graphql('{ venues { nodes { name } } }', {}, '/es')
    expect(hall.body.data.venues.nodes).toEqual([{ name: 'Hall' }])
  })

  test('are rebuilt if the text rules changed', async () => {
    await app.db.$executeRaw`UPDATE category_text SET folded = 'old', stems = NULL`
    await app.db.site.updateMany({ data: { textRules: 1 } })
    const server = await serve(app)
    const query = `{ categoriesPage(filter: { search: "musica" }, orderBy: { field: RELEVANCE }) { items { name } } }`
    const { body } = await server.graphql(query)
    expect(body.data.categoriesPage.items).toEqual([{ name: 'Música' }])
    const stems = await app.db.$queryRaw<{ missing: number }[]>`
      SELECT count(*)::int AS missing FROM category_text WHERE stems IS NULL`
    expect(stems).toEqual([{ missing: 0 }])
  })

  test('of each text are filled after the upgrade that added them', async () => {
    await app.db.$executeRaw`UPDATE content_text SET description_source = NULL, excerpt_source = NULL`
    await app.db.site.updateMany({ data: { textRules: 3 } })
    const server = await serve(app)
    const { body } = await server.graphql(`{ event(id: ${id}) { languages { title description excerpt } } }`)
    expect(body.data.event.languages).toEqual({ title: 'EN', description: 'FR', excerpt: null })
  })

  test('get slugs that make valid URLs after the upgrade', async () => {
    const store = async (kind: 'event' | 'category', record: number, slug: string) => {
      const owner = kind === 'event' ? 'content' : kind
      await app.db.$executeRawUnsafe(`UPDATE ${owner}_slug SET slug = $1 WHERE ${owner}_id = $2`, slug, record)
      await app.db.$executeRawUnsafe(`UPDATE ${owner}_text SET slug = $1 WHERE ${owner}_id = $2`, slug, record)
    }
    const titles = ['50%ab-off', '%f0%9f%8e%89', '%e3%81%82', '50ab-off', '%c5%82od%c5%ba', 'l%ca%bcete']
    const ids = await Promise.all(titles.map((name) => makeEvent(app.db, { en: name })))
    for (const [index, slug] of titles.entries()) await store('event', ids[index] ?? 0, slug)
    await store('category', category, '100%dance')
    await app.db.site.updateMany({ data: { textRules: 5 } })
    const server = await serve(app)
    const { body } = await server.graphql(
      `{ ${ids.map((each) => `event${each}: event(id: ${each}) { slug }`)}
        category(id: ${category}) { slug url } categoriesPage(filter: { search: "100dance" }) { total } }`,
    )
    const slugs = ids.map((each) => body.data[`event${each}`].slug)
    expect(slugs).toEqual(['50ab-off-2', `${ids[1]}`, '%e3%81%82', '50ab-off', 'lodz', 'lete'])
    expect(body.data.category).toEqual({ slug: '100dance', url: 'http://calendar.test/events/category/100dance/' })
    expect(body.data.categoriesPage.total).toBe(1)
    expect((await server.get('/events/category/100%25dance/')).status).toBe(301)
    expect((await server.get('/event/%e3%81%82/')).status).toBe(200)
    expect((await server.get('/event/%c5%82od%c5%ba/')).status).toBe(301)
  })

  test('fall back to a changed default language', async () => {
    const fields = `{ event(id: ${id}) { title description } category(id: ${category}) { name } }`
    const only = await makeEvent(app.db, { es: 'Sólo', fr: 'Seul' })
    const server = await serve(app, { DEFAULT_LANGUAGE: 'fr' })
    expect((await server.graphql(fields)).body.data).toEqual({
      event: { title: 'Fête', description: 'Longue' },
      category: { name: 'Música' },
    })
    const read = async (root: string) => (await server.graphql(`{ event(id: ${only}) { title url } }`, {}, root)).body
    expect((await read('/en')).data.event).toEqual({ title: 'Seul', url: 'http://calendar.test/en/event/seul/' })
    expect((await read('')).data.event).toEqual({ title: 'Seul', url: 'http://calendar.test/event/seul/' })
  })

  test('need one query at a start without changes', async () => {
    app.statements.length = 0
    await serve(app)
    expect(app.statements).toEqual([expect.stringMatching(/^\s*SELECT .*\bFROM site$/s)])
  })
})
