import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../../helpers/make.ts'

let app: TestApp
let full: number
let bare: number

beforeAll(async () => {
  app = await openTestApp({ PAGES_URL: 'https://pages.test' })
  const { id: authorId } = await app.db.user.create({ data: { login: 'ann', name: 'Ann', role: 'author' } })
  const texts = {
    fr: { name: 'Fête', description: 'Un\n\nDeux', excerpt: 'Court', slug: 'fete' },
    en: { name: 'Party <3', description: 'One\ntwo' },
  }
  full = await makeEvent(app.db, texts, {
    ...{ authorId, imageId: await makeImage(app.db, 'http://images.test'), timeZone: 'America/New_York' },
    ...{ start: '2026-12-01T19:00:00', end: '2026-12-02T01:30:00', cost: ['$10', '$20'], website: '' },
    ...{ allDay: true, showMap: true, showMapLink: true, sticky: true, featured: true },
    publishedAt: new Date('2026-10-01T10:00:00.123Z'),
    modifiedAt: new Date('2026-10-02T10:00:00Z'),
    customFields: [{ key: 'age', label: 'Age', value: { from: 18 } }],
    venueIds: [await makeVenue(app.db, 'Zoo'), await makeVenue(app.db, 'Arena')],
    organizerIds: [await makeOrganizer(app.db, 'Zed'), await makeOrganizer(app.db, 'Abe')],
    categoryIds: [await makeCategory(app.db, 'Rock'), await makeCategory(app.db, 'Jazz')],
    tagIds: [await makeTag(app.db, 'late'), await makeTag(app.db, 'free')],
    tickets: {
      create: [
        { position: 1, name: 'Seat', price: 12.5, currency: 'EUR', capacity: 40 },
        { position: 0, name: 'Early', price: 5, currency: 'EUR', salesEnd: new Date('2026-11-01T00:00:00Z') },
      ],
    },
  })
  bare = await makeEvent(app.db, 'Bare', { timeZone: 'UTC+5:30' })
})
afterAll(() => app?.close())

const query = `query ($id: ID!) { event(id: $id) {
  id databaseId contentLanguage title description descriptionHtml excerpt excerptHtml slug url status locked
  publishedAt modifiedAt startsAt endsAt startsLocal endsLocal timeZone timeZoneAbbreviation allDay
  cost { text currencySymbol currencyPosition values currency minimum maximum } website showMap showMapLink hideFromListings sticky featured
  customFields { key label value } author { databaseId name }
  image { databaseId url mimeType width height fileSize sizes { name url width height mimeType fileSize } }
  venues { name } organizers { name } categories { name } tags { name }
  tickets { name price currency capacity salesStart salesEnd } parent { title } children { nodes { title } }
  translations { language name description descriptionHtml excerpt slug }
} }`

test('every field of a full event', async () => {
  const { body } = await app.graphql(query, { id: full })
  expect(body.errors).toBeUndefined()
  const named = (...names: string[]) => names.map((name) => ({ name }))
  expect(body.data.event).toEqual({
    ...{
      id: btoa(`Event:${full}`),
      databaseId: full,
      contentLanguage: 'EN',
      title: 'Party <3',
      status: 'PUBLISHED',
      locked: false,
    },
    ...{ description: 'One\ntwo', descriptionHtml: '<p>One<br />\ntwo</p>', excerpt: 'Court' },
    ...{ excerptHtml: '<p>Court</p>', slug: 'party-3', url: 'https://pages.test/event/party-3/' },
    ...{ publishedAt: '2026-10-01T10:00:00.123Z', modifiedAt: '2026-10-02T10:00:00.000Z' },
    ...{ startsAt: '2026-12-02T00:00:00.000Z', endsAt: '2026-12-02T06:30:00.000Z' },
    ...{ startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-02T01:30:00' },
    ...{ timeZone: 'America/New_York', timeZoneAbbreviation: 'EST', allDay: true, website: '' },
    cost: {
      ...{ text: '$10 – $20', currencySymbol: '$', currencyPosition: 'PREFIX', values: ['10', '20'] },
      ...{ currency: null, minimum: '10', maximum: '20' },
    },
    ...{ showMap: true, showMapLink: true, hideFromListings: false, sticky: true, featured: true },
    customFields: [{ key: 'age', label: 'Age', value: { from: 18 } }],
    author: { databaseId: 1, name: 'Ann' },
    image: {
      ...{ databaseId: expect.any(Number), url: 'http://images.test', mimeType: 'image/jpeg' },
      ...{ width: 1200, height: 800, fileSize: null },
      sizes: [
        {
          ...{ name: 'thumbnail', url: 'http://images.test?small', width: 150, height: 150 },
          ...{ mimeType: 'image/jpeg', fileSize: null },
        },
      ],
    },
    venues: named('Zoo', 'Arena'),
    organizers: named('Zed', 'Abe'),
    categories: named('Jazz', 'Rock'),
    tags: named('free', 'late'),
    tickets: [
      {
        ...{ name: 'Early', price: '5.00', currency: 'EUR', capacity: null },
        ...{ salesStart: null, salesEnd: '2026-11-01T00:00:00.000Z' },
      },
      { name: 'Seat', price: '12.50', currency: 'EUR', capacity: 40, salesStart: null, salesEnd: null },
    ],
    ...{ parent: null, children: { nodes: [] } },
    translations: [
      {
        ...{ language: 'EN', name: 'Party <3', description: 'One\ntwo', descriptionHtml: '<p>One<br />\ntwo</p>' },
        ...{ excerpt: null, slug: 'party-3' },
      },
      {
        ...{ language: 'FR', name: 'Fête', description: 'Un\n\nDeux', descriptionHtml: '<p>Un</p>\n<p>Deux</p>' },
        ...{ excerpt: 'Court', slug: 'fete' },
      },
    ],
  })
})

test('every field of a bare event', async () => {
  const { body } = await app.graphql(query, { id: bare }, '/fr')
  expect(body.data.event).toMatchObject({
    ...{ contentLanguage: 'FR', title: 'Bare', description: '', descriptionHtml: '', excerpt: '', excerptHtml: '' },
    ...{
      slug: 'bare',
      url: 'https://pages.test/fr/event/bare/',
      timeZone: 'UTC+5:30',
      timeZoneAbbreviation: 'UTC+5:30',
    },
    ...{ startsLocal: '2026-12-01T19:00:00', startsAt: '2026-12-01T13:30:00.000Z', allDay: false },
    ...{ cost: null, website: null, showMap: false, showMapLink: false, sticky: false, featured: false },
    ...{ customFields: [], author: null, image: null, venues: [], organizers: [], categories: [], tags: [] },
    ...{ tickets: [], translations: [{ language: 'EN', name: 'Bare', description: null, slug: 'bare' }] },
  })
})

test('the URL of an event without slug contains its ID', async () => {
  const id = await makeEvent(app.db, { en: { name: '🎉' } })
  const { body } = await app.graphql(`{ event(id: ${id}) { slug url } }`)
  expect(body.data.event).toEqual({ slug: '', url: `https://pages.test/?p=${id}` })
})

test('a scheduled event becomes published at its publication date', async () => {
  const publishedAt = new Date('2026-11-21T13:00:00Z')
  const id = await makeEvent(app.db, 'Soon', { status: 'future', publishedAt })
  const status = async () => (await app.graphql(`{ event(id: ${id}) { status } }`)).body.data.event?.status
  expect(await status()).toBeUndefined()
  app.clock.now = publishedAt
  expect(await status()).toBe('PUBLISHED')
  app.clock.now = new Date('2026-11-21T12:00:00Z')
})
