// The language of responses, links and headers (docs/languages.md).
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp
beforeAll(async () => {
  app = await openTestApp()
})
beforeEach(() => truncate(app.db))
afterAll(() => app.close())

const ns = '/cal/events/v1'
const base = 'http://calendar.test'

const three = {
  en: { name: 'Choir', description: 'Songs', excerpt: 'S' },
  fr: { name: 'Chorale', description: 'Chants' },
  es: { name: 'Coro' },
}

describe('the language of a response', () => {
  it.each([
    [ns, 'Choir', 'en'],
    [`/en${ns}`, 'Choir', 'en'],
    [`/fr${ns}`, 'Chorale', 'fr'],
    [`/es${ns}`, 'Coro', 'es'],
  ])('comes from the root %s', async (root, title, language) => {
    const id = await makeEvent(app.db, three)
    const { body, headers } = await app.get(`${root}/events/${id}`)
    expect(body.title).toBe(title)
    expect(headers['content-language']).toBe(language)
  })

  it.each([
    [ns, 'fr', 'Chorale'],
    [`/fr${ns}`, 'en', 'Choir'],
    [`/fr${ns}`, 'es', 'Coro'],
    [`/en${ns}`, 'en', 'Choir'],
  ])('comes from the parameter rather than the root: %s with %s', async (root, language, title) => {
    const id = await makeEvent(app.db, three)
    const parameter = `translation_language=${language}`
    const one = await app.get(`${root}/events/${id}?${parameter}`)
    expect(one.body).toMatchObject({ title, rest_url: `${base}${root}/events/${id}?${parameter}` })
    const list = await app.get(`${root}/events?${parameter}`)
    expect(list.body.events[0].title).toBe(title)
    expect(list.headers['content-language']).toBe(language)
  })

  it.each(['de', '', 'FR', 'en,fr'])('cannot be the unknown %j', async (language) => {
    const { status, body } = await app.get(`${ns}/tags?page=0&per_page=x&translation_language=${language}`)
    expect(status).toBe(400)
    expect(body.code).toBe('rest_invalid_param')
    expect(Object.keys(body.data.params).sort()).toEqual(['page', 'per_page', 'translation_language'])
  })

  it('an unknown language is rejected before the record is read', async () => {
    const { status, body } = await app.get(`${ns}/events/1?translation_language=de`)
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
  })
})

describe('links keep the root and the parameter', () => {
  it.each([
    [ns, ''],
    [`/fr${ns}`, ''],
    [`/fr${ns}`, 'translation_language=es'],
    [ns, 'translation_language=fr'],
  ])('%s?%s', async (root, parameter) => {
    const categoryId = await makeCategory(app.db, { en: 'Music', fr: 'Musique', es: 'Música' })
    const tagId = await makeTag(app.db, 'free')
    for (let i = 0; i < 3; i++) await makeEvent(app.db, three, { categoryIds: [categoryId], tagIds: [tagId] })
    const { body } = await app.get(`${root}/events?per_page=1&page=2&${parameter}`)
    const [event] = body.events
    const links = [
      body.rest_url,
      body.next_rest_url,
      body.previous_rest_url,
      event.rest_url,
      ...Object.values<string>(event.categories[0].urls),
      ...Object.values<string>(event.tags[0].urls),
    ]
    expect(links).toHaveLength(8)
    for (const link of links) {
      expect(link.startsWith(`${base}${root}/`)).toBe(true)
      expect(link.endsWith(parameter)).toBe(true)
      expect(link.includes('translation_language')).toBe(parameter !== '')
    }
  })

  it.each([
    [ns, `${base}/event/choir/`],
    [`/en${ns}`, `${base}/event/choir/`],
    [`/fr${ns}`, `${base}/fr/event/chorale/`],
    [`/fr${ns}?translation_language=es`, `${base}/es/event/coro/`],
  ])('page URLs are in the language of the response: %s', async (address, url) => {
    const id = await makeEvent(app.db, three)
    const [root, query = ''] = address.split('?')
    expect((await app.get(`${root}/events/${id}?${query}`)).body.url).toBe(url)
  })
})

describe('missing translations', () => {
  it('fall back to the default language field by field', async () => {
    const id = await makeEvent(app.db, three)
    const shown = async (root: string) => {
      const { title, description, excerpt } = (await app.get(`${root}${ns}/events/${id}`)).body
      return [title, description, excerpt]
    }
    expect(await shown('/fr')).toEqual(['Chorale', '<p>Chants</p>', '<p>S</p>'])
    expect(await shown('/es')).toEqual(['Coro', '<p>Songs</p>', '<p>S</p>'])
  })

  it('fall back to the original language without a default translation', async () => {
    const id = await makeVenue(app.db, { fr: { name: 'Salle', description: 'Vieille' } })
    for (const root of ['', '/es']) {
      const { body } = await app.get(`${root}${ns}/venues/${id}`)
      expect(body).toMatchObject({ venue: 'Salle', description: '<p>Vieille</p>', slug: 'salle' })
    }
  })

  it('Content-Language is the language of the name, for lists the requested one', async () => {
    const paths = [
      ['events', await makeEvent(app.db, { fr: 'Concert' })],
      ['venues', await makeVenue(app.db, { fr: 'Salle' })],
      ['organizers', await makeOrganizer(app.db, { fr: 'Association' })],
      ['categories', await makeCategory(app.db, { fr: 'Musique' })],
      ['tags', await makeTag(app.db, { fr: 'gratuit' })],
    ]
    for (const [plural, id] of paths) {
      const one = await app.get(`/es${ns}/${plural}/${id}`)
      expect([plural, one.status, one.headers['content-language']]).toEqual([plural, 200, 'fr'])
      expect((await app.get(`/es${ns}/${plural}`)).headers['content-language']).toBe('es')
    }
  })

  it('records are found by any slug under any root', async () => {
    await makeEvent(app.db, three)
    for (const root of ['', '/en', '/fr', '/es']) {
      for (const slug of ['choir', 'chorale', 'coro']) {
        const { status, body } = await app.get(`${root}${ns}/events/by-slug/${slug}`)
        expect([status, body.slug]).toEqual([200, { '/fr': 'chorale', '/es': 'coro' }[root] ?? 'choir'])
      }
    }
  })
})

describe('on a site without fallback', () => {
  let strict: TestApp
  beforeAll(async () => {
    strict = await serve(app, { LANGUAGE_FALLBACK: 'off' })
  })
  afterAll(() => strict.app.close())

  it('lists and slugs return only translated records, IDs return all', async () => {
    const both = await makeEvent(app.db, { en: 'Choir', fr: 'Chorale' })
    const english = await makeEvent(app.db, 'Fair')
    const ids = async (root: string) =>
      (await strict.get(`${root}${ns}/events`)).body.events.map((event: { id: number }) => event.id)
    expect(await ids('')).toEqual([both, english])
    expect(await ids('/fr')).toEqual([both])
    expect((await strict.get(`/fr${ns}/events/by-slug/fair`)).body.code).toBe('rest_invalid_param')
    expect((await strict.get(`/fr${ns}/events/by-slug/choir`)).body.title).toBe('Chorale')
    expect((await strict.get(`/fr${ns}/events/${english}`)).body.title).toBe('Fair')
  })

  it('an untranslated scheduled record is not found by slug after its publication date', async () => {
    await makeEvent(app.db, 'Fair', { status: 'future' })
    const { status, body } = await strict.get(`/fr${ns}/events/by-slug/fair`)
    expect([status, body.code]).toEqual([400, 'rest_invalid_param'])
  })

  it('also limits terms', async () => {
    await makeCategory(app.db, { en: 'Music', fr: 'Musique' })
    await makeCategory(app.db, 'Sports')
    const { body } = await strict.get(`/fr${ns}/categories?hide_empty=0`)
    expect([body.total, body.categories.map((each: { name: string }) => each.name)]).toEqual([1, ['Musique']])
  })
})
