// The field `jsonLd` of GraphQL, which REST and the pages embed.
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'

const site = 'http://calendar.test'
const ns = '/cal/events/v1'
let app: TestApp
let admin: ApiClient
let key: string
let hall: number
let club: number

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0' })
  admin = await app.signIn('administrator')
  key = await hashRecordPassword('secret', app.site.passwordSalt)
  const imageId = await makeImage(app.db)
  hall = await makeVenue(
    app.db,
    { en: { name: 'Hall', description: 'Built <b>1900</b>\n\nOld' }, fr: { name: 'Salle', description: 'Vieille' } },
    {
      ...{ address: '1 Main St', city: 'Turin', stateProvince: 'TO', zip: '10121', country: 'Italy' },
      ...{ phone: '555', website: 'https://hall.example', imageId },
    },
  )
  club = await makeOrganizer(app.db, { en: 'Club', fr: 'Cercle' }, { email: 'club@example.test' })
})
afterAll(() => app?.close())

interface Options {
  readonly client?: ApiClient
  readonly root?: string
  readonly password?: string
  readonly forEditing?: boolean
}

async function jsonLd(kind: string, id: number, { client = app, root = '', password, forEditing }: Options = {}) {
  const query = `query ($id: ID, $password: String, $forEditing: Boolean) @inContext(password: $password, forEditing: $forEditing) { ${kind}(id: $id) { jsonLd } }`
  const { body } = await client.graphql(query, { id, password, forEditing }, root)
  expect(body.errors).toBeUndefined()
  return body.data[kind]?.jsonLd
}

const place = {
  '@type': 'Place',
  name: 'Hall',
  description: 'Built 1900 Old',
  image: 'https://images.test/poster.jpg',
  url: '',
  address: {
    '@type': 'PostalAddress',
    streetAddress: '1 Main St',
    addressLocality: 'Turin',
    addressRegion: 'TO',
    postalCode: '10121',
    addressCountry: 'Italy',
  },
  telephone: '555',
  sameAs: 'https://hall.example',
}
const person = { '@type': 'Person', name: 'Club', url: `${site}/organizer/club/`, email: 'club@example.test' }
const schema = { '@context': 'http://schema.org' }

test('an event has the first venue, the first organizer and an offer', async () => {
  const id = await makeEvent(
    app.db,
    { en: { name: 'R&B', description: '<p>Evening concert</p>' } },
    {
      ...{ start: '2030-02-01T19:00:00', timeZone: 'America/New_York', publishedAt: new Date('2026-01-05T19:23:36Z') },
      ...{ cost: ['$30', '$23'], website: 'https://choir.example', imageId: await makeImage(app.db) },
      venueIds: [hall, await makeVenue(app.db, 'Annex')],
      organizerIds: [club, await makeOrganizer(app.db, 'Choir')],
    },
  )
  expect(await jsonLd('event', id)).toStrictEqual({
    ...schema,
    '@type': 'Event',
    name: 'R&B',
    description: 'Evening concert',
    image: 'https://images.test/poster.jpg',
    url: `${site}/event/rb/`,
    eventAttendanceMode: 'https://schema.org/OfflineEventAttendanceMode',
    eventStatus: 'https://schema.org/EventScheduled',
    startDate: '2030-02-01T19:00:00-05:00',
    endDate: '2030-02-01T21:00:00-05:00',
    location: place,
    organizer: person,
    offers: {
      '@type': 'Offer',
      price: '23',
      url: 'https://choir.example',
      category: 'primary',
      availability: 'inStock',
      validFrom: '2026-01-05T19:23:36.000Z',
    },
    performer: 'Organization',
  })
})

test.each([
  ['cancelled', 'EventCancelled'],
  ['postponed', 'EventPostponed'],
  ['rescheduled', 'EventRescheduled'],
  ['moved_online', 'EventMovedOnline'],
] as const)('an event that is %s has its status and its previous start', async (eventStatus, name) => {
  const previousStartsAt = new Date('2026-07-01T18:00:00Z')
  const id = await makeEvent(app.db, 'Other', { eventStatus, previousStartsAt })
  expect(await jsonLd('event', id)).toMatchObject({
    eventStatus: `https://schema.org/${name}`,
    previousStartDate: '2026-07-01T20:00:00+02:00',
  })
})

test('an event that takes place as planned has no previous start', async () => {
  const id = await makeEvent(app.db, 'Planned', { previousStartsAt: new Date('2026-07-01T18:00:00Z') })
  expect(await jsonLd('event', id)).not.toHaveProperty('previousStartDate')
})

const room = 'https://example.org/room'
const virtual = { '@type': 'VirtualLocation', url: room }

test.each([
  ['offline', true, place],
  ['online', true, virtual],
  ['online', false, virtual],
  ['mixed', true, [place, virtual]],
  ['mixed', false, virtual],
] as const)('the location of an event that is %s (with a venue: %s)', async (attendanceMode, hasVenue, location) => {
  const venueIds = hasVenue ? [hall] : []
  const id = await makeEvent(app.db, 'Web', { attendanceMode, onlineUrl: room, venueIds })
  const mode = `${attendanceMode.charAt(0).toUpperCase()}${attendanceMode.slice(1)}EventAttendanceMode`
  expect(await jsonLd('event', id)).toMatchObject({ eventAttendanceMode: `https://schema.org/${mode}`, location })
})

test('an online location without a URL has that of the page of the event', async () => {
  const id = await makeEvent(app.db, 'Remote', { attendanceMode: 'online' })
  expect((await jsonLd('event', id)).location).toStrictEqual({
    '@type': 'VirtualLocation',
    url: `${site}/event/remote/`,
  })
})

test('a minimal event omits unknown properties', async () => {
  const properties = Object.keys(await jsonLd('event', await makeEvent(app.db, 'Minimal')))
  for (const absent of ['description', 'image', 'location', 'organizer', 'offers'])
    expect(properties).not.toContain(absent)
})

test.each([
  [['Free'], { price: '0' }],
  [['20EUR', '30EUR'], { price: '20', priceCurrency: 'EUR' }],
])('the offer of the cost %j', async (cost, offer) => {
  expect((await jsonLd('event', await makeEvent(app.db, 'Costly', { cost }))).offers).toMatchObject(offer)
})

test('venues and organizers have objects of their own', async () => {
  expect(await jsonLd('venue', hall)).toStrictEqual({ ...schema, ...place })
  expect(await jsonLd('organizer', club)).toStrictEqual({ ...schema, ...person })
  expect(await jsonLd('venue', await makeVenue(app.db, 'Bare'))).toStrictEqual({
    ...schema,
    ...{ '@type': 'Place', name: 'Bare', url: '' },
  })
})

test('an organizer has no e-mail address that is none', async () => {
  const id = await makeOrganizer(app.db, 'Band', { email: 'ask at the door' })
  expect(await jsonLd('organizer', id)).toStrictEqual({
    ...schema,
    ...{ '@type': 'Person', name: 'Band', url: `${site}/organizer/band/` },
  })
})

test('texts and URLs are in the language of the operation', async () => {
  const id = await makeEvent(app.db, { en: 'Choir', fr: 'Chorale' }, { venueIds: [hall], organizerIds: [club] })
  expect(await jsonLd('event', id, { root: '/fr' })).toMatchObject({
    name: 'Chorale',
    url: `${site}/fr/event/chorale/`,
    location: { name: 'Salle', description: 'Vieille' },
    organizer: { name: 'Cercle', url: `${site}/fr/organizer/cercle/` },
  })
})

describe('a protected record', () => {
  it.each([
    ['event', makeEvent],
    ['venue', makeVenue],
    ['organizer', makeOrganizer],
  ] as const)('of the kind %s has jsonLd with its password, or for its editors', async (kind, make) => {
    const id = await make(app.db, 'Protected', { passwordKey: key })
    expect(await jsonLd(kind, id)).toBeNull()
    expect(await jsonLd(kind, id, { password: 'wrong' })).toBeNull()
    expect(await jsonLd(kind, id, { client: admin })).toBeNull()
    expect(await jsonLd(kind, id, { password: 'secret' })).toMatchObject({ name: 'Protected' })
    expect(await jsonLd(kind, id, { client: admin, forEditing: true })).toMatchObject({ name: 'Protected' })
  })

  it('shows only its name and page in the event', async () => {
    const description = 'Hidden'
    const venueIds = [await makeVenue(app.db, { en: { name: 'Vault', description } }, { passwordKey: key, city: 'X' })]
    const organizer = { passwordKey: key, email: 'x@example.test' }
    const organizerIds = [await makeOrganizer(app.db, { en: { name: 'Lodge', description } }, organizer)]
    const id = await makeEvent(app.db, 'Open', { venueIds, organizerIds })
    expect(await jsonLd('event', id)).toMatchObject({
      location: { '@type': 'Place', name: 'Vault', url: '' },
      organizer: { '@type': 'Person', name: 'Lodge', url: `${site}/organizer/lodge/` },
    })
    expect(JSON.stringify(await jsonLd('event', id))).not.toMatch(/Hidden|example\.test|"X"/)
    expect(await jsonLd('event', id, { password: 'secret' })).toMatchObject({
      location: { description, address: { addressLocality: 'X' } },
      organizer: { description, email: 'x@example.test' },
    })
  })
})

describe('an unpublished record', () => {
  it.each([
    ['event', makeEvent],
    ['venue', makeVenue],
    ['organizer', makeOrganizer],
  ] as const)('of the kind %s has jsonLd for those who may see it', async (kind, make) => {
    const id = await make(app.db, 'Draft', { status: 'draft' })
    const query = `{ ${kind}(id: ${id}) { jsonLd } }`
    expect((await app.graphql(query)).body.data[kind]).toBeNull()
    expect(await jsonLd(kind, id, { client: admin })).toMatchObject({ name: 'Draft' })
  })

  it('is not the location or organizer of an event', async () => {
    const venueIds = [await makeVenue(app.db, 'Site', { status: 'draft' }), hall]
    const id = await makeEvent(app.db, 'Fair', { venueIds })
    expect((await jsonLd('event', id)).location.name).toBe('Hall')
    expect((await jsonLd('event', id, { client: admin })).location.name).toBe('Site')
  })
})

test('REST has the same objects for a single event, its venues and organizers', async () => {
  const id = await makeEvent(app.db, 'Fête', { venueIds: [hall], organizerIds: [club], cost: ['5'] })
  for (const root of ['', '/fr']) {
    const { body } = await app.get(`${root}${ns}/events/${id}`)
    expect(body.json_ld).toStrictEqual(await jsonLd('event', id, { root }))
    expect(body.venue.json_ld).toStrictEqual(await jsonLd('venue', hall, { root }))
    expect(body.organizer[0].json_ld).toStrictEqual(await jsonLd('organizer', club, { root }))
  }
  for (const path of ['events', 'venues', 'organizers']) {
    expect(JSON.stringify((await app.get(`${ns}/${path}`)).body), path).not.toContain('json_ld')
  }
})

test('a list reads jsonLd without further statements', async () => {
  for (let n = 0; n < 6; n += 1) await makeEvent(app.db, `Listed ${n}`, { venueIds: [hall] })
  const statements = async (selection: string) => {
    app.statements.length = 0
    const { body } = await app.graphql(`{ events(first: 20) { nodes { ${selection} } } }`)
    expect(body.data.events.nodes.length).toBeGreaterThan(5)
    return app.statements.length
  }
  const plain = await statements('title')
  expect(await statements('jsonLd')).toBe(plain)
  expect(await statements('jsonLd title image { url } venues { name image { url } } organizers { name }')).toBe(plain)
})
