// Concurrent writes. The embedded database executes them one after the other, a server concurrently.
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest'
import type { Tx } from '../../src/engine/postgres/client.ts'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag, makeVenue } from '../helpers/make.ts'
import { brokenPaths } from '../helpers/tree.ts'
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

/** On the embedded database, as many as there are different changes of an event. */
const many = inject('server') ? 32 : 16
/** On a busy machine a write may wait too long for a connection. It was not committed then, and is sent again. */
const untilAvailable = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!String(error).includes('"code":"UNAVAILABLE"')) throw error
    }
  }
}
const atOnce = <T>(act: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: many }, (_, n) => untilAvailable(() => act(n))))
const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n)

test('concurrent events with the same title get different slugs', async () => {
  const createdRecords = await atOnce(() => write(admin, 'create', 'event', party, 'slug'))
  expect(createdRecords.flatMap(({ errors }) => errors)).toEqual([])
  const slugs = createdRecords.map(({ record }) => record?.slug)
  expect(new Set(slugs)).toEqual(new Set(['party', ...numbers(2, many).map((n) => `party-${n}`)]))
})

test('concurrent events with the same new terms share them', async () => {
  const names = ['Music', 'Jazz', 'Dance', 'Talk']
  const rotated = (n: number) => names.map((_, index) => ({ nameOrSlug: names[(index + n) % names.length] }))
  const createdRecords = await atOnce((n) =>
    write(admin, 'create', 'event', { ...party, categories: rotated(n), tags: rotated(n + 1) }),
  )
  expect(createdRecords.flatMap(({ errors }) => errors)).toEqual([])
  expect([await app.db.category.count(), await app.db.tag.count()]).toEqual([4, 4])
  expect([await app.db.eventCategory.count(), await app.db.eventTag.count()]).toEqual([many * 4, many * 4])
})

test.each(['category', 'tag'] as const)(
  'one of several concurrent %s mutations with the same name succeeds, the others get its ID',
  async (kind) => {
    const createdRecords = await atOnce(() => write(admin, 'create', kind, { name: 'Music' }))
    expect(createdRecords.filter(({ record }) => record !== null)).toHaveLength(1)
    expect(createdRecords.flatMap(({ errors }) => errors)).toEqual(Array(many - 1).fill('TERM_EXISTS'))
  },
)

test.each(['venue', 'organizer'] as const)('concurrent requests with the same name create one %s', async (kind) => {
  const ids = await atOnce((n) => written(admin, 'create', kind, { name: n % 2 ? 'Hall' : 'HALL', orExisting: true }))
  expect(new Set(ids).size).toBe(1)
  const events = await atOnce(() =>
    write(admin, 'create', 'event', { ...party, [`${kind}s`]: [{ create: { name: 'hall', orExisting: true } }] }),
  )
  expect(events.flatMap(({ errors }) => errors)).toEqual([])
  expect(await app.db[kind as 'venue'].count()).toBe(1)
})

test('concurrent changes of one event are all stored', async () => {
  const id = await makeEvent(app.db, 'Party')
  const changes: Record<string, unknown>[] = [
    { title: 'Changed' },
    { description: 'Text' },
    { excerpt: 'Short' },
    { translations: [{ language: 'FR', name: 'Fête' }] },
    { translations: [{ language: 'ES', name: 'Fiesta' }] },
    { translations: [{ language: 'FR', description: 'Texte' }] },
    { featured: true },
    { sticky: true },
    { showMap: true },
    { website: 'https://example.org/' },
    { cost: ['5'] },
    { tags: [{ nameOrSlug: 'one' }] },
    { categories: [{ nameOrSlug: 'two' }] },
    { venues: [{ create: { name: 'Hall' } }] },
    { organizers: [{ create: { name: 'Club' } }] },
    { tickets: [{ name: 'A', price: '1', currency: 'EUR' }] },
  ]
  const createdRecords = await atOnce((n) => write(admin, 'update', 'event', { id, ...changes[n % changes.length] }))
  expect(createdRecords.flatMap(({ errors }) => errors)).toEqual([])
  const event = await read(
    admin,
    'event',
    id,
    `title description excerpt featured sticky showMap website cost { text } tags { name } categories { name }
     venues { name } organizers { name } tickets { name } translations { language name description }`,
  )
  const names = (name: string) => [expect.objectContaining({ name })]
  expect(event).toMatchObject({
    ...{ title: 'Changed', description: 'Text', excerpt: 'Short', featured: true, sticky: true, showMap: true },
    ...{ website: 'https://example.org/', cost: { text: '$5' }, tags: names('one'), categories: names('two') },
    ...{ venues: names('Hall'), organizers: names('Club'), tickets: names('A') },
    translations: [
      { language: 'EN', name: 'Changed' },
      { language: 'ES', name: 'Fiesta', description: null },
      { language: 'FR', name: 'Fête', description: 'Texte' },
    ],
  })
})

test('ifUnmodifiedSince lets one of several concurrent changes succeed', async () => {
  const id = await makeEvent(app.db, 'Party')
  const { modifiedAt } = await read(admin, 'event', id, 'modifiedAt')
  const createdRecords = await atOnce((n) => {
    const input = { id, title: `Changed by ${n}`, ifUnmodifiedSince: modifiedAt }
    return write(admin, 'update', 'event', input, 'title')
  })
  const done = createdRecords.filter(({ record }) => record !== null)
  expect(done).toHaveLength(1)
  expect(createdRecords.flatMap(({ errors }) => errors)).toEqual(Array(many - 1).fill('CONFLICT'))
})

test('ifUnmodifiedSince works for versions of the current millisecond', async () => {
  const id = await written(admin, 'create', 'event', party)
  const { modifiedAt } = await read(admin, 'event', id, 'modifiedAt')
  const createdRecords = await atOnce((n) =>
    write(admin, 'update', 'event', { id, title: `Changed by ${n}`, ifUnmodifiedSince: modifiedAt }),
  )
  expect(createdRecords.filter(({ record }) => record !== null)).toHaveLength(1)
})

test('concurrent moves of categories keep a tree', async () => {
  const ids: number[] = []
  for (const n of numbers(1, 12)) ids.push(await makeCategory(app.db, `C${n}`))
  for (const round of [1, 5, 7]) {
    const createdRecords = await atOnce((n) => {
      const [id, parentId] = [ids[n % 12], ids[(n * round + 1) % 12]]
      return n % 8 === 7
        ? write(admin, 'create', 'category', { name: `New ${round} ${n}`, parentId })
        : write(admin, 'update', 'category', { id, parentId })
    })
    const errors = createdRecords.flatMap((each) => each.errors)
    expect(errors.filter((error) => error !== 'BAD_INPUT parentId')).toEqual([])
    expect(await brokenPaths(app.db)).toEqual([])
  }
})

test('concurrent changes of parents never form a cycle', async () => {
  const ids: number[] = []
  for (const n of numbers(1, 8)) ids.push(await makeEvent(app.db, `E${n}`))
  const createdRecords = await atOnce((n) =>
    write(admin, 'update', 'event', { id: ids[n % 8], parentId: ids[(n * 3 + 1) % 8] }),
  )
  expect(createdRecords.flatMap(({ errors }) => errors).filter((error) => error !== 'BAD_INPUT parentId')).toEqual([])
  const rows = await app.db.event.findMany({ select: { id: true, parentId: true } })
  const parents = new Map(rows.map((row) => [row.id, row.parentId]))
  for (const id of ids) {
    let [above, steps] = [parents.get(id) ?? null, 0]
    for (; above !== null && steps < 20; steps += 1) above = parents.get(above) ?? null
    expect(steps).toBeLessThan(20)
  }
})

test('a record that is deleted while it is linked is either linked or reported as missing', async () => {
  const venue = await makeVenue(app.db, 'Hall')
  const [category, tag] = [await makeCategory(app.db, 'Music'), await makeTag(app.db, 'new')]
  const createdRecords = await atOnce((n) => {
    if (n === 9) return write(admin, 'delete', 'venue', { id: venue })
    if (n === 10) return write(admin, 'delete', 'category', { id: category })
    if (n === 11) return write(admin, 'delete', 'tag', { id: tag })
    const links = { venues: [{ id: venue }], categories: [{ id: category }], tags: [{ id: tag }] }
    return write(admin, 'create', 'event', { ...party, ...links })
  })
  const errors = createdRecords.flatMap((each) => each.errors)
  expect(errors.filter((error) => !error.startsWith('BAD_INPUT'))).toEqual([])
  const created = createdRecords.filter(({ record }, n) => record !== null && (n < 9 || n > 11))
  expect([await app.db.event.count(), await app.db.eventSlug.count()]).toEqual([created.length, created.length])
})

const waitsForEvents = (tx: Tx) => tx.$queryRaw<unknown[]>`
  SELECT FROM pg_locks WHERE NOT granted AND relation = 'event'::regclass
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`

// The embedded database has one connection, so that transactions never overlap.
test.runIf(inject('server'))('a tag that is deleted after an event looked it up is reported as missing', async () => {
  const id = await makeTag(app.db, 'new')
  let writing: ReturnType<typeof write> | undefined
  await app.db.$transaction(
    async (tx) => {
      await tx.$executeRaw`LOCK TABLE event IN EXCLUSIVE MODE`
      writing = write(admin, 'create', 'event', { ...party, tags: [{ id }] })
      while ((await waitsForEvents(tx)).length === 0) await setTimeout(10)
      await tx.tag.delete({ where: { id } })
    },
    { timeout: 60_000 },
  )
  expect((await writing)?.errors).toEqual(['BAD_INPUT tags'])
  expect(await app.db.event.count()).toBe(0)
})
