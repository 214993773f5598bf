// No answer of GraphQL tells whether a hidden venue or organizer exists, or what their passwords withhold: the same operations
// are sent while they are linked to a public event, and while they do not exist, or have other details.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, serve, type TestApp, unverified } from '../helpers/app.ts'
import { connectTo } from '../helpers/db.ts'
import { makeEvent, makeImage, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'
import { everyField } from '../helpers/secret-world.ts'

let app: TestApp
const clients = {} as Record<'visitor' | 'verified visitor' | 'subscriber' | 'author', ApiClient>
const roles = ['visitor', 'subscriber', 'author'] as const
/** `venue` and `organizer` are hidden, and linked to `event` together with a public venue. */
const ids = {} as Record<'event' | 'hall' | 'venue' | 'organizer' | 'image' | 'author', number>

/** The answers to a visitor while the venue and the organizer do not exist. */
let absent: Readonly<Record<string, string>>

const word = 'Clandestine'
const point = { latitude: 48.9, longitude: 2.4 }

beforeAll(async () => {
  app = await openTestApp()
  const { db } = app
  // The requests of one test are compared with Prisma and graphql-js.
  clients['verified visitor'] = app
  const other = await serve(connectTo(app.database, undefined, 'on'), { ...unverified })
  clients.visitor = other
  for (const role of ['subscriber', 'author'] as const) clients[role] = other.as(await app.signIn(role))
  ids.hall = await makeVenue(db, 'Hall', { latitude: 48, longitude: 2 })
  ids.venue = await makeVenue(db, 'Reserved')
  ids.organizer = await makeOrganizer(db, 'Reserved')
  ids.author = (await db.user.create({ data: { login: 'keeper', name: 'Keeper', role: 'author' } })).id
  ids.image = await makeImage(db, 'https://images.test/secret.jpg')
  await db.image.update({ where: { id: ids.image }, data: { authorId: ids.author } })
  ids.event = await makeEvent(db, 'Party', { venueIds: [ids.hall] })
  await remove()
  absent = await ask('visitor')
})
afterAll(() => app?.close())

interface State {
  readonly status?: 'publish' | 'draft' | 'private' | 'trash'
  readonly passwordKey?: string
}

async function remove(): Promise<void> {
  await app.db.venue.deleteMany({ where: { id: { gte: ids.venue } } })
  await app.db.organizer.deleteMany({ where: { id: { gte: ids.organizer } } })
}

/** Creates the venue and the organizer, or others. `value` is in everything that a password withholds. */
async function create(
  state: State,
  value = word,
  { latitude, longitude } = point,
  { venue, organizer } = ids,
): Promise<void> {
  const { db } = app
  const texts = { en: { name: 'Cellar', description: value, excerpt: value }, fr: { description: value } }
  const details = { ...state, authorId: ids.author, imageId: ids.image, phone: value, website: `https://${value}.test` }
  const address = { address: value, city: value, country: value, zip: value }
  await makeVenue(db, texts, { id: venue, ...details, ...address, latitude, longitude })
  await makeOrganizer(db, texts, { id: organizer, ...details, email: `${value}@a.test` })
  await db.contentVenue.create({ data: { contentId: ids.event, venueId: venue, position: venue } })
  await db.contentOrganizer.create({ data: { contentId: ids.event, organizerId: organizer, position: organizer } })
}

const near = `near: { center: { latitude: ${point.latitude}, longitude: ${point.longitude} }, radius: 500 }`
const distance = `distance(from: { latitude: ${point.latitude}, longitude: ${point.longitude} })`
const nameCursor = () => btoa(JSON.stringify(['name', 'Cell', 0])).replaceAll('=', '')

function operations(): Readonly<Record<string, string>> {
  const events = (args: string) => `{ events(${args}) { totalCount edges { cursor node { title ${distance} } } } }`
  const facets = (filter: string) => `{ eventFacets(filter: ${filter}) {
    totalCount venues { venue { name } count } organizers { organizer { name } count } cities { city country count }
  } }`
  const places = (type: 'Venue' | 'Organizer', args: string) => {
    const plural = `${type.toLowerCase()}s`
    return `{ ${plural}(first: 5, ${args}) {
      totalCount pageInfo { hasNextPage hasPreviousPage } edges { cursor node { ${everyField(type, 0)} } }
    } }`
  }
  const node = (type: string, id: number) => `node(id: "${btoa(`${type}:${id}`)}") { __typename id }`
  const both = (args: (id: number) => string) => ({
    [`venues(${args(1)})`]: places('Venue', args(ids.venue)),
    [`organizers(${args(1)})`]: places('Organizer', args(ids.organizer)),
  })
  return {
    'every field of the event': `{ event(id: ${ids.event}) { ${everyField('Event')} } }`,
    'events at the venue': events(`filter: { venues: [${ids.venue}] }`),
    'events of the organizer': events(`filter: { organizers: ["${btoa(`Organizer:${ids.organizer}`)}"] }`),
    'events near the venue': events(`filter: { near: { center: { latitude: 48.9, longitude: 2.4 } } }`),
    'events by distance': events(`filter: { ${near} }, orderBy: { field: DISTANCE }`),
    'events in the city': events(`filter: { cities: ["${word}"] }`),
    'events at a place with this name': events('filter: { placeName: "cellar" }'),
    'events at a place with this address': events(`filter: { placeName: "${word}" }`),
    'events elsewhere': events('filter: { not: { placeName: "cellar" } }'),
    'events outside of the city': events(`filter: { not: { cities: ["${word}"] } }`),
    'events by place': events('orderBy: { field: PLACE_NAME }'),
    'events by place, descending': events('orderBy: { field: PLACE_NAME, direction: DESC }'),
    facets: facets('{}'),
    'facets at the venue': facets(`{ venues: [${ids.venue}], organizers: [${ids.organizer}] }`),
    'facets in the city': facets(`{ cities: ["${word}"] }`),
    'facets by name': facets('{ placeName: "cellar" }'),
    'events of a day at the venue': `{ eventCalendar(from: "2026-12-01", to: "2026-12-01", filter: { venues: [${ids.venue}] }) {
      totalCount days { totalCount events { title } } } }`,
    'suggestions for the name': '{ searchSuggestions(prefix: "cell") { kind text url } }',
    'suggestions for a detail': `{ searchSuggestions(prefix: "${word.slice(0, 4)}") { kind text url } }`,
    'used images': '{ images(filter: { used: true }) { totalCount nodes { title } } }',
    'author and image': `{ author: ${node('User', ids.author)} image: ${node('Image', ids.image)} }`,
    ...both(() => 'orderBy: { field: NAME }'),
    ...both(() => `after: "${nameCursor()}", orderBy: { field: NAME }`),
    ...both((id) => `filter: { include: [${id}] }`),
    ...both(() => `filter: { event: ${ids.event} }`),
    ...both(() => 'filter: { hasEvents: true }'),
    ...both(() => 'filter: { onlyWithUpcoming: true }'),
    ...both(() => 'filter: { search: "cellar" }, orderBy: { field: RELEVANCE }'),
    ...both(() => `filter: { search: "${word}" }, orderBy: { field: RELEVANCE }`),
    ...both(() => 'filter: { translatedInto: [EN], missingTranslation: [FR] }'),
    ...both(() => 'filter: { status: [PUBLISHED] }'),
    ...both(() => `filter: { authors: [${ids.author}] }`),
    ...both(() => 'filter: { modifiedAt: { gte: "2000-01-01T00:00:00Z" } }'),
    'venues by distance': places('Venue', `filter: { ${near} }, orderBy: { field: DISTANCE }`),
  }
}

const names = () => Object.keys(operations())

async function ask(
  role: keyof typeof clients,
  asked: readonly string[] = names(),
): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {}
  const all = operations()
  for (const name of asked) {
    const { body } = await clients[role].graphql(all[name] ?? '')
    if (name !== 'author and image') expect(body.errors, name).toBeUndefined()
    // Errors of fields that resolve concurrently have no order.
    body.errors?.sort((a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    answers[name] = JSON.stringify(body, undefined, 1)
  }
  return answers
}

/** All operations for a visitor; a fourth for each of the others, whose rights are the same here. */
const askedBy = (role: keyof typeof clients) =>
  role === 'visitor' ? names() : partOf(names(), 4, role === 'author' ? 1 : 0)

test('every operation depends on the venue or the organizer, except suggestions for other texts than names', async () => {
  const exception = 'suggestions for a detail'
  const asked = [...new Set([...partOf(names(), 2), exception])]
  const verified = partOf(asked, 8)
  await create({})
  const [present, other] = [await ask('visitor', asked), await ask('verified visitor', verified)]
  await remove()
  expect(asked.filter((name) => absent[name] === present[name])).toEqual([exception])
  expect(other).toEqual(Object.fromEntries(verified.map((name) => [name, present[name]])))
})

const hidden: readonly State[] = [{ status: 'draft' }, { status: 'private' }, { status: 'trash' }]

test.each(roles)('hidden venues and organizers change no answer for a reader with this role: %s', async (role) => {
  const asked = askedBy(role)
  const without = role === 'visitor' ? absent : await ask(role, asked)
  for (const [n, state] of hidden.entries())
    await create(state, word, point, { ...ids, venue: ids.venue + n, organizer: ids.organizer + n })
  const present = await ask(role, asked)
  await remove()
  expect(present).toEqual(without)
})

test.each(hidden)('a hidden venue and organizer change no answer about themselves: %o', async (state) => {
  const all = operations()
  const own = [ids.venue, ids.organizer].flatMap((id) => [`[${id}]`, btoa(`Organizer:${id}`)])
  const asked = names().filter((name) => own.some((id) => all[name]?.includes(id)))
  expect(asked.length).toBeGreaterThan(5)
  await create(state)
  const present = await ask('visitor', asked)
  await remove()
  expect(present).toEqual(Object.fromEntries(asked.map((name) => [name, absent[name]])))
})

test.each(roles)(
  'a password of a venue and an organizer withholds their details from this reader: %s',
  async (role) => {
    const asked = askedBy(role)
    await create({ passwordKey: 'x' })
    const secret = await ask(role, asked)
    await remove()
    await create({ passwordKey: 'x' }, 'Other', { latitude: -10, longitude: 120 })
    const other = await ask(role, asked)
    await remove()
    expect(secret).toEqual(other)
    expect(JSON.stringify(secret)).toContain('Cellar')
  },
)
