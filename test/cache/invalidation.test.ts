// Writes show at once in responses that were cached before.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { asker, cacheStatus, unique } from '../helpers/cache-hits.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
let app: TestApp
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  editor = await app.signIn('administrator')
})
afterAll(() => app?.close())

const { rest, graph, again } = asker(() => app)

const edit = (kind: string, id: number, fields: object) => async () => {
  const { status } = await editor.send('POST', `${ns}/${kind}/${id}`, fields)
  expect(status).toBe(200)
}

async function makeParty() {
  const { db } = app
  const [hall, hidden] = [await makeVenue(db, unique('Hall')), await makeVenue(db, unique('Barn'), { status: 'draft' })]
  const [garden, category] = [await makeVenue(db, unique('Garden')), await makeCategory(db, unique('Music'))]
  const imageId = await makeImage(db, `https://images.test/${hall}.jpg`)
  const author = await db.user.create({ data: { login: unique('author'), name: 'Author', role: 'author' } })
  const links = { venueIds: [hall, hidden], categoryIds: [category] }
  const id = await makeEvent(db, unique('Party'), { ...links, imageId, authorId: author.id })
  return { id, hall, hidden, garden, category, imageId, authorId: author.id }
}

type Party = Awaited<ReturnType<typeof makeParty>>

test.each<[string, (party: Party) => Promise<unknown>]>([
  ['a venue that is published', ({ hidden }) => edit('venues', hidden, { status: 'publish' })()],
  ['a venue that is hidden', ({ hall }) => edit('venues', hall, { status: 'draft' })()],
  ['a new link', ({ id, garden }) => edit('events', id, { venue: [garden] })()],
  ['an image that is gone', ({ imageId }) => app.db.image.delete({ where: { id: imageId } })],
  ['an image of another width', ({ imageId }) => app.db.image.update({ where: { id: imageId }, data: { width: 77 } })],
  ['a count of its category', ({ category }) => makeEvent(app.db, unique('Concert'), { categoryIds: [category] })],
  ['another author', ({ id }) => app.db.event.update({ where: { id }, data: { authorId: null } })],
  ['its author gone', ({ authorId }) => app.db.user.delete({ where: { id: authorId } })],
  ['a new slug', ({ id }) => edit('events', id, { slug: unique('party') })()],
  ['the trash', ({ id }) => editor.send('DELETE', `${ns}/events/${id}`)],
])('of an event that is read alone %s', async (_, write) => {
  const party = await makeParty()
  const ask = rest(`/events/${party.id}`)
  const before = await again(ask)
  await write(party)
  expect((await ask()).body).not.toEqual(before.body)
})

test('the counts of a calendar change with a new event', async () => {
  const ask = graph('{ eventCalendar(from: "2027-03-01", to: "2027-03-02") { totalCount days { totalCount } } }')
  expect((await again(ask)).body.data.eventCalendar.totalCount).toBe(0)
  await makeEvent(app.db, unique('Night'), { start: '2027-03-01T22:00:00', end: '2027-03-02T03:00:00' })
  expect((await ask()).body.data.eventCalendar).toEqual({ totalCount: 1, days: [{ totalCount: 1 }, { totalCount: 1 }] })
})

test('facets change with a new event, and with the names and addresses of what they count by', async () => {
  const { db } = app
  const [venue, category] = [
    await makeVenue(db, unique('Hall'), { city: 'Gent' }),
    await makeCategory(db, unique('Folk')),
  ]
  const links = { start: '2028-03-01T22:00:00', venueIds: [venue], categoryIds: [category] }
  await makeEvent(db, unique('Night'), links)
  const ask = graph(`{ eventFacets(filter: { startsOn: "2028-03-01" }) {
    totalCount cities { city count } categories { category { name } count } } }`)
  const counts = async () => (await ask()).body.data.eventFacets
  expect(await again(ask).then(({ body }) => body.data.eventFacets)).toMatchObject({
    totalCount: 1,
    cities: [{ city: 'Gent', count: 1 }],
  })
  await makeEvent(db, unique('Night'), links)
  expect(await counts()).toMatchObject({ totalCount: 2, cities: [{ city: 'Gent', count: 2 }] })
  await edit('venues', venue, { city: 'Brugge' })()
  expect(await counts()).toMatchObject({ cities: [{ city: 'Brugge', count: 2 }] })
  const name = unique('Polka')
  await edit('categories', category, { name })()
  expect(await counts()).toMatchObject({ categories: [{ category: { name }, count: 2 }] })
})

test('the JSON-LD of an event changes with the image of its venue', async () => {
  const imageId = await makeImage(app.db, 'https://images.test/before.jpg')
  const venueIds = [await makeVenue(app.db, unique('Hall'), { imageId })]
  const id = await makeEvent(app.db, unique('Party'), { venueIds })
  for (const selection of [
    'databaseId jsonLd',
    'databaseId image { databaseId } jsonLd venues { databaseId } organizers { databaseId image { databaseId } }',
    'databaseId image { databaseId } jsonLd venues { databaseId image { databaseId } } organizers { databaseId image { databaseId } }',
  ]) {
    const ask = graph(`{ event(id: ${id}) { ${selection} } }`)
    await ask()
    const url = `https://images.test/${unique('after').replace(' ', '-')}.jpg`
    await app.db.image.update({ where: { id: imageId }, data: { url } })
    expect((await ask()).body.data.event.jsonLd.location.image, selection).toBe(url)
  }
})

test.each([
  ['venue', 'venues', makeVenue],
  ['organizer', 'organizers', makeOrganizer],
] as const)('the only %s of an event shows once it is published', async (name, kind, make) => {
  const id = await make(app.db, 'Secret', { status: 'draft' })
  const event = await makeEvent(app.db, 'Alone', { [`${name}Ids`]: [id] })
  const single = rest(`/events/${event}`)
  const query = graph(`{ event(id: ${event}) { databaseId ${kind} { databaseId name } } }`)
  expect([(await single()).body[name], (await query()).body.data.event[kind]]).toEqual([[], []])
  await edit(kind, id, { status: 'publish' })()
  expect([(await single()).body[name]].flat()).toMatchObject([{ [name]: 'Secret' }])
  expect((await query()).body.data.event[kind]).toMatchObject([{ name: 'Secret' }])
})

test.each([
  ['categories', 'content_category'],
  ['tags', 'content_tag'],
])('links that go without a word to the %s are seen', async (kind, table) => {
  const id = kind === 'tags' ? await makeTag(app.db, unique('linked')) : await makeCategory(app.db, unique('Linked'))
  const event = await makeEvent(app.db, 'Linking', { [kind === 'tags' ? 'tagIds' : 'categoryIds']: [id] })
  const ask = graph(`{ ${kind}(filter: { event: "${event}" }) { totalCount } }`)
  const { body } = await ask()
  expect(body.data[kind].totalCount).toBe(1)
  await app.db.$executeRawUnsafe(`TRUNCATE ${table}`)
  expect((await ask()).body.data[kind].totalCount).toBe(0)
})

test('a new subcategory shows at its parent at once', async () => {
  const id = await makeCategory(app.db, unique('Music'))
  const ask = graph(`{ category(id: ${id}) { databaseId children { nodes { databaseId name } } } }`)
  expect((await ask()).body.data.category.children.nodes).toEqual([])
  await makeCategory(app.db, unique('Jazz'), id)
  expect((await ask()).body.data.category.children.nodes).toHaveLength(1)
})

test('an event hidden from lists no longer contributes to its terms', async () => {
  const { id } = await makeParty()
  const ask = graph(`{ categories(filter: { event: ${id} }) { totalCount } }`)
  expect((await ask()).body.data.categories.totalCount).toBe(1)
  await app.db.event.update({ where: { id }, data: { hideFromListings: true } })
  expect((await ask()).body.data.categories.totalCount).toBe(0)
})

test.each([
  ['venues', 'hasEvents', makeVenue],
  ['venues', 'onlyWithUpcoming', makeVenue],
  ['organizers', 'hasEvents', makeOrganizer],
  ['organizers', 'onlyWithUpcoming', makeOrganizer],
] as const)('of the %s one is found by %s once its event is published', async (kind, filter, make) => {
  const ids = [await make(app.db, unique('Hall'))]
  const links = { [kind === 'venues' ? 'venueIds' : 'organizerIds']: ids }
  const id = await makeEvent(app.db, unique('Concert'), { ...links, status: 'draft', start: '2027-01-01T20:00:00' })
  const ask = graph(`{ ${kind}(filter: { ${filter}: true }) { totalCount } }`)
  const before = (await ask()).body.data[kind].totalCount
  await app.db.event.update({ where: { id }, data: { status: 'publish' } })
  expect((await ask()).body.data[kind].totalCount).toBe(before + 1)
})

test('the distance of an event changes when its venue moves', async () => {
  const id = await makeVenue(app.db, unique('Hall'), { latitude: 48, longitude: 11 })
  const event = await makeEvent(app.db, unique('Concert'), { venueIds: [id] })
  const ask = graph(`{ event(id: ${event}) { databaseId distance(from: { latitude: 48, longitude: 11 }) } }`)
  expect((await ask()).body.data.event.distance).toBe(0)
  await app.db.venue.update({ where: { id }, data: { latitude: 10 } })
  expect((await ask()).body.data.event.distance).toBeGreaterThan(4000)
})

test('an event whose venue moves away is no longer near', async () => {
  const id = await makeVenue(app.db, unique('Hall'), { latitude: -48.1, longitude: 11.5 })
  await makeEvent(app.db, unique('Concert'), { venueIds: [id] })
  const ask = graph(
    '{ events(filter: { near: { center: { latitude: -48.1, longitude: 11.5 }, radius: 5 } }) { totalCount } }',
  )
  expect((await ask()).body.data.events.totalCount).toBe(1)
  await app.db.venue.update({ where: { id }, data: { latitude: 10 } })
  expect((await ask()).body.data.events.totalCount).toBe(0)
})

test.each([
  ['the name of a user', 'User', 'authorId', { name: 'Another' }, 'user'],
  ['the size of an image', 'Image', 'imageId', { width: 78 }, 'image'],
] as const)('%s changes in a cached response of node and nodes', async (_, type, key, data, model) => {
  const id = (await makeParty())[key]
  const query = `query ($id: ID!) {
    node(id: $id) { ...Changing } nodes(ids: [$id, $id]) { ...Changing }
  } fragment Changing on ${type} { id ${Object.keys(data)[0]} }`
  const ask = graph(query, { id: btoa(`${type}:${id}`) })
  await again(ask)
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  await (app.db[model] as { update(args: object): Promise<unknown> }).update({ where: { id }, data })
  const { node, nodes } = (await ask()).body.data
  expect([node, ...nodes]).toMatchObject([data, data, data])
})

test('a cached user is gone from node once the only record that showed them is hidden', async () => {
  const { id, authorId } = await makeParty()
  const ask = graph('query ($id: ID!) { node(id: $id) { id } }', { id: btoa(`User:${authorId}`) })
  await again(ask)
  expect(cacheStatus(await ask())).toBe('calendar; hit')
  await edit('events', id, { status: 'draft' })()
  const { body } = await ask()
  expect([body.data, body.errors[0].extensions.code]).toEqual([{ node: null }, 'NOT_FOUND'])
})
