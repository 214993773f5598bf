// Every path to an event that the viewer may not see, or whose fields a password withholds. No response reveals it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashRecordPassword } from '../src/calendar/rules/record-password.ts'
import type { Prisma } from '../src/generated/prisma/client.ts'
import { compared, now, openTestApp, type TestApp } from './helpers/app.ts'
import { truncate } from './helpers/db.ts'
import { makeEvent } from './helpers/make.ts'
import {
  countQueries,
  createFixture,
  type Fixture,
  listQueries,
  parentQueries,
  restPaths,
  secret,
  withheldQueries,
} from './helpers/visibility.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp(compared)
})
afterAll(() => app?.close())

// Term counts compare with the clock of the database: a date after that of the tests alone is not enough.
const future = new Date('2100-01-01T00:00:00Z')
const yesterday = new Date(now.getTime() - 86_400_000)

type Columns = Partial<Prisma.EventUncheckedCreateInput>

const graphqlQueries = { ...withheldQueries, ...countQueries, ...listQueries, ...parentQueries }
const queryNames = Object.keys({ ...graphqlQueries, ...restPaths })

/** The responses to all queries without the event, which has left nothing behind. */
let deleted: Responses

async function responsesWith(columns: Columns): Promise<Responses> {
  await truncate(app.db)
  const fixture = await createFixture(app, columns)
  const present = await sendAll(fixture)
  if (deleted === undefined) {
    await app.db.event.delete({ where: { id: fixture.event } })
    deleted = await sendAll(fixture)
  }
  return present
}

type Responses = Readonly<Record<string, string>>

async function sendAll(fixture: Fixture): Promise<Responses> {
  const responses: Record<string, string> = {}
  for (const [name, queryOf] of Object.entries(graphqlQueries)) {
    const { body } = await app.graphql(queryOf(fixture))
    expect(body.errors, name).toBeUndefined()
    responses[name] = JSON.stringify(body.data.result)
  }
  for (const [name, address] of Object.entries(restPaths)) {
    const { status, body } = await app.get(`/cal/events/v1${address(fixture)}`)
    expect(status, name).toBe(200)
    responses[name] = JSON.stringify(body)
  }
  return responses
}

/** `mayReveal`: which responses may contain text that a password would withhold. */
function compare(
  columns: () => Columns | Promise<Columns>,
  differing: (name: string) => boolean,
  mayReveal: (name: string) => boolean,
) {
  let present: Responses
  beforeAll(async () => {
    present = await responsesWith(await columns())
  })
  test.each(queryNames)('%s', (name) => {
    if (differing(name)) expect(present[name]).not.toBe(deleted[name])
    else expect(present[name]).toBe(deleted[name])
  })
  test('no other response contains withheld text', () => {
    const revealing = queryNames.filter((name) => present[name]?.includes(secret))
    expect(revealing.filter((name) => !mayReveal(name))).toEqual([])
    expect(revealing.length > 0).toBe(queryNames.some(mayReveal))
  })
}

const always = () => true
const never = () => false

// Proves that each query depends on the event; otherwise the other tests would prove nothing.
describe.each<[string, Columns]>([
  ['published', {}],
  ['scheduled and due', { status: 'future', publishedAt: yesterday }],
])('an event that is %s changes the response:', (_, columns) => {
  compare(() => columns, always, always)
})

describe.each<[string, Columns]>([
  ['draft', { status: 'draft' }],
  ['pending', { status: 'pending' }],
  ['private', { status: 'private' }],
  ['scheduled', { status: 'future', publishedAt: future }],
  ['published with a future date', { publishedAt: future }],
  ['trashed', { status: 'trash', trashedFrom: 'publish' }],
  ['draft with a password', { status: 'draft', passwordKey: 'x' }],
])('an event that is %s does not change the response:', (_, columns) => {
  compare(() => columns, never, never)
})

describe('an event with a password only changes responses that show it without withheld fields:', () => {
  const lists = ['list of events', 'list of included events', 'list found by title']
  const masked = new Set([...Object.keys({ ...listQueries, ...parentQueries }), ...lists])
  compare(
    async () => ({ passwordKey: await hashRecordPassword('sesame', app.site.passwordSalt) }),
    (name) => masked.has(name),
    never,
  )
})

describe('an event that is hidden from lists only changes counts and its children:', () => {
  // The event is not secret: it can be read by URL, so counts include it (contract c.5) and its children show it.
  const counts = ['list of events', 'list of categories', 'list of tags', 'single category', 'single tag']
  const differing = new Set([...Object.keys({ ...countQueries, ...parentQueries }), ...counts])
  compare(
    () => ({ hideFromListings: true }),
    (name) => differing.has(name),
    (name) => name === 'parent of its child',
  )
})

test.each(['contributor', 'author'] as const)(
  'reading for editing, a %s finds own events by withheld fields if they are not locked',
  async (role) => {
    await truncate(app.db)
    const viewer = await app.signIn(role)
    const columns = { featured: true, passwordKey: 'x', authorId: viewer.id }
    for (const status of ['draft', 'pending', 'private', 'publish'] as const) {
      await makeEvent(app.db, status, { status, ...columns })
    }
    await makeEvent(app.db, 'future', { status: 'future', publishedAt: future, ...columns })
    const events = async (filter: string): Promise<{ title: string; locked: boolean }[]> => {
      const query = `query @inContext(forEditing: true) { events(filter: { ${filter} }) { nodes { title locked } } }`
      return (await viewer.graphql(query)).body.data.events.nodes
    }
    const all = await events('')
    expect(all).toHaveLength(5)
    expect(all.some(({ locked }) => locked)).toBe(role === 'contributor')
    expect(await events('featured: true')).toEqual(all.filter(({ locked }) => !locked))
  },
)

test('hidden events are listed to users who may edit others, and rejected for others', async () => {
  await truncate(app.db)
  await makeEvent(app.db, 'Open')
  await makeEvent(app.db, 'Hidden', { hideFromListings: true })
  const query = '{ events(filter: { hideFromListings: true }) { nodes { title } } }'
  const codes = [app, await app.signIn('author')].map(async (client) => {
    const { body } = await client.graphql(query)
    return body.errors[0].extensions.code
  })
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'FORBIDDEN'])
  const { body } = await (await app.signIn('editor')).graphql(query)
  expect(body.data.events.nodes).toEqual([{ title: 'Hidden' }])
})
