// Every path to an event that the caller may not see, or not whole: it never shows, and no answer depends on it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwordKey } from '../src/content/lifecycle/record-password.ts'
import type { Prisma } from '../src/generated/prisma/client.ts'
import { now, openTestApp, type TestApp } from './helpers/app.ts'
import { truncate } from './helpers/db.ts'
import { makeEvent } from './helpers/make.ts'
import {
  countQuestions,
  legacyAddresses,
  listQuestions,
  makeWorld,
  secret,
  upwardQuestions,
  type World,
  withheldQuestions,
} from './helpers/visibility.ts'

let app: TestApp

beforeAll(async () => {
  app = await openTestApp()
})
afterAll(() => app?.close())

const tomorrow = new Date(now.getTime() + 86_400_000)
const yesterday = new Date(now.getTime() - 86_400_000)

type Columns = Partial<Prisma.EventUncheckedCreateInput>

const graphQuestions = { ...withheldQuestions, ...countQuestions, ...listQuestions, ...upwardQuestions }
const questions = Object.keys({ ...graphQuestions, ...legacyAddresses })

/** The answers to all questions, before and after the event is gone altogether. */
async function answers(columns: Columns): Promise<{ world: World; there: Answers; gone: Answers }> {
  await truncate(app.db)
  const world = await makeWorld(app, columns)
  const there = await ask(world)
  await app.db.event.delete({ where: { id: world.event } })
  return { world, there, gone: await ask(world) }
}

type Answers = Readonly<Record<string, string>>

async function ask(world: World): Promise<Answers> {
  const found: Record<string, string> = {}
  for (const [name, question] of Object.entries(graphQuestions)) {
    const { body } = await app.graphql(question(world))
    expect(body.errors, name).toBeUndefined()
    found[name] = JSON.stringify(body.data.answer)
  }
  for (const [name, address] of Object.entries(legacyAddresses)) {
    const { status, body } = await app.get(`/cal/events/v1${address(world)}`)
    expect(status, name).toBe(200)
    found[name] = JSON.stringify(body)
  }
  return found
}

/** `telling`: which answers may hold what a password would withhold. */
function compare(
  columns: () => Columns | Promise<Columns>,
  differing: (name: string) => boolean,
  telling: (name: string) => boolean,
) {
  let found: Awaited<ReturnType<typeof answers>>
  beforeAll(async () => {
    found = await answers(await columns())
  })
  test.each(questions)('%s', (name) => {
    if (differing(name)) expect(found.there[name]).not.toBe(found.gone[name])
    else expect(found.there[name]).toBe(found.gone[name])
  })
  test('no other answer tells what could be withheld', () => {
    const told = questions.filter((name) => found.there[name]?.includes(secret))
    expect(told.filter((name) => !telling(name))).toEqual([])
    expect(told.length > 0).toBe(questions.some(telling))
  })
}

const everything = () => true
const nothing = () => false

// Shows that each question can tell: without this, the others would hold for questions that ask nothing.
describe.each<[string, Columns]>([
  ['published', {}],
  ['scheduled, its moment come', { status: 'future', publishedAt: yesterday }],
])('an event that is %s changes the answer:', (_, columns) => {
  compare(() => columns, everything, everything)
})

describe.each<[string, Columns]>([
  ['draft', { status: 'draft' }],
  ['pending', { status: 'pending' }],
  ['private', { status: 'private' }],
  ['scheduled', { status: 'future', publishedAt: tomorrow }],
  ['published from tomorrow on', { publishedAt: tomorrow }],
  ['trashed', { status: 'trash', trashedFrom: 'publish' }],
  ['draft with a password', { status: 'draft', passwordKey: 'x' }],
])('an event that is %s leaves the answer as it is:', (_, columns) => {
  compare(() => columns, nothing, nothing)
})

describe('an event with a password changes only what shows it masked:', () => {
  const lists = ['list of events', 'list of included events', 'list found by title']
  const masked = new Set([...Object.keys({ ...listQuestions, ...upwardQuestions }), ...lists])
  compare(
    async () => ({ passwordKey: await passwordKey('sesame', app.site.passwordSalt) }),
    (name) => masked.has(name),
    nothing,
  )
})

describe('an event kept out of listings changes only counts and what it leads to:', () => {
  // Not secret: whoever knows its address reads it, so counts (contract c.5) have it and its parts name it.
  const counts = ['list of events', 'list of categories', 'list of tags', 'single category', 'single tag']
  const known = new Set([...Object.keys({ ...countQuestions, ...upwardQuestions }), ...counts])
  compare(
    () => ({ hideFromListings: true }),
    (name) => known.has(name),
    (name) => name === 'parent of its child',
  )
})

test.each(['contributor', 'author'] as const)(
  'who reads to edit, as %s, finds by withheld fields those of their own events that open to them',
  async (role) => {
    await truncate(app.db)
    const viewer = await app.signIn(role)
    const columns = { featured: true, passwordKey: 'x', authorId: viewer.id }
    for (const status of ['draft', 'pending', 'private', 'publish'] as const) {
      await makeEvent(app.db, status, { status, ...columns })
    }
    await makeEvent(app.db, 'future', { status: 'future', publishedAt: tomorrow, ...columns })
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

test('events kept out of lists are listed to who edits what others write, and refused to others', async () => {
  await truncate(app.db)
  await makeEvent(app.db, 'Open')
  await makeEvent(app.db, 'Kept out', { hideFromListings: true })
  const query = '{ events(filter: { hideFromListings: true }) { nodes { title } } }'
  const codes = [app, await app.signIn('author')].map(async (doors) => {
    const { body } = await doors.graphql(query)
    return body.errors[0].extensions.code
  })
  expect(await Promise.all(codes)).toEqual(['UNAUTHENTICATED', 'FORBIDDEN'])
  const { body } = await (await app.signIn('editor')).graphql(query)
  expect(body.data.events.nodes).toEqual([{ title: 'Kept out' }])
})
