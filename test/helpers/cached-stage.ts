// An instance with a response cache and one without, on one database with records for every edge case.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import { createSchema } from '../../src/schema.ts'
import { compared, now, openTestApp, serve, type TestApp } from './app.ts'
import type { NamedRequest } from './cached-compare.ts'
import { type Content, readContent } from './cached-content.ts'
import { graphqlRequests } from './cached-operations.ts'
import { pageRequests, restRequests } from './cached-requests.ts'
import { makeEvent, makeImage, makeOrganizer, makeSeries, makeVenue } from './make.ts'
import type { World } from './oracle-facts.ts'
import { password, saveWorld } from './oracle-save.ts'
import { makeUser } from './users.ts'

const env = { SITE_TIMEZONE: 'America/New_York', PER_PAGE_MAX: '100' }
export const languages = ['en', 'fr', 'es']
export const schema = createSchema(languages)

export interface Stage {
  readonly cached: TestApp
  readonly plain: TestApp
  readonly world: World
  readContent(): Promise<Content>
  setClock(time: number): void
}

export async function openCachedStage(): Promise<Stage> {
  const cached = await openTestApp({ ...env, ...compared })
  const plain = await serve(cached, { ...env, CACHE_BYTES: '0', ...compared })
  const { world } = await saveWorld(cached)
  await addEdges(cached)
  return {
    ...{ cached: cached, plain, world },
    readContent: () => readContent(cached, world),
    setClock(time) {
      cached.clock.now = plain.clock.now = new Date(time)
    },
  }
}

/** Adds records that the oracle's model may lack: images, trashed records, locked venues and organizers, past events with several parts. */
async function addEdges({ db, site }: TestApp): Promise<void> {
  const key = await hashRecordPassword(password, site.passwordSalt)
  for (const links of [
    { venueIds: [await makeVenue(db, 'Closed hall')], organizerIds: [await makeOrganizer(db, 'Retired club')] },
    {
      venueIds: [await makeVenue(db, 'Locked hall', { passwordKey: key })],
      organizerIds: [await makeOrganizer(db, 'Locked club', { passwordKey: key })],
    },
  ]) {
    const parentId = await makeEvent(db, 'Long ago', { start: '2026-03-01T19:00:00', ...links })
    for (const start of ['2026-03-01T20:00:00', '2026-03-02T20:00:00']) await makeEvent(db, 'Part', { start, parentId })
  }
  for (const name of ['Bin', 'Basket']) {
    const trashed = { status: 'trash', trashedFrom: 'publish' } as const
    for (const make of [makeEvent, makeVenue, makeOrganizer]) await make(db, name, trashed)
  }
  for (const name of ['Course', 'Choir'])
    await makeSeries(db, name, { days: ['2026-11-20', '2026-12-10', '2026-12-17'] })
  for (const name of ['one', 'two', 'three']) await makeImage(db, `https://images.test/${name}.jpg`)
  await db.imageText.updateMany({ where: { title: 'one' }, data: { altText: 'One' } })
  for (const table of ['event', 'venue', 'organizer']) {
    await db.$executeRawUnsafe(`UPDATE ${table} SET image_id = (SELECT max(id) - ${table}.id % 3 FROM image)`)
  }
}

/**
 * All requests: each argument, field and parameter once, with random values. Lists by cursor and lists by page have the same
 * filters and orders, so one of both is requested.
 */
export function requestsOf(content: Content): fc.Arbitrary<NamedRequest>[] {
  const { coordinates, fields } = graphqlRequests(schema, content)
  const alike = Map.groupBy(coordinates, ({ name }) => name.replace('Page(', '('))
  const chosen = [...alike.values()].map((some) => fc.oneof(...some.map(({ request }) => request)))
  const others = restRequests(content, languages).map(({ request }) => request)
  return [...chosen, ...others, ...fields, ...pageRequests(content)]
}

export type Draw = <Value>(values: fc.Arbitrary<Value>) => Value

/** Returns the same values for the same seed. */
export function drawingFrom(seed: number): Draw {
  let drawn = 0
  return <Value>(values: fc.Arbitrary<Value>): Value => {
    drawn += 1
    const [value] = fc.sample(values, { numRuns: 1, seed: seed + drawn })
    return value as Value
  }
}

const [second, day] = [1000, 86_400_000]

/** Makes half of all records visible again, and adds images and users if few are left, because each pass deletes some. */
export async function revive({ cached, readContent }: Stage): Promise<void> {
  const { ids } = await readContent()
  for (let count = ids.image?.length ?? 0; count < 5; count += 1) {
    await makeImage(cached.db, `https://images.test/${randomUUID()}.jpg`)
  }
  for (let count = ids.user?.length ?? 0; count < 5; count += 1) await makeUser(cached.db, 'author')
  for (const table of ['event', 'venue', 'organizer']) {
    await cached.db.$executeRawUnsafe(
      `UPDATE ${table} SET status = 'publish', published_at = $1, password_key = NULL WHERE id % 2 = 0 AND status <> 'trash'`,
      new Date(now.getTime() - 9 * day),
    )
  }
}

/** Removes other times at which responses expire, so that a test sees only the intended one. */
async function clearWindow({ db }: TestApp): Promise<void> {
  const bounds = [now, new Date(now.getTime() + 2 * day)]
  for (const column of ['starts_at = starts_at -', 'ends_at = ends_at +']) {
    const [name] = column.split(' ')
    await db.$executeRawUnsafe(
      `UPDATE event SET ${column} interval '5 days' WHERE ${name} BETWEEN $1 AND $2`,
      ...bounds,
    )
  }
  for (const table of ['event', 'venue', 'organizer']) {
    await db.$executeRawUnsafe(
      `UPDATE ${table} SET published_at = published_at + interval '5 days' WHERE published_at > $1 AND published_at <= $2`,
      ...bounds,
    )
  }
}

interface Moment {
  readonly name: string
  /** The first time at which responses differ. */
  readonly time: number
}

/** Moves records so that publication, start and end happen one at a time. Returns the times. */
export async function schedule({ cached }: Stage, { open }: Content, draw: Draw): Promise<Moment[]> {
  const { db } = cached
  await clearWindow(cached)
  const offsets = draw(fc.uniqueArray(fc.integer({ min: 60, max: 40_000 }), { minLength: 5, maxLength: 5 }))
  const times = offsets.map((seconds) => now.getTime() + seconds * second)
  const [event, venue, organizer, start, end] = times as [number, number, number, number, number]
  const events = draw(
    fc.shuffledSubarray(
      (open.event ?? []).filter(({ locked }) => !locked),
      { minLength: 3, maxLength: 3 },
    ),
  )
  const [published, starting, ending] = events.map(({ databaseId }) => databaseId)
  const one = (kind: string) => draw(fc.constantFrom(...(open[kind] ?? []))).databaseId
  const publish = (table: string, id: number | undefined, at: number) =>
    db.$executeRawUnsafe(`UPDATE ${table} SET published_at = $1 WHERE id = $2`, new Date(at), id)
  await publish('event', published, event)
  await publish('venue', one('venue'), venue)
  await publish('organizer', one('organizer'), organizer)
  const move = (id: number | undefined, from: number, to: number) =>
    db.event.update({ where: { id: id ?? 0 }, data: { startsAt: new Date(from), endsAt: new Date(to) } })
  await move(starting, start, start + 9 * day)
  await move(ending, end - 9 * day, end)
  for (const [kind, columns, values] of [
    ['venue', ', position', ', 9'],
    ['organizer', ', position', ', 9'],
    ['category', '', ''],
    ['tag', '', ''],
  ] as const) {
    await db.$executeRawUnsafe(
      `INSERT INTO content_${kind} (content_id, ${kind}_id${columns})
        SELECT content_id, $2::int${values} FROM event WHERE id IN ($1::int, $3::int) ON CONFLICT DO NOTHING`,
      ...[starting, one(kind), ending],
    )
  }
  return [
    { name: 'an event is published', time: event },
    { name: 'a venue is published', time: venue },
    { name: 'an organizer is published', time: organizer },
    { name: 'an event has started', time: start + 1 },
    { name: 'an event is over', time: end + 1 },
    { name: 'midnight in UTC', time: Date.UTC(2026, 10, 22) },
    { name: 'midnight in New York', time: Date.UTC(2026, 10, 22, 5) },
  ].sort((one, other) => one.time - other.time)
}
