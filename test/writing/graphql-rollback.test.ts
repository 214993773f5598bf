// A mutation is committed completely or not at all.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'
import { allRows, type Kind, party, write } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())
beforeEach(async () => {
  await truncate(app.db)
  admin = await app.signIn('administrator')
})

const organizers = (last: object) => [...Array.from({ length: 9 }, (_, n) => ({ create: { name: `O${n}` } })), last]
const links = {
  venues: [{ create: { name: 'New hall' } }],
  categories: [{ nameOrSlug: 'New category' }],
  tags: [{ nameOrSlug: 'new tag' }],
  tickets: [{ name: 'Adult', price: '10', currency: 'EUR' }],
}

describe.each<[string, object]>([
  ['unknown organizer', { id: 2_000_000_000 }],
  ['organizer without name', { create: { name: ' ' } }],
  ['organizer with a wrong website', { create: { name: 'x', website: 'nope' } }],
  ['organizer with an unknown image', { create: { name: 'x', imageId: 7777777 } }],
  [
    'organizer with two French texts',
    { create: { name: 'x', translations: [{ language: 'FR' }, { language: 'FR' }] } },
  ],
])('an invalid %s at the end of ten', (_, last) => {
  const errors = ['BAD_INPUT organizers']
  const input = { ...links, organizers: organizers(last), translations: [{ language: 'FR', name: 'Fête' }] }

  test('writes nothing of a new event', async () => {
    const before = await allRows(app)
    expect(await write(admin, 'create', 'event', { ...party, ...input })).toEqual({ record: null, errors })
    expect(await allRows(app)).toEqual(before)
  })

  test('leaves an updated event unchanged', async () => {
    const [venue, organizer] = [await makeVenue(app.db, 'Hall'), await makeOrganizer(app.db, 'Club')]
    const id = await makeEvent(app.db, 'Party', { venueIds: [venue], organizerIds: [organizer] })
    const before = await allRows(app)
    const change = { id, title: 'Changed', slug: 'changed', password: 'x', ...input }
    expect((await write(admin, 'update', 'event', change)).errors).toEqual(errors)
    expect(await allRows(app)).toEqual(before)
  })
})

/** Makes every insert into (or update or delete of) a table fail while `act` runs. */
async function failing(table: string, act: () => Promise<void>) {
  await app.db.$executeRawUnsafe(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'injected'; END $$`,
  )
  await app.db.$executeRawUnsafe(
    `CREATE TRIGGER fail BEFORE INSERT OR UPDATE OR DELETE ON "${table}" FOR EACH ROW EXECUTE FUNCTION fail()`,
  )
  try {
    await act()
  } finally {
    await app.db.$executeRawUnsafe('DROP FUNCTION fail CASCADE')
  }
}

const whole = { ...party, ...links, organizers: [{ create: { name: 'Club' } }] }

const writtenTables = [
  'event',
  'content_text',
  'content_slug',
  'venue',
  'venue_text',
  'content_venue',
  'organizer_slug',
  'content_organizer',
  'category_path',
  'content_category',
  'tag_text',
]

// An error at the last tables undoes the writes to all others.
test.each([...partOf(writtenTables, 3), 'content_tag', 'content_ticket'])(
  'a database error at %s writes nothing, and later writes succeed',
  async (table) => {
    const before = await allRows(app)
    const query = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { code } } }'
    await failing(table, async () => {
      const { body } = await admin.graphql(query, { input: whole })
      expect(body.errors).toEqual([expect.objectContaining({ extensions: { code: 'INTERNAL' } })])
    })
    expect(await allRows(app)).toEqual(before)
    const { errors } = await write(admin, 'create', 'event', whole)
    expect(errors).toEqual([])
  },
)

test.each<[string, (ids: { event: number; category: number }) => [Parameters<typeof write>[1], Kind, object]]>([
  ['content_slug', ({ event }) => ['trash', 'event', { id: event }]],
  ['content_text', ({ event }) => ['update', 'event', { id: event, title: 'Changed', featured: true }]],
  ['content_slug', ({ event }) => ['delete', 'event', { id: event }]],
  ['category_path', ({ category }) => ['update', 'category', { id: category, name: 'Changed', parentId: null }]],
  ['content_category', ({ category }) => ['delete', 'category', { id: category }]],
])('an update that fails at %s is rolled back', async (table, change) => {
  const top = await makeCategory(app.db, 'Top')
  const category = await makeCategory(app.db, 'Middle', top)
  await makeCategory(app.db, 'Low', category)
  const event = await makeEvent(app.db, 'Party', { categoryIds: [category] })
  const before = await allRows(app)
  const [verb, kind, input] = change({ event, category })
  await failing(table, async () => {
    await expect(write(admin, verb, kind, { ...input })).rejects.toThrow('INTERNAL')
  })
  expect(await allRows(app)).toEqual(before)
  expect((await write(admin, verb, kind, { ...input })).errors).toEqual([])
})
