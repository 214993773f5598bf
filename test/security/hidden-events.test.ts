// No answer of GraphQL tells whether a hidden event or series exists, or what a password withholds: the same operations are sent while
// the event exists, and while it does not.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../../src/calendar/rules/record-password.ts'
import type { Prisma } from '../../src/generated/prisma/client.ts'
import { type ApiClient, openTestApp, serve, type TestApp, unverified } from '../helpers/app.ts'
import { connectTo } from '../helpers/db.ts'
import { makeEvent, makeImage } from '../helpers/make.ts'
import { partOf } from '../helpers/runs.ts'
import {
  createBare,
  createSecret,
  createWorld,
  operations,
  secretWord,
  seriesOf,
  type World,
} from '../helpers/secret-world.ts'
import { makeUser } from '../helpers/users.ts'

let app: TestApp
let world: World

/** Each with what the directive @inContext sets. */
const readers = {
  visitor: { context: '' },
  'visitor with the password of another event': { context: '@inContext(password: "open")' },
  subscriber: { context: '' },
  author: { context: '@inContext(forEditing: true)' },
} as const
type Reader = keyof typeof readers
/** The answers to a visitor while the event does not exist. */
let absent: Answers
const clients = {} as Record<Reader | 'contributor' | 'verified visitor', ApiClient>
beforeAll(async () => {
  app = await openTestApp({ QUERY_COST_MAX: '20000' })
  world = await createWorld(app)
  await makeEvent(app.db, 'Other', {
    status: 'draft',
    passwordKey: await hashRecordPassword('open', app.site.passwordSalt),
  })
  // The requests of one test are compared with Prisma and graphql-js.
  clients['verified visitor'] = app
  const other = await serve(connectTo(app.database, undefined, 'on'), { QUERY_COST_MAX: '20000', ...unverified })
  clients.visitor = other
  clients['visitor with the password of another event'] = other
  for (const role of ['subscriber', 'contributor', 'author'] as const) clients[role] = other.as(await app.signIn(role))
  // The only answers that several tests use.
  absent = await ask('visitor')
})
afterEach(() => remove())
afterAll(() => app?.close())

type Columns = Partial<Prisma.EventUncheckedCreateInput>
type Answers = Readonly<Record<string, string>>

const state: Columns = { eventStatus: 'cancelled', attendanceMode: 'online' }
const future = new Date('2100-01-01T00:00:00Z')

const names = Object.keys(operations)

/** An eighth of the operations, others for each reader: their rights over events of others are the same. */
const partFor = (reader: Reader) => partOf(names, 8, Object.keys(readers).indexOf(reader))

/** The answers to these operations. */
async function ask(
  reader: Reader,
  root = '',
  asked: readonly string[] = names,
  client = clients[reader],
): Promise<Answers> {
  const { context } = readers[reader]
  const answers: Record<string, string> = {}
  for (const name of asked) {
    const { query, variables } = requestOf(name, world)
    const inContext = query.startsWith('query') ? query.replace(') {', `) ${context} {`) : `query ${context} ${query}`
    const { body } = await client.graphql(inContext, variables, root)
    if (!name.startsWith('its author')) expect(body.errors, name).toBeUndefined()
    // Errors of fields that resolve concurrently have no order.
    body.errors?.sort((a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    answers[name] = JSON.stringify(body, undefined, 1)
  }
  return answers
}

function requestOf(name: string, at: World) {
  const queryOf = operations[name]
  if (!queryOf) throw new Error(name)
  return queryOf(at)
}

async function remove(): Promise<void> {
  const ofAuthor = { events: { some: { authorId: world.author } } }
  await app.db.series.deleteMany({ where: { OR: [{ id: seriesOf(world.event) }, ofAuthor] } })
  await app.db.event.deleteMany({ where: { OR: [{ id: world.event }, { authorId: world.author }] } })
}

test('every operation depends on the event, except a search that excludes its text', async () => {
  await createSecret(app, world, state)
  const exception = 'events by its title and a hidden text'
  const asked = [...new Set([...partOf(names, 3), exception])]
  const present = await ask('visitor', '', asked)
  expect(asked.filter((name) => present[name] === absent[name])).toEqual([exception])
  const verified = partOf(asked, 6)
  const other = await ask('visitor', '', verified, clients['verified visitor'])
  expect(other).toEqual(Object.fromEntries(verified.map((name) => [name, present[name]])))
})

const hidden: Readonly<Record<string, Columns>> = {
  'a draft': { status: 'draft' },
  pending: { status: 'pending' },
  private: { status: 'private' },
  scheduled: { status: 'future', publishedAt: future },
  'in the trash': { status: 'trash', trashedFrom: 'publish' },
  'a draft with a password': { status: 'draft', passwordKey: 'x' },
}

test.each(['visitor', 'subscriber', 'author'] as const)(
  'hidden events of every state change no answer for this reader: %s',
  async (reader) => {
    const asked = reader === 'visitor' ? names : partFor(reader)
    const without = reader === 'visitor' ? absent : await ask(reader, '', asked)
    for (const [n, columns] of Object.values(hidden).entries()) {
      await createSecret(app, { ...world, event: world.event + (5 - n) * 100_000 }, { ...state, ...columns })
    }
    expect(await ask(reader, '', asked)).toEqual(without)
  },
)

test.each(Object.entries(hidden))('an event that is %s changes no answer about itself', async (_, columns) => {
  const asked = names.filter((name) => {
    const [own, other] = [requestOf(name, world), requestOf(name, { ...world, event: 0 })]
    return name === 'events without arguments' || JSON.stringify(own) !== JSON.stringify(other)
  })
  expect(asked.length).toBeGreaterThan(5)
  await createSecret(app, world, { ...state, ...columns })
  expect(await ask('visitor', '', asked)).toEqual(Object.fromEntries(asked.map((name) => [name, absent[name]])))
})

describe('of an event with a password, a reader sees the same as of one without the fields that it withholds:', () => {
  test.each<[Reader, root: string]>([
    ['visitor', ''],
    ['visitor', '/fr'],
    ['visitor with the password of another event', ''],
    ['subscriber', ''],
    ['author', ''],
  ])('%s %s', async (reader, root) => {
    // In each language, a fourth of the operations for a visitor.
    const asked = reader === 'visitor' ? partOf(names, 4, root === '' ? 0 : 1) : partFor(reader)
    const columns = { ...state, passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }
    await createSecret(app, world, columns)
    const full = await ask(reader, root, asked)
    await remove()
    await createBare(app, world, columns)
    expect(full).toEqual(await ask(reader, root, asked))
    expect(JSON.stringify(full)).toContain('Rehearsal')
    expect(JSON.stringify(full)).not.toContain(secretWord)
  })
})

const newEvent = (input: object) => ({
  query: `mutation ($input: CreateEventInput!) {
    createEvent(input: $input) { event { id } userErrors { path code message existingId databaseId modifiedAt } }
  }`,
  variables: { input: { title: 'New', ...input } },
})

test('authors and contributors get the same errors for IDs of hidden and of unknown records', async () => {
  const imageId = await makeImage(app.db)
  const authorId = (await makeUser(app.db, 'author')).id
  await createSecret(app, world, { ...state, status: 'draft', imageId, authorId })
  const inputs = [
    { parentId: String(world.event) },
    { parentId: btoa(`Event:${world.event}`), imageId: btoa(`Image:${imageId}`) },
    { imageId: String(imageId), authorId: String(authorId) },
  ]
  const send = async () => {
    const answers: unknown[] = []
    for (const client of [clients.contributor, clients.author]) {
      for (const input of inputs) {
        const { query, variables } = newEvent(input)
        answers.push((await client.graphql(query, variables)).body)
      }
    }
    return JSON.stringify(answers)
  }
  const present = await send()
  await remove()
  await app.db.image.delete({ where: { id: imageId } })
  await app.db.user.delete({ where: { id: authorId } })
  expect(await send()).toBe(present)
  expect(present).toContain('There is no event with this ID, or you may not see it.')
  expect(present).toContain('There is no image with this ID')
})
