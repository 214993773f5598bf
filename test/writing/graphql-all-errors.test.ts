// A mutation reports all errors of its input, each with its path in the input.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { createSeries, tryToCreate, updateSeries } from '../helpers/series.ts'
import { allRows, capital, type Kind, party } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
let ids: Record<Kind, number>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
  ids = {
    ...{ event: await makeEvent(app.db, 'Choir'), venue: await makeVenue(app.db, 'Hall') },
    ...{ organizer: await makeOrganizer(app.db, 'Club'), category: await makeCategory(app.db, 'Music') },
    tag: await makeTag(app.db, 'free'),
  }
})

const none = 2_000_000_000
const blank = ' '

/** The paths of the errors of a mutation, which must write nothing. */
async function errorPathsOf(verb: 'create' | 'update', kind: Kind, input: object, user = admin): Promise<string[]> {
  const before = await allRows(app)
  const name = `${verb}${capital(kind)}`
  const query = `mutation ($input: ${capital(name)}Input!) {
    result: ${name}(input: $input) { ${kind} { databaseId } userErrors { code path message } } }`
  const { body } = await user.graphql(query, { input })
  expect(body.errors).toBeUndefined()
  expect(body.data.result[kind]).toBeNull()
  expect(await allRows(app)).toEqual(before)
  return body.data.result.userErrors.map(({ code, path, message }: UserError) => {
    expect(message).not.toBe('')
    return code === 'BAD_INPUT' ? path.join('.') : [code, ...path].join(' ')
  })
}

interface UserError {
  readonly code: string
  readonly path: readonly string[]
  readonly message: string
}

const invalidTexts = {
  translations: [
    { language: 'FR', name: blank },
    { language: 'FR', name: 'x' },
    { language: 'EN', name: null },
  ],
}
const textPaths = ['translations.0.name', 'translations.1.language', 'translations.2.name']
const invalidPost = { ...invalidTexts, authorId: none, website: 'foo', imageId: none }
const postPaths = [...textPaths, 'authorId', 'website', 'imageId']

const invalidEvent = () => ({
  ...{ title: blank, ...invalidPost, parentId: none, timeZone: 'Mars/Base', onlineUrl: 'ftp://example.org' },
  venues: [
    { id: none },
    { create: { name: blank, ...invalidPost, coordinates: { latitude: 91, longitude: 0 } } },
    { id: ids.venue },
  ],
  organizers: [{ create: { name: 'Fine' } }, { create: { name: 'Wrong', authorId: none } }],
  ...{
    categories: [{ id: none }, { nameOrSlug: blank }],
    tags: [{ id: none }, { nameOrSlug: 'new' }, { nameOrSlug: blank }],
  },
  tickets: [
    { name: 'A', price: '1', currency: 'EUR' },
    { name: 'B', price: '-1', currency: 'euro', capacity: -1 },
  ],
})
const eventPaths = [
  ...['title', ...textPaths, 'parentId', 'authorId', 'website', 'onlineUrl', 'imageId', 'timeZone'],
  ...['venues.0.id', 'venues.1.create.name', ...postPaths.map((place) => `venues.1.create.${place}`)],
  ...['venues.1.create.coordinates.latitude', 'organizers.1.create.authorId'],
  ...['categories.0.id', 'categories.1.nameOrSlug', 'tags.0.id', 'tags.2.nameOrSlug'],
  ...['tickets.1.price', 'tickets.1.currency', 'tickets.1.capacity'],
]

test('reports all errors of a new event', async () => {
  expect(await errorPathsOf('create', 'event', { ...party, ...invalidEvent() })).toEqual(eventPaths)
})

test('reports all errors of an updated event', async () => {
  expect(await errorPathsOf('update', 'event', { id: ids.event, ...invalidEvent() })).toEqual(eventPaths)
})

test('an end before its start is reported with the other errors of a series', async () => {
  const pathsOf = (errors: readonly { readonly path: readonly string[] }[]) => errors.map(({ path }) => path.join('.'))
  const extraDates = [{ startsLocal: '2027-03-12T18:00:00', endsLocal: '2027-03-12T20:00:00' }]
  const id = await createSeries(admin, { schedule: { extraDates } })
  const schedule = {
    extraDates: [...extraDates, { startsLocal: '2027-03-19T18:00:00', endsLocal: '2027-03-18T20:00:00' }],
  }
  const wrong = { title: blank, website: 'foo', schedule }
  const paths = ['schedule.extraDates.1.endsLocal', 'title', 'website']
  expect(pathsOf((await tryToCreate(admin, wrong)).errors).toSorted()).toEqual(paths)
  expect(pathsOf(await updateSeries(admin, { id, ...wrong })).toSorted()).toEqual(paths)
  const recurrences: [] = []
  const single = { id: ids.event, title: blank, website: 'foo', schedule: { recurrences, ...schedule } }
  expect((await errorPathsOf('update', 'event', single)).toSorted()).toEqual(paths)
})

test.each(['venue', 'organizer'] as const)('a new %s, and a changed one', async (kind) => {
  const input = {
    name: blank,
    ...invalidPost,
    ...(kind === 'venue' && { coordinates: { latitude: 91, longitude: 0 } }),
  }
  const places = ['name', ...postPaths, ...(kind === 'venue' ? ['coordinates.latitude'] : [])]
  expect(await errorPathsOf('create', kind, input)).toEqual(places)
  expect(await errorPathsOf('create', kind, { ...input, orExisting: true })).toEqual(places)
  expect(await errorPathsOf('update', kind, { id: ids[kind], ...input })).toEqual(places)
})

test.each(['venue', 'organizer'] as const)(
  'a %s that is there already, with what is wrong beside its name',
  async (kind) => {
    const input = { name: kind === 'venue' ? 'Hall' : 'Club', orExisting: true, ...invalidPost }
    expect(await errorPathsOf('create', kind, input)).toEqual(postPaths)
  },
)

test('reports all errors of terms', async () => {
  await makeCategory(app.db, 'Taken')
  await makeTag(app.db, 'Taken')
  const category = { name: blank, parentId: none, ...invalidTexts }
  expect(await errorPathsOf('create', 'category', category)).toEqual(['parentId', 'name', ...textPaths])
  expect(await errorPathsOf('update', 'category', { id: ids.category, slug: 'taken', ...category })).toEqual([
    ...['parentId', 'slug', 'name', ...textPaths],
  ])
  const tag = { name: blank, ...invalidTexts }
  expect(await errorPathsOf('create', 'tag', tag)).toEqual(['name', ...textPaths])
  expect(await errorPathsOf('update', 'tag', { id: ids.tag, slug: 'taken', ...tag })).toEqual([
    'slug',
    'name',
    ...textPaths,
  ])
})

test('reports a value that the user may not set beside the other errors', async () => {
  const contributor = await app.signIn('contributor')
  const input = { ...party, title: blank, authorId: admin.id, venues: [{ create: { name: 'A', authorId: admin.id } }] }
  expect(await errorPathsOf('create', 'event', input, contributor)).toEqual([
    ...['title', 'FORBIDDEN authorId', 'FORBIDDEN venues 0 create authorId'],
  ])
})

test('reports a missing permission for the whole mutation instead of input errors', async () => {
  const subscriber = await app.signIn('subscriber')
  expect(await errorPathsOf('create', 'event', { ...party, title: blank }, subscriber)).toEqual(['FORBIDDEN'])
})

test('reports all errors of a credential', async () => {
  const query = `mutation ($input: CreateApiTokenInput!) {
    createApiToken(input: $input) { userErrors { code path } } }`
  const input = { name: '', userId: none, expiresAt: '2020-01-01T00:00:00Z' }
  const { body } = await admin.graphql(query, { input })
  expect(body.data.createApiToken.userErrors).toEqual(
    ['name', 'expiresAt', 'userId'].map((field) => ({ code: 'BAD_INPUT', path: [field] })),
  )
})
