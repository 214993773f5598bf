// Several updates with one field each, in any order, have the same result as one update with all fields.
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { makeEvent, makeOrganizer, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'
import { party, read, write, written } from '../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>
const ids = { venue: 0, organizer: 0, parent: 0 }

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
  const { db } = app
  ids.venue = await makeVenue(db, 'Hall')
  ids.organizer = await makeOrganizer(db, 'Club')
  ids.parent = await makeEvent(db, 'Festival')
})
afterAll(() => app?.close())

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const empty = fc.constantFrom(undefined, null)
const some = <T>(values: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: values }, { weight: 1, arbitrary: empty })
const flag = some(fc.boolean())
/** Fields that interact: set together they have another meaning than one by one. */
const schedule = fc.record(
  {
    startsLocal: fc.constantFrom('2026-12-24T10:00:00', '2026-12-24T02:30:00'),
    endsLocal: fc.constantFrom('2026-12-24T23:00:00', '2026-12-26T01:00:00'),
    timeZone: fc.constantFrom('Europe/Paris', 'Asia/Tokyo', 'UTC-3'),
  },
  { requiredKeys: [] },
)
const changes = fc.record(
  {
    title: word,
    description: some(word),
    excerpt: some(word),
    website: some(fc.constantFrom('', 'https://example.org/')),
    cost: some(fc.array(fc.constantFrom('1', '2', 'Free'), { maxLength: 2 })),
    attendanceMode: some(fc.constantFrom('OFFLINE', 'ONLINE', 'MIXED')),
    onlineUrl: some(fc.constantFrom('', 'https://example.org/room')),
    showMap: flag,
    hideFromListings: flag,
    sticky: flag,
    featured: flag,
    status: some(fc.constantFrom('PUBLISHED', 'PRIVATE')),
    parentId: some(fc.constant('parent')),
    venues: fc.constantFrom([], ['venue']),
    organizers: fc.constantFrom([], ['organizer']),
    tags: fc.array(word, { maxLength: 2 }),
    tickets: fc.array(word, { maxLength: 2 }),
    translations: fc.array(fc.record({ language: fc.constantFrom('FR', 'ES'), description: word }), { maxLength: 1 }),
    schedule,
  },
  { requiredKeys: [] },
)

type Change = Readonly<Record<string, unknown>>

/** The generated values as a mutation input. */
function toInput({ schedule: moved, ...fields }: Change): Change {
  const { parentId, venues, organizers, tags, tickets } = fields as Record<string, string[] | undefined>
  const link = (name: string) => ({ id: ids[name as keyof typeof ids] })
  return {
    ...fields,
    ...(moved as Change | undefined),
    ...(parentId ? { parentId: ids.parent } : {}),
    ...(venues ? { venues: venues.map(link) } : {}),
    ...(organizers ? { organizers: organizers.map(link) } : {}),
    ...(tags ? { tags: tags.map((nameOrSlug) => ({ nameOrSlug })) } : {}),
    ...(tickets ? { tickets: tickets.map((name) => ({ name, price: '1', currency: 'EUR' })) } : {}),
  }
}

const selection = `title description excerpt website cost { text values } costEntries attendanceMode onlineUrl
  showMap showMapLink hideFromListings sticky featured status parent { databaseId } venues { name } organizers { name } tags { name } tickets { name } timeZone
  startsLocal endsLocal startsAt endsAt allDay publishedAt translations { language name description }`

test('several GraphQL updates have the same result as one', async () => {
  await fc.assert(
    fc.asyncProperty(changes, fc.infiniteStream(fc.nat(2)), fc.boolean(), async (change, parts, backwards) => {
      const start = { ...party, timeZone: 'Europe/Paris', description: 'Before', cost: ['9'], featured: true }
      const [whole, split] = [
        await written(admin, 'create', 'event', start),
        await written(admin, 'create', 'event', start),
      ]
      const update = async (id: number, fields: Change) =>
        expect((await write(admin, 'update', 'event', { id, ...toInput(fields) })).errors).toEqual([])
      await update(whole, change)
      const groups = Object.groupBy(Object.entries(change), () => String(parts.next().value))
      const inOrder = Object.values(groups)
      for (const group of backwards ? inOrder.reverse() : inOrder) await update(split, Object.fromEntries(group ?? []))
      expect(await read(admin, 'event', split, selection)).toEqual(await read(admin, 'event', whole, selection))
    }),
    { numRuns: runs(30, 5) },
  )
})

const legacy = fc.record(
  {
    title: word,
    description: word,
    excerpt: word,
    cost: fc.constantFrom('5', '$7'),
    is_virtual: fc.boolean(),
    virtual_url: fc.constantFrom('', 'https://example.org/room'),
    website: fc.constantFrom('', 'https://example.org/'),
    featured: fc.boolean(),
    sticky: fc.boolean(),
    show_map: fc.boolean(),
    hide_from_listings: fc.boolean(),
    all_day: fc.boolean(),
    timezone: fc.constantFrom('Europe/Paris', 'Asia/Tokyo', 'UTC-3'),
    start_date: fc.constantFrom('2026-12-24 10:00:00', '2026-12-23 02:30:00'),
    tags: word,
    venue: fc.constantFrom('', 'venue'),
    organizer: fc.constantFrom('', 'organizer'),
  },
  { requiredKeys: [] },
)

test('several REST updates have the same result as one', async () => {
  const base = '/cal/events/v1/events'
  const numbered = (change: Change) =>
    Object.fromEntries(Object.entries(change).map(([key, value]) => [key, ids[value as keyof typeof ids] ?? value]))
  await fc.assert(
    fc.asyncProperty(legacy, fc.infiniteStream(fc.nat(2)), async (change, parts) => {
      const start = { ...party, timeZone: 'Europe/Paris' }
      const [whole, split] = [
        await written(admin, 'create', 'event', start),
        await written(admin, 'create', 'event', start),
      ]
      const put = async (id: number, payload: Change) => {
        const { status } = await admin.get(`${base}/${id}`, { method: 'PUT', payload: numbered(payload) })
        expect(status).toBe(200)
      }
      await put(whole, change)
      const groups = Object.groupBy(Object.entries(change), () => String(parts.next().value))
      for (const group of Object.values(groups)) await put(split, Object.fromEntries(group ?? []))
      expect(await read(admin, 'event', split, selection)).toEqual(await read(admin, 'event', whole, selection))
    }),
    { numRuns: runs(25, 5) },
  )
})
