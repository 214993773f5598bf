// A client that follows `changes` has what a new read returns, and learns of no record that it could not see.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ApiClient, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate, waitForTransactions } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeImage, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { runs } from '../helpers/runs.ts'
import { changeDate, createSeries, datesOf, ruled, updateDate } from '../helpers/series.ts'

let app: TestApp

const document = `query ($after: String, $first: Int, $filter: ChangeFilter) {
  changes(after: $after, first: $first, filter: $filter) { token hasMore isSnapshot changes {
    type kind databaseId record {
      ... on Event { databaseId title status startsAt author { name } venues { name city } organizers { name }
        categories { name url } tags { name } image { url } }
      ... on Venue { databaseId name city status }
      ... on Organizer { databaseId name status }
      ... on Category { databaseId name count url }
      ... on Tag { databaseId name count } } } } }`

type Copy = Map<string, unknown>

interface Follower {
  readonly client: ApiClient
  readonly root: string
  readonly filter: object
  readonly copy: Copy
  readonly told: Set<string>
  token: string | null
}

const keysDocument = document.replace(/record \{.*\} \} \} \}$/s, '} } }')

/** Reads until there is nothing more. */
async function follow(follower: Follower, first = 7, query = document): Promise<void> {
  for (;;) {
    const variables = { after: follower.token, first, filter: follower.filter }
    const { body } = await follower.client.graphql(query, variables, follower.root)
    expect(body.errors).toBeUndefined()
    const { changes, token, hasMore } = body.data.changes
    for (const { type, kind, databaseId, record } of changes) {
      const key = `${kind} ${databaseId}`
      follower.told.add(key)
      if (type === 'CHANGED') follower.copy.set(key, record)
      else follower.copy.delete(key)
    }
    follower.token = token
    if (!hasMore) return
  }
}

const sorted = (copy: Copy) => [...copy].sort(([a], [b]) => (a < b ? -1 : 1))

async function freshCopy(follower: Follower, query = document): Promise<Follower> {
  const fresh = { ...follower, copy: new Map(), told: new Set<string>(), token: null }
  await follow(fresh, 50, query)
  return fresh
}

const filters = [
  {},
  { kinds: ['EVENT'], events: { categories: ['music'] } },
  { kinds: ['EVENT'], events: { when: 'UPCOMING' } },
  { kinds: ['EVENT', 'VENUE'], events: { search: 'jazz' }, venues: { hasEvents: true } },
  { kinds: ['EVENT'], events: { locked: false, search: 'nuit' } },
  { kinds: ['EVENT'], events: { cities: ['Gent'], not: { tags: ['late'] } } },
  { kinds: ['CATEGORY', 'TAG'], tags: { hideEmpty: true } },
]

const step = fc.record({ action: fc.nat(14), target: fc.nat(20), other: fc.nat(20), flag: fc.boolean() })

interface World {
  readonly authorId: number
  readonly events: number[]
  readonly venues: number[]
  readonly organizers: number[]
  readonly categories: number[]
  readonly tags: number[]
}

async function makeWorld(authorId: number): Promise<World> {
  const { db } = app
  const music = await makeCategory(db, 'Music')
  const world: World = {
    authorId,
    events: [],
    venues: [await makeVenue(db, 'Hall', { city: 'Gent' }), await makeVenue(db, 'Loft', { status: 'draft' })],
    organizers: [await makeOrganizer(db, 'Club'), await makeOrganizer(db, 'Secret', { status: 'private', authorId })],
    categories: [music, await makeCategory(db, 'Choirs', music)],
    tags: [await makeTag(db, 'late')],
  }
  const links = { venueIds: world.venues, organizerIds: world.organizers, categoryIds: [world.categories[1] ?? 0] }
  world.events.push(
    await makeEvent(db, { en: 'Jazz', fr: 'Le jazz' }, { ...links, imageId: await makeImage(db) }),
    await makeEvent(db, 'Draft', { ...links, status: 'draft', authorId }),
    await makeEvent(db, 'Soon', {
      ...links,
      publishedAt: new Date(now.getTime() + 3_600_000),
      start: '2026-11-21T14:00:00',
    }),
    await makeEvent(db, 'Unlisted', { ...links, hideFromListings: true }),
  )
  return world
}

const pick = (ids: readonly number[], index: number) => ids[index % Math.max(1, ids.length)] ?? 0

/** One write, or a step of the clock. Its target may be gone by then. */
async function act(
  world: World,
  editor: ApiClient,
  { action, target, other, flag }: typeof step extends fc.Arbitrary<infer Step> ? Step : never,
) {
  const { db } = app
  const event = pick(world.events, target)
  const run = (mutation: string, variables: object = {}) =>
    editor.graphql(`mutation ($id: ID!, $text: String!, $ids: [ID!]!) { ${mutation} { userErrors { message } } }`, {
      ...{ id: event, text: flag ? `Jazz ${other}` : `Talk ${other}`, ids: [pick(world.categories, other)] },
      ...variables,
    })
  switch (action) {
    case 0:
      world.events.push(
        await makeEvent(db, flag ? 'Jazz night' : { fr: 'Nuit' }, {
          ...{
            venueIds: [pick(world.venues, other)],
            categoryIds: [pick(world.categories, target)],
            tagIds: world.tags,
          },
          ...(flag ? {} : { status: 'draft', authorId: world.authorId }),
        }),
      )
      break
    case 1:
      await run(`updateEvent(input: { id: $id, title: $text })`)
      break
    case 2:
      await run(`updateEvent(input: { id: $id, status: ${flag ? 'DRAFT' : 'PUBLISHED'} })`)
      break
    case 3:
      await run(flag ? 'trashEvent(input: { id: $id })' : 'restoreEvent(input: { id: $id })')
      break
    case 4:
      await run('deleteEvent(input: { id: $id })')
      break
    case 5:
      await run(`updateEvent(input: { id: $id, categories: $ids, tags: [] })`)
      break
    case 6:
      await run('updateVenue(input: { id: $id, name: $text, city: "Gent" })', { id: pick(world.venues, target) })
      break
    case 7:
      await run(`updateVenue(input: { id: $id, status: ${flag ? 'DRAFT' : 'PUBLISHED'} })`, {
        id: pick(world.venues, target),
      })
      break
    case 8:
      await run('updateCategory(input: { id: $id, name: $text })', { id: pick(world.categories, target) })
      break
    case 9:
      await run(flag ? 'deleteOrganizer(input: { id: $id })' : 'trashOrganizer(input: { id: $id })', {
        id: pick(world.organizers, target),
      })
      break
    case 10:
      app.clock.now = new Date(app.clock.now.getTime() + (flag ? 3_600_000 : -1_800_000) * (1 + (other % 3)))
      break
    case 11:
      await run(`updateEvent(input: { id: $id, hideFromListings: ${flag} })`)
      break
    case 12:
      await db.event.updateMany({ where: { id: event }, data: { authorId: flag ? world.authorId : null } })
      break
    case 13:
      await db.user.updateMany({ where: { id: world.authorId }, data: { name: `Author ${other}` } })
      break
    case 14:
      await run(`updateEvent(input: { id: $id, password: "${flag ? `closed ${other % 2}` : ''}" })`)
  }
}

test.each(['on', 'off'])(
  'whatever is written, and whenever the clock moves, with LANGUAGE_FALLBACK=%s',
  async (fallback) => {
    app = await openTestApp({ LANGUAGE_FALLBACK: fallback })
    onTestFinished(() => app.close())
    let run = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        run += 1
        await truncate(app.db)
        app.clock.now = now
        const [editor, author] = [await app.signIn('editor'), await app.signIn('author')]
        const world = await makeWorld(author.id)
        const clients: readonly ApiClient[] = [app, editor, author]
        const followerOf = (client: ApiClient, filter: object): Follower => {
          return { client, root: client === author ? '/fr' : '', filter, copy: new Map(), told: new Set(), token: null }
        }
        // Every client follows everything, and a third of the other filters, another third in each run.
        const followers = clients.flatMap((client, number) =>
          filters
            .filter((_, index) => index === 0 || (index + number + run) % clients.length === 0)
            .map((filter) => followerOf(client, filter)),
        )
        const known = new Map(clients.map((client) => [client, new Set<string>()]))
        const learn = async () => {
          for (const client of clients) {
            const { copy } = await freshCopy(followerOf(client, {}), keysDocument)
            for (const key of copy.keys()) known.get(client)?.add(key)
          }
        }
        for (const follower of followers) await follow(follower)
        await learn()
        for (const round of rounds) {
          for (const each of round) {
            await act(world, editor, each)
            await learn()
          }
          await waitForTransactions(app.db)
          for (const follower of followers) {
            await follow(follower)
            const fresh = await freshCopy(follower)
            expect([follower.filter, sorted(follower.copy)]).toEqual([follower.filter, sorted(fresh.copy)])
            expect([...follower.told].filter((key) => !known.get(follower.client)?.has(key))).toEqual([])
          }
        }
      }),
      { numRuns: runs(15, 5) },
    )
  },
)

describe('tags of events that were unpublished after their tag was removed', () => {
  const publishedAt = new Date(now.getTime() + 3_600_000)
  test.each([
    ['because the clock was set back', 'future', ['tags: []'], now],
    ['as a draft', 'publish', ['tags: []', 'status: DRAFT'], publishedAt],
    ['as a deleted event', 'publish', ['tags: []', 'hideFromListings: true', undefined], publishedAt],
  ] as const)('%s', async (_how, status, updates, later) => {
    app = await openTestApp()
    onTestFinished(() => app.close())
    const editor = await app.signIn('editor')
    const tag = await makeTag(app.db, 'Late')
    const id = await makeEvent(app.db, 'Soon', { status, publishedAt, tagIds: [tag] })
    app.clock.now = publishedAt
    const filter = { kinds: ['TAG'] }
    const follower: Follower = { ...{ client: app, root: '', filter }, copy: new Map(), told: new Set(), token: null }
    await follow(follower)
    const countOf = () => (follower.copy.get(`TAG ${tag}`) as { count: number }).count
    expect(countOf()).toBe(1)
    app.clock.now = later
    for (const update of updates) {
      const mutation = update ? `updateEvent(input: { id: $id, ${update} })` : 'deleteEvent(input: { id: $id })'
      const { body } = await editor.graphql(`mutation ($id: ID!) { done: ${mutation} { userErrors { message } } }`, {
        id,
      })
      expect(body.data.done.userErrors).toEqual([])
    }
    await waitForTransactions(app.db)
    await follow(follower)
    expect(countOf()).toBe(0)
  })
})

describe('the categories and venues of a series whose last date was deleted', () => {
  test.each([
    ['alone', 1, 'THIS'],
    ['with all others', 3, 'ALL'],
    ['and that had become a series of its own', 3, 'FOLLOWING'],
  ] as const)('%s', async (_how, dates, scope) => {
    app = await openTestApp()
    onTestFinished(() => app.close())
    const editor = await app.signIn('editor')
    const [category, venue] = [await makeCategory(app.db, 'Sport'), await makeVenue(app.db, 'Hall')]
    const id = await createSeries(editor, {
      schedule: ruled('2026-12-01T18:00', `FREQ=WEEKLY;COUNT=${dates}`),
      categories: [{ id: category }],
      venues: [{ id: venue }],
      status: 'PUBLISHED',
    })
    const [first, ...others] = await datesOf(editor, id)
    const filter = { kinds: ['CATEGORY', 'VENUE'], venues: { hasEvents: true } }
    const follower: Follower = { ...{ client: app, root: '', filter }, copy: new Map(), told: new Set(), token: null }
    await follow(follower)
    expect([...follower.copy.values()]).toMatchObject([{ name: 'Hall' }, { count: dates }])
    if (scope === 'FOLLOWING') await updateDate(editor, scope, { id: others[0]?.id, title: 'Advanced' })
    for (const each of scope === 'FOLLOWING' ? [others[0], first] : [first])
      await changeDate(editor, 'delete', scope, { id: each?.id })
    await waitForTransactions(app.db)
    await follow(follower)
    expect([...follower.copy.values()]).toMatchObject([{ count: 0 }])
  })
})

test('an event that lists leave out, and that is deleted many changes later', async () => {
  app = await openTestApp()
  onTestFinished(() => app.close())
  const editor = await app.signIn('editor')
  const id = await makeEvent(app.db, 'Party')
  const follower: Follower = { ...{ client: app, root: '', filter: {} }, copy: new Map(), told: new Set(), token: null }
  await follow(follower)
  expect(follower.copy.has(`EVENT ${id}`)).toBe(true)
  const run = (mutation: string) =>
    editor.graphql(`mutation ($id: ID!) { ${mutation} { userErrors { message } } }`, { id })
  await run('updateEvent(input: { id: $id, hideFromListings: true })')
  for (let n = 0; n < 12; n += 1) {
    await app.db.tag.createMany({ data: Array.from({ length: 100 }, () => ({ originalLanguage: 'en' })) })
  }
  await run('deleteEvent(input: { id: $id })')
  await waitForTransactions(app.db)
  await follow(follower, 50)
  expect(follower.copy.has(`EVENT ${id}`)).toBe(false)
})

/** Runs `interrupt` after one of the statements that `read` sends, another one each time, until there are no more. */
async function interruptEachStatement(
  prepare: () => Promise<void>,
  read: () => Promise<void>,
  interrupt: () => Promise<void>,
  check: (statement: number) => Promise<void>,
) {
  const { pool } = app.database
  const send = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  let [at, sent] = [0, 0]
  do {
    at += 1
    sent = 0
    await prepare()
    pool.query = (async (...args: unknown[]) => {
      sent += 1
      const isInterrupted = sent === at
      const result = await send(...args)
      if (isInterrupted) await interrupt()
      return result
    }) as unknown as typeof pool.query
    await read()
    pool.query = send as typeof pool.query
    if (sent >= at) await check(at)
  } while (sent >= at)
  return at - 1
}

describe('an event that comes into a list while the list is read', () => {
  test.each([
    ['by its title', { search: 'jazz' }, 'Event', ['title: "Jazz"', 'title: "Talk"']],
    ['by the name of its place', { placeName: 'hall' }, 'Venue', ['name: "Hall"', 'name: "Loft"']],
    ['by its category', { categories: ['music'] }, 'Event', ['categories: [{ id: "music" }]', 'categories: []']],
  ] as const)('%s', async (_how, events, type, [entering, leaving]) => {
    app = await openTestApp()
    onTestFinished(() => app.close())
    const editor = await app.signIn('editor')
    await makeCategory(app.db, 'Music')
    const venue = await makeVenue(app.db, 'Loft')
    const event = await makeEvent(app.db, 'Talk', { venueIds: [venue] })
    const update = async (type: 'Event' | 'Venue', fields: string) => {
      const input = `{ id: ${type === 'Event' ? event : venue}, ${fields} }`
      const { body } = await editor.graphql(
        `mutation { done: update${type}(input: ${input}) { userErrors { message } } }`,
      )
      expect(body.data.done.userErrors).toEqual([])
      await waitForTransactions(app.db)
    }
    const filter = { kinds: ['EVENT'], events }
    for (const isFirst of [true, false]) {
      let follower: Follower
      let round = 0
      const prepare = async () => {
        await update(type, leaving)
        follower = { ...{ client: app, root: '', filter }, copy: new Map(), told: new Set(), token: null }
        if (!isFirst) await follow(follower)
        // So that the page looks whether the event is in the list.
        round += 1
        await update('Event', `website: "https://example.org/${round}"`)
      }
      const statements = await interruptEachStatement(
        prepare,
        () => follow(follower),
        () => update(type, entering),
        async (statement) => {
          await follow(follower)
          expect([isFirst, statement, [...follower.copy.keys()]]).toEqual([isFirst, statement, [`EVENT ${event}`]])
        },
      )
      expect(statements).toBeGreaterThan(2)
    }
  })
})
