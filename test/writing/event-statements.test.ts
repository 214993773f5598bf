// The number of statements of a new event, and that it is written completely or not at all.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { party, read, write, written } from '../helpers/write.ts'

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

const isWriting = (sql: string) => /INSERT|UPDATE|DELETE|BEGIN|COMMIT/.test(sql)

/** The statements of a request up to the last write. */
async function statementsOf(ask: () => Promise<unknown>): Promise<string[]> {
  app.statements.length = 0
  await ask()
  return app.statements.slice(0, app.statements.findLastIndex(isWriting) + 1)
}

async function links() {
  const [venue, organizer] = [await makeVenue(app.db, 'Hall'), await makeOrganizer(app.db, 'Club')]
  const [category, tag] = [await makeCategory(app.db, 'Music'), await makeTag(app.db, 'jazz')]
  return { venue, organizer, category, tag }
}

test('a new event with existing records takes one lookup and two inserts in one transaction', async () => {
  const { venue, organizer, category, tag } = await links()
  const input = {
    ...{ ...party, venues: [{ id: venue }], organizers: [{ id: organizer }] },
    ...{ categories: [{ id: category }], tags: [{ id: tag }] },
  }
  await written(admin, 'create', 'event', input)
  const byGraphql = await statementsOf(() => written(admin, 'create', 'event', { ...input, title: 'Other' }))
  const start = { start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
  const body = { title: 'By REST', ...start, venue, organizer, categories: [category], tags: [tag] }
  const byRest = await statementsOf(async () => {
    // An ETag would identify this response, not the record.
    expect((await admin.send('POST', '/cal/events/v1/events', body)).headers.etag).toBeUndefined()
  })
  for (const statements of [byGraphql, byRest]) {
    expect(statements).toEqual([
      expect.stringContaining('"credential"'),
      expect.stringContaining('calendar.actor'),
      expect.stringContaining(' UNION ALL '),
      expect.stringContaining('INSERT INTO "public"."event"'),
      expect.stringMatching(
        /content_venue.*content_organizer.*content_category.*content_tag.*content_slug.*content_text/s,
      ),
      'COMMIT',
    ])
  }
  // The response is read with all linked records, including counts of terms.
  expect(app.statements).toHaveLength(7)
})

test('an update writes texts only if they change', async () => {
  const id = await written(admin, 'create', 'event', { ...party, translations: [{ language: 'FR', name: 'Fête' }] })
  const update = (input: object) => statementsOf(() => written(admin, 'update', 'event', { id, ...input }))
  const writesTexts = (statements: readonly string[]) =>
    statements.some((sql) => sql.includes('INSERT INTO content_text'))
  const same = { title: party.title, translations: [{ language: 'FR', name: 'Fête' }] }
  const later = { startsLocal: '2027-05-02T20:00:00', endsLocal: '2027-05-02T22:00:00' }
  for (const input of [later, same]) expect(writesTexts(await update(input))).toBe(false)
  for (const input of [{ title: 'Ball' }, { translations: [{ language: 'FR', name: null }] }, { slug: 'ball' }])
    expect(writesTexts(await update(input))).toBe(true)
})

test('terms that are named are found with one lookup for each kind, however many they are', async () => {
  const names = ['Jazz', 'Rock &amp; Roll', 'Soirée', 'Late', 'Free']
  const named = names.map((nameOrSlug) => ({ nameOrSlug }))
  const input = { ...party, categories: named, tags: [...named, { nameOrSlug: 'JAZZ' }] }
  const first = await written(admin, 'create', 'event', input)
  const statements = await statementsOf(() => written(admin, 'create', 'event', { ...input, title: 'Other' }))
  expect(statements.filter((sql) => /^\s*SELECT slug/.test(sql))).toEqual([
    expect.stringContaining('"category_slug"'),
    expect.stringContaining('"tag_slug"'),
  ])
  expect([await app.db.category.count(), await app.db.tag.count()]).toEqual([5, 5])
  const terms = 'categories { name } tags { name }'
  expect(await read(admin, 'event', first + 1, terms)).toEqual(await read(admin, 'event', first, terms))
})

test('a new event with a taken slug gets a suffix, and keeps the slugs of its other languages', async () => {
  await written(admin, 'create', 'event', party)
  const input = { ...party, translations: [{ language: 'FR', name: 'Fête' }] }
  const statements = await statementsOf(() => written(admin, 'create', 'event', input))
  expect(statements.filter((sql) => sql === 'COMMIT')).toHaveLength(1)
  const slugs = await app.db.eventSlug.findMany({ orderBy: { slug: 'asc' } })
  const [first = 0, second = 0] = (await app.db.event.findMany({ orderBy: { id: 'asc' } })).map(({ id }) => id)
  expect(slugs).toEqual([
    { slug: 'fete', eventId: second },
    { slug: 'party', eventId: first },
    { slug: 'party-2', eventId: second },
  ])
  expect(await app.db.eventText.count()).toBe(6)
  expect(await read(admin, 'event', second, 'slug')).toEqual({ slug: 'party-2' })
})

test('a new event and its new venues and terms are written in one transaction', async () => {
  const parts = { venues: [{ create: { name: 'Hall' } }], tags: [{ nameOrSlug: 'jazz' }] }
  const translations = [{ language: 'FR' }, { language: 'FR' }]
  const { errors } = await write(admin, 'create', 'event', { ...party, ...parts, translations })
  expect(errors).toEqual(['BAD_INPUT translations'])
  expect([await app.db.event.count(), await app.db.venue.count(), await app.db.tag.count()]).toEqual([0, 0, 0])
  await written(admin, 'create', 'event', { ...party, ...parts })
  expect([await app.db.event.count(), await app.db.venue.count(), await app.db.tag.count()]).toEqual([1, 1, 1])
})

test('a new event is linked to categories before tags, the lock order of all transactions', async () => {
  const { category, tag } = await links()
  const { db } = app
  await db.$executeRaw`CREATE TABLE linked (place serial, name text)`
  await db.$executeRaw`
    CREATE FUNCTION note_link() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO linked (name) VALUES (TG_TABLE_NAME); RETURN NEW; END'`
  try {
    for (const table of ['content_tag', 'content_category']) {
      await db.$executeRawUnsafe(`
        CREATE TRIGGER note_link BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION note_link()`)
    }
    const terms = { categories: [{ id: category }, { nameOrSlug: 'Food' }], tags: [{ id: tag }] }
    const id = await written(admin, 'create', 'event', { ...party, ...terms })
    await written(admin, 'update', 'event', { id, ...terms })
    const order = ['content_category', 'content_category', 'content_tag']
    const rows = await db.$queryRaw<{ name: string }[]>`SELECT name FROM linked ORDER BY place`
    expect(rows.map(({ name }) => name)).toEqual([...order, ...order])
  } finally {
    await db.$executeRaw`DROP FUNCTION note_link CASCADE`
    await db.$executeRaw`DROP TABLE linked`
  }
})
