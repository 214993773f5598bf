// Every link in a response works.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { crawl } from '../helpers/links.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp({ SITE_TIMEZONE: 'Europe/Paris', PER_PAGE_DEFAULT: '2' })
  const { db } = app
  const arts = await makeCategory(db, { en: 'Arts', fr: 'Les arts' })
  const links = {
    venueIds: [await makeVenue(db, { en: 'Hall', fr: 'Salle' })],
    organizerIds: [await makeOrganizer(db, { fr: 'Cercle' })],
    categoryIds: [await makeCategory(db, 'Music & more', arts)],
    tagIds: [await makeTag(db, { es: 'Canción' })],
  }
  await makeEvent(db, { en: 'Choir', fr: 'Chorale' }, links)
  await makeEvent(db, 'Хор', { ...links, start: '2027-03-01T10:00:00' })
  await makeEvent(db, { en: { name: 'Numbered', slug: '' } }, { status: 'draft' })
  await makeEvent(db, 'Trashed', { status: 'trash' })
  await makeEvent(db, 'Night', links)
})
afterAll(() => app.close())

test('links work for anonymous users', async () => {
  const { seen, broken } = await crawl(app)
  expect(broken).toEqual([])
  for (const path of [
    '/',
    '/event/choir/',
    '/fr/event/chorale/',
    '/es/tag/cancion/',
    '/events/category/arts/music-more/',
  ])
    expect(seen).toContain(path)
  expect([...seen].filter((path) => /[?&]page=2/.test(path)).length).toBeGreaterThan(0)
})

test('links work for editors', async () => {
  const editor = await app.signIn('editor')
  const { body } = await editor.graphql('{ events(filter: { status: [DRAFT, TRASH] }) { nodes { url } } }')
  for (const { url } of body.data.events.nodes) {
    expect((await editor.get(url.replace('http://calendar.test', ''))).status, url).toBe(200)
  }
  const { seen, broken } = await crawl(editor, ['/fr'])
  expect(broken).toEqual([])
  expect([...seen].filter((path) => path.startsWith('/fr/?p=')).length).toBeGreaterThan(0)
})
