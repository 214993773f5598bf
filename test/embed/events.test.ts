import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { now, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_NAME: 'Here & <now>' })
  const { db } = app
  const categoryIds = [await makeCategory(db, 'Music')]
  const venueIds = [await makeVenue(db, 'Hall')]
  for (const number of [1, 2, 3]) {
    const texts = { en: `Choir ${number}`, fr: `Chorale ${number}` }
    await makeEvent(db, texts, { categoryIds, venueIds, start: `2026-12-0${number}T10:00:00` })
  }
  await makeEvent(db, 'Theatre', { venueIds })
  await makeEvent(db, 'Over', { start: '2026-11-10T10:00:00' })
  const secrets = {
    draft: { status: 'draft' },
    pending: { status: 'pending' },
    private: { status: 'private' },
    scheduled: { status: 'future', publishedAt: new Date('2100-01-01T00:00:00Z') },
    trashed: { status: 'trash', trashedFrom: 'publish' },
    locked: { passwordKey: 'key' },
    unlisted: { hideFromListings: true },
  } as const
  for (const [name, columns] of Object.entries(secrets)) await makeEvent(db, `Secret ${name}`, { ...columns, venueIds })
})
afterAll(() => app?.close())

const titles = (body: string) => [...body.matchAll(/<h3[^>]*><a href="[^"]*">([^<]*)<\/a>/g)].map(([, title]) => title)

describe('the widget of a list', () => {
  test.each([
    ['/embed/events', ['Choir 1', 'Theatre', 'Choir 2', 'Choir 3']],
    ['/fr/embed/events?categories=music', ['Chorale 1', 'Chorale 2', 'Chorale 3']],
    ['/embed/events?categories=music&translation_language=fr', ['Chorale 1', 'Chorale 2', 'Chorale 3']],
    ['/embed/events?search=theatre', ['Theatre']],
    ['/embed/events?start_date=2026-11-01&end_date=2026-11-30', ['Over']],
    ['/embed/events?per_page=1&page=3', ['Choir 2']],
    ['/embed/events?search=secret', []],
    ['/embed/events?search=secret&password=sesame', []],
  ])('%s has the events of the filter', async (path, expected) => {
    const administrator = await app.signIn('administrator')
    for (const client of [app, administrator]) {
      const { status, body } = await client.get(path)
      expect([status, titles(body)]).toEqual([200, expected])
      expect(body).not.toMatch(/<script|<form|<footer|Secret/)
    }
  })

  test('says in the language of the path what it shows', async () => {
    expect((await app.get('/fr/embed/events')).body).toContain('>Événements à venir</h2>')
    expect((await app.get('/es/embed/events?start_date=2026-11-01')).body).toContain('>Eventos</h2>')
    expect((await app.get('/embed/events?search=nothing')).body).toContain('<p>No upcoming events.</p>')
  })

  test('links to its other pages in the same frame, with the same filter and theme', async () => {
    const { body } = await app.get('/embed/events?categories=music&per_page=1&theme=dark&page=2')
    const links = [...body.matchAll(/<a href="(\?[^"]*)" rel="(\w+)" target="_self">/g)]
    expect(links.map(([, , rel]) => rel)).toEqual(['prev', 'next'])
    const next = String(links[1]?.[1]).replaceAll('&#38;', '&').replaceAll('&#61;', '=')
    const following = await app.get(`/embed/events${next}`)
    expect(titles(following.body)).toEqual(['Choir 3'])
    expect(following.body).toContain('data-theme="dark"')
    expect((await app.get('/embed/events?page=99')).status).toBe(404)
  })

  test.each([
    ['per_page=none', 'per_page'],
    ['start_date=someday&categories=', 'start_date'],
    ['theme=pink', 'theme'],
    ['translation_language=xx', 'translation_language'],
    ['status=draft', 'status'],
    ['categories=unknown', 'categories'],
  ])('with the mistake %s is an error that names the parameter', async (query, name) => {
    const { status, headers, body } = await app.get(`/embed/events?${query}`)
    expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
    expect(body).toContain(name)
  })

  test('changes with each write and as time passes, although it is cached', async () => {
    await app.get('/embed/events')
    expect((await app.get('/embed/events')).headers['cache-status']).toBe('calendar; hit')
    const id = await makeEvent(app.db, 'Brand new', { start: '2026-11-30T10:00:00' })
    onTestFinished(async () => {
      app.clock.now = now
      await app.db.event.delete({ where: { id } })
    })
    expect(titles((await app.get('/embed/events')).body)[0]).toBe('Brand new')
    app.clock.now = new Date('2026-12-01T12:30:00Z')
    expect(titles((await app.get('/embed/events')).body)).toEqual(['Theatre', 'Choir 2', 'Choir 3'])
  })
})
