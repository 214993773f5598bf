// Whatever is written and however time goes: an instance with memory answers as one without.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Doors, now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'

const ns = '/cal/events/v1'
const kinds = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
const ids: Record<(typeof kinds)[number], number[]> = {
  events: [],
  venues: [],
  organizers: [],
  categories: [],
  tags: [],
}
let app: TestApp
let plain: TestApp
let editor: Doors

beforeAll(async () => {
  app = await openTestApp()
  plain = await serve(app, { CACHE_BYTES: '0' })
  editor = await app.signIn('administrator')
  const { db } = app
  for (const n of [1, 2, 3]) {
    ids.venues.push(
      await makeVenue(db, `Venue ${n}`, { imageId: await makeImage(db, `https://images.test/v${n}.jpg`) }),
    )
    ids.organizers.push(await makeOrganizer(db, `Organizer ${n}`))
    ids.categories.push(await makeCategory(db, `Category ${n}`, ids.categories.at(-1) ?? null))
    ids.tags.push(await makeTag(db, `tag${n}`))
    const links = {
      venueIds: [...ids.venues],
      organizerIds: [...ids.organizers],
      categoryIds: [...ids.categories],
      tagIds: [...ids.tags],
    }
    ids.events.push(await makeEvent(db, `Event ${n}`, { ...links, start: `2026-11-2${n}T13:00:00` }))
  }
})
afterAll(() => app?.close())

const record = 'databaseId name url'
const event = `databaseId title url status author { databaseId name } image { databaseId url }
  venues { ${record} image { databaseId url } } organizers { ${record} }
  categories { ${record} count parent { ${record} } } tags { ${record} count }`

const queries: readonly string[] = [
  `{ events { totalCount nodes { ${event} parent { title } children { title } } } }`,
  '{ events(filter: { when: PAST }) { totalCount } }',
  '{ events(filter: { categories: ["category-1"] }) { totalCount } }',
  '{ events(filter: { located: false }) { totalCount } }',
  '{ venues(filter: { onlyWithUpcoming: true }) { nodes { name events { title } } } }',
  '{ venues(filter: { hasEvents: false }) { totalCount nodes { name } } }',
  '{ organizersPage { total } }',
  '{ categories { nodes { name count events { title } children { name } } } }',
  '{ tagsPage(filter: { hideEmpty: true }) { items { name count } } }',
  '{ tagsPage(orderBy: { field: COUNT }) { items { name } } }',
]

/** Everything that is asked after each step. */
const questions = (): ((doors: Doors) => Promise<{ status: number; body: unknown }>)[] => [
  ...kinds.flatMap((kind) => [
    (doors: Doors) => doors.get(`${ns}/${kind}`),
    (doors: Doors) => doors.get(`/fr${ns}/${kind}?per_page=2`),
    ...ids[kind].map((id) => (doors: Doors) => doors.get(`${ns}/${kind}/${id}`)),
  ]),
  (doors) => doors.get(`${ns}/venues?only_with_upcoming=1`),
  (doors) => doors.get(`${ns}/categories?hide_empty=1`),
  (doors) => doors.get(`${ns}/events?categories=${ids.categories[0]}`),
  ...queries.map((query) => (doors: Doors) => doors.graphql(query)),
  ...ids.events.map((id) => (doors: Doors) => doors.graphql(`{ event(id: ${id}) { ${event} } }`)),
  ...ids.venues.map((id) => (doors: Doors) => doors.graphql(`{ venue(id: ${id}) { ${record} locked } }`)),
]

const post = (kind: string, id: number, fields: object) => editor.send('POST', `${ns}/${kind}/${id}`, fields)
const one = (kind: (typeof kinds)[number]) => fc.constantFrom(0, 1, 2).map((place) => () => ids[kind][place] ?? 0)
const some = (kind: (typeof kinds)[number]) =>
  fc.subarray([0, 1, 2]).map((places) => () => places.map((at) => ids[kind][at] ?? 0))
const word = fc.stringMatching(/^[a-z]{1,8}$/)
const status = fc.constantFrom('publish', 'draft', 'private', 'pending')
const minutes = fc.integer({ min: -120, max: 600 })
const later = (base: Date, more: number) => new Date(base.getTime() + more * 60_000)

type Step = () => Promise<unknown>

const steps: fc.Arbitrary<Step> = fc.oneof(
  ...(['venues', 'organizers'] as const).map((kind) =>
    fc.tuple(one(kind), word, status).map(
      ([id, name, to]) =>
        () =>
          post(kind, id(), { [kind.slice(0, -1)]: name, status: to }),
    ),
  ),
  ...(['categories', 'tags'] as const).map((kind) =>
    fc.tuple(one(kind), word).map(
      ([id, slug]) =>
        () =>
          post(kind, id(), { slug: `${kind}-${slug}` }),
    ),
  ),
  fc.tuple(one('events'), word, status).map(
    ([id, title, to]) =>
      () =>
        post('events', id(), { title, status: to }),
  ),
  fc
    .tuple(one('events'), some('venues'), some('organizers'), some('categories'), some('tags'))
    .map(([id, venue, organizer, categories, tags]) => () => {
      const links = { venue: venue(), organizer: organizer(), categories: categories(), tags: tags() }
      return post('events', id(), links)
    }),
  fc.tuple(one('categories'), one('categories')).map(
    ([id, parent]) =>
      () =>
        post('categories', id(), { parent: parent() }),
  ),
  // As another program would, past the service.
  fc.tuple(fc.constantFrom('event', 'venue', 'organizer'), minutes).map(([table, more]) => async () => {
    const at = later(app.clock.now, more)
    await app.db.$executeRawUnsafe(`UPDATE ${table} SET published_at = $1 WHERE id % 2 = 0`, at)
  }),
  fc.tuple(one('events'), minutes).map(([id, more]) => async () => {
    const startsAt = later(app.clock.now, more)
    await app.db.event.update({ where: { id: id() }, data: { startsAt, endsAt: later(startsAt, 60) } })
  }),
  fc.tuple(one('venues'), fc.constantFrom(null, 'key')).map(([id, passwordKey]) => async () => {
    await app.db.venue.update({ where: { id: id() }, data: { passwordKey } })
  }),
  fc.tuple(one('events'), fc.constantFrom(null, 'key')).map(([id, passwordKey]) => async () => {
    await app.db.event.update({ where: { id: id() }, data: { passwordKey } })
  }),
  fc.tuple(one('events'), one('events')).map(([id, parent]) => async () => {
    const parentId = parent() === id() ? null : parent()
    await app.db.event.update({ where: { id: id() }, data: { parentId } })
  }),
  fc.constant(async () => {
    await app.db.image.updateMany({ data: { width: { increment: 1 } } })
  }),
  fc.tuple(one('events'), word).map(([id, name]) => async () => {
    const login = `${name}${Math.random()}`
    const { id: authorId } = await app.db.user.create({ data: { login, name, role: 'author' } })
    await app.db.event.update({ where: { id: id() }, data: { authorId } })
  }),
  fc.constant(async () => {
    await app.db.user.updateMany({ data: { name: 'Renamed' } })
  }),
  fc.constant(async () => {
    await app.db.user.deleteMany({ where: { role: 'author' } })
  }),
  fc.integer({ min: 1, max: 600 }).map((more) => async () => {
    app.clock.now = later(app.clock.now, more)
  }),
)

test('memory tells what the database tells', { timeout: 300_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 8 }), async (sequence) => {
      app.clock.now = now
      for (const step of sequence) {
        for (const ask of questions()) await ask(app)
        await step()
        plain.clock.now = app.clock.now
        for (const ask of questions()) {
          const [kept, read] = [await ask(app), await ask(plain)]
          expect({ status: kept.status, body: kept.body }).toEqual({ status: read.status, body: read.body })
        }
      }
    }),
    { numRuns: Number(process.env.TRUTH_RUNS ?? 8) },
  )
  expect(app.cache.state().hits).toBeGreaterThan(app.cache.state().misses / 2)
})
