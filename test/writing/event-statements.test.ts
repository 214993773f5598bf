// What a new event costs, and that all of it is there or nothing, with a transaction or without.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { inTransaction, NoTransaction, send, sendAlone, withoutTransaction } from '../../src/db/transaction.ts'
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

/** The statements of a request up to the last that writes. */
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

test('one that names what is there is stored by one statement, after two that look', async () => {
  const { venue, organizer, category, tag } = await links()
  const input = {
    ...{ ...party, venues: [{ id: venue }], organizers: [{ id: organizer }] },
    ...{ categories: [{ id: category }], tags: [{ id: tag }] },
  }
  await written(admin, 'create', 'event', input)
  expect(await statementsOf(() => written(admin, 'create', 'event', { ...input, title: 'Other' }))).toHaveLength(3)
  const start = { start_date: '2027-05-01 20:00:00', end_date: '2027-05-01 22:00:00' }
  const body = { title: 'By REST', ...start, venue, organizer, categories: [category], tags: [tag] }
  const statements = await statementsOf(async () => {
    // A tag would be that of this answer, not of the record.
    expect((await admin.send('POST', '/cal/events/v1/events', body)).headers.etag).toBeUndefined()
  })
  expect(statements).toHaveLength(3)
  expect(statements.filter(isWriting)).toHaveLength(1)
  // What is answered is read with all that hangs on it, counts of terms among that.
  expect(app.statements).toHaveLength(4)
})

test('one whose slug is taken takes a transaction, and leaves nothing of the first attempt', async () => {
  await written(admin, 'create', 'event', party)
  const input = { ...party, translations: [{ language: 'fr', name: 'Fête' }] }
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

test('one that brings its parts is stored with them, or nothing is', async () => {
  const parts = { venues: [{ create: { name: 'Hall' } }], tags: [{ named: 'jazz' }] }
  const { errors } = await write(admin, 'create', 'event', { ...party, ...parts, translations: [{ language: 'xx' }] })
  expect(errors).toEqual(['BAD_INPUT translations'])
  expect([await app.db.event.count(), await app.db.venue.count(), await app.db.tag.count()]).toEqual([0, 0, 0])
  await written(admin, 'create', 'event', { ...party, ...parts })
  expect([await app.db.event.count(), await app.db.venue.count(), await app.db.tag.count()]).toEqual([1, 1, 1])
})

const addTag = `INSERT INTO tag (original_language) VALUES ('en')`

test('outside a transaction only what needs none is allowed', async () => {
  const refused = [
    withoutTransaction(app.db, (tx) => send(tx, addTag, [])),
    withoutTransaction(app.db, async (tx) => tx.tag.count()),
    withoutTransaction(app.db, async (tx) => tx.$executeRawUnsafe(addTag)),
  ]
  for (const attempt of refused) await expect(attempt).rejects.toThrow(NoTransaction)
  expect(await app.db.tag.count()).toBe(0)
  const looked = await withoutTransaction(app.db, (tx) => sendAlone(tx, 'SELECT count(*)::int AS tags FROM tag', []))
  expect(looked).toEqual([{ tags: 0 }])
})

test('statements of our own are in the transaction, and in none once it has ended', async () => {
  let ended: Parameters<Parameters<typeof inTransaction>[1]>[0] | undefined
  const failed = inTransaction(app.db, async (tx) => {
    ended = tx
    await send(tx, addTag, [])
    expect(await tx.tag.count()).toBe(1)
    throw new Error('taken back')
  })
  await expect(failed).rejects.toThrow('taken back')
  expect(await app.db.tag.count()).toBe(0)
  await expect(ended && send(ended, addTag, [])).rejects.toThrow(/closed|Transaction/)
  await inTransaction(app.db, (tx) => send(tx, addTag, []))
  expect(await app.db.tag.count()).toBe(1)
})
