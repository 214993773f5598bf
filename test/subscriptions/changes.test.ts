// Which changes subscribers see, by role.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { eventually } from '../helpers/eventually.ts'
import { listenOn, type Stream, type SubscriptionOptions, subscribe } from '../helpers/subscribe.ts'
import type { TestUser } from '../helpers/users.ts'
import { party, written } from '../helpers/write.ts'

let app: TestApp
let url: string
let editor: TestUser & ApiClient
let author: TestUser & ApiClient
const streams: Stream[] = []

beforeAll(async () => {
  app = await openTestApp()
  url = await listenOn(app)
  editor = await app.signIn('editor')
  author = await app.signIn('author')
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app?.close())

async function open(options: SubscriptionOptions = {}): Promise<Stream> {
  const stream = await subscribe(url, options)
  streams.push(stream)
  return stream
}

const as = ({ authorization }: TestUser): SubscriptionOptions => ({ headers: { authorization } })

let markers = 0

/** Creates an event that all streams report, and returns what each reported before. */
async function reported(opened: readonly Stream[]): Promise<string[][]> {
  markers += 1
  const title = `Marker ${markers}`
  await written(editor, 'create', 'event', { ...party, title, status: 'PUBLISHED', tags: [{ nameOrSlug: 'jazz' }] })
  const isMarked = (stream: Stream) => stream.changes().some((change) => change.endsWith(title))
  await eventually(() => expect(opened.every(isMarked)).toBe(true))
  return opened.map((stream) => {
    const changes = stream.changes().filter((change) => !change.includes('Marker'))
    stream.results.length = 0
    return changes
  })
}

const create = (client: ApiClient, fields: object = {}) =>
  written(client, 'create', 'event', { ...party, status: 'PUBLISHED', ...fields })

test('each role sees the changes of state that concern what it may read', async () => {
  const names = ['visitor', 'subscriber', 'contributor', 'author', 'other author', 'editor', 'administrator']
  const [subscriber, contributor] = [await app.signIn('subscriber'), await app.signIn('contributor')]
  const [otherAuthor, administrator] = [await app.signIn('author'), await app.signIn('administrator')]
  const opened = [await open()]
  for (const user of [subscriber, contributor, author, otherAuthor, editor, administrator])
    opened.push(await open(as(user)))

  const id = await create(author, { status: 'DRAFT' })
  const update = (fields: object) => () => written(editor, 'update', 'event', { id, ...fields })
  const step = async (write: () => Promise<unknown>) => {
    await write()
    const changes = await reported(opened)
    return Object.fromEntries(changes.map((messages, index) => [names[index], messages.join(', ')]))
  }
  const everybody = (message: string) => Object.fromEntries(names.map((name) => [name, message]))
  const forPublic = (message: string, ofReaders: string) => ({
    ...everybody(message),
    ...{ author: ofReaders, editor: ofReaders, administrator: ofReaders },
  })
  const [created, updated, deleted] = [`CREATED ${id} Party`, `UPDATED ${id} Party`, `DELETED ${id} null`]

  expect(await step(async () => undefined)).toEqual(forPublic('', created))
  expect(await step(update({ status: 'PUBLISHED' }))).toEqual(forPublic(created, updated))
  expect(await step(update({ status: 'PRIVATE' }))).toEqual(forPublic(deleted, updated))
  expect(await step(update({ featured: true }))).toEqual(forPublic('', updated))
  expect(await step(update({ status: 'PUBLISHED' }))).toEqual(forPublic(created, updated))
  expect(await step(update({ hideFromListings: true }))).toEqual(everybody(deleted))
  expect(await step(update({ hideFromListings: false }))).toEqual(everybody(created))
  expect(await step(update({ password: 'knock' }))).toEqual(everybody(updated))
  expect(await step(() => written(editor, 'trash', 'event', { id }))).toEqual(everybody(deleted))
  expect(await step(() => written(editor, 'restore', 'event', { id }))).toEqual(everybody(created))
  expect(await step(update({ status: 'DRAFT' }))).toEqual(forPublic(deleted, updated))
  expect(await step(() => written(administrator, 'delete', 'event', { id }))).toEqual(forPublic('', deleted))
})

test('an event enters and leaves a filter', async () => {
  const [tagged, all] = [await open({ variables: { filter: { tags: ['jazz'] } } }), await open()]
  const id = await create(editor)
  const step = async (write: () => Promise<unknown>) => {
    await write()
    return reported([tagged, all])
  }
  expect(await step(async () => undefined)).toEqual([[], [`CREATED ${id} Party`]])
  const update = (fields: object) => () => written(editor, 'update', 'event', { id, ...fields })
  expect(await step(update({ tags: [{ nameOrSlug: 'jazz' }] }))).toEqual([
    [`CREATED ${id} Party`],
    [`UPDATED ${id} Party`],
  ])
  expect(await step(update({ title: 'Jam' }))).toEqual([[`UPDATED ${id} Jam`], [`UPDATED ${id} Jam`]])
  expect(await step(update({ tags: [] }))).toEqual([[`DELETED ${id} null`], [`UPDATED ${id} Jam`]])
  expect(await step(() => written(editor, 'trash', 'event', { id }))).toEqual([[], [`DELETED ${id} null`]])
})

test('an event that matched before the subscription is updated and deleted', async () => {
  const id = await create(editor)
  const stream = await open()
  await written(editor, 'update', 'event', { id, title: 'Ball' })
  await written(editor, 'trash', 'event', { id })
  const [changes] = await reported([stream])
  expect(changes?.at(-1)).toBe(`DELETED ${id} null`)
})

test('a subscription does not report an event from before it', async () => {
  const before = await open()
  const id = await create(editor)
  const after = await open()
  expect(await reported([before, after])).toEqual([[`CREATED ${id} Party`], []])
})

test('the language and the edit mode of the operation apply', async () => {
  const query = 'subscription @inContext(language: ES) { eventChanged { type databaseId event { title } } }'
  const opened = [await open(), await open({ path: '/fr/graphql' }), await open({ query })]
  const id = await create(editor, {
    translations: [
      { language: 'FR', name: 'Fête' },
      { language: 'ES', name: 'Fiesta' },
    ],
  })
  const titles = ['Party', 'Fête', 'Fiesta']
  expect(await reported(opened)).toEqual(titles.map((title) => [`CREATED ${id} ${title}`]))
})

test('a locked event shows its fields only with its password', async () => {
  const fields = '{ eventChanged { type databaseId event { title: description } } }'
  const opened = [
    await open({ query: `subscription ${fields}` }),
    await open({ query: `subscription @inContext(password: "wrong") ${fields}` }),
    await open({ query: `subscription @inContext(password: "sesame") ${fields}` }),
    await open({ query: `subscription @inContext(forEditing: true) ${fields}`, ...as(editor) }),
  ]
  const id = await create(editor, { description: 'Behind the door', password: 'sesame' })
  const withheld = [`CREATED ${id} null`]
  const shown = [`CREATED ${id} Behind the door`]
  await eventually(() => expect(opened.every((stream) => stream.changes().length > 0)).toBe(true))
  expect(opened.map((stream) => stream.changes())).toEqual([withheld, withheld, withheld, shown])
  const known = await open({ query: `subscription @inContext(password: "sesame") ${fields}` })
  await written(editor, 'update', 'event', { id, description: 'Inside' })
  await eventually(() => expect(known.changes()).toEqual([`UPDATED ${id} Inside`]))
})

test('a change of links that a password withholds is no change for readers without it', async () => {
  const tag = await written(editor, 'create', 'tag', { name: 'Secret' })
  const venue = await written(editor, 'create', 'venue', { name: 'Hall', status: 'PUBLISHED' })
  const id = await create(editor, { password: 'sesame', tags: [{ nameOrSlug: 'secret' }], venues: [{ id: venue }] })
  const known = 'subscription @inContext(password: "sesame") { eventChanged { type databaseId event { title } } }'
  const opened = [await open(), await open({ query: known })]
  const shownChanges = async (write: () => Promise<unknown>) => {
    await write()
    return reported(opened)
  }
  expect(await shownChanges(() => written(editor, 'delete', 'tag', { id: tag }))).toEqual([[], [`UPDATED ${id} Party`]])
  const administrator = await app.signIn('administrator')
  expect(await shownChanges(() => written(administrator, 'delete', 'venue', { id: venue }))).toEqual([
    [],
    [`UPDATED ${id} Party`],
  ])
  const step = async (fields: object) => {
    await written(editor, 'update', 'event', { id, ...fields })
    return (await reported(opened))[0]
  }
  expect(await step({ title: 'Ball' })).toEqual([`UPDATED ${id} Ball`])
  expect(await step({ password: null })).toEqual([`UPDATED ${id} Ball`])
  expect(await step({ password: 'other' })).toEqual([`UPDATED ${id} Ball`])
})

test.each(['venue', 'organizer'] as const)(
  'visitors do not learn that a hidden %s of an event is deleted',
  async (kind) => {
    const administrator = await app.signIn('administrator')
    const create = (status: string, fields: object = {}) =>
      written(administrator, 'create', kind, { name: `A ${kind}`, status, ...fields })
    const [hidden, shown] = [await create('DRAFT'), await create('PUBLISHED')]
    const scheduled = await create('PUBLISHED', { publishedAt: '2090-01-01T00:00:00Z' })
    const input = { ...party, status: 'PUBLISHED', [`${kind}s`]: [{ id: hidden }, { id: shown }] }
    const id = await written(administrator, 'create', 'event', input)
    const opened = [await open()]
    const withTrash = await create('PUBLISHED')
    await written(administrator, 'update', 'event', {
      id,
      [`${kind}s`]: [hidden, shown, scheduled, withTrash].map((each) => ({ id: each })),
    })
    await written(administrator, 'trash', kind, { id: withTrash })
    expect(await reported(opened)).toEqual([[`UPDATED ${id} Party`]])
    for (const each of [hidden, scheduled, withTrash]) await written(administrator, 'delete', kind, { id: each })
    expect(await reported(opened)).toEqual([[]])
    await written(administrator, 'delete', kind, { id: shown })
    expect(await reported(opened)).toEqual([[`UPDATED ${id} Party`]])
  },
)

test('subscriptions with different default values of a variable select different events', async () => {
  const query = (tag: string) =>
    `subscription ($filter: EventFilter = { tags: ["${tag}"] }) { eventChanged(filter: $filter) { type databaseId event { title } } }`
  for (const name of ['Salsa', 'Tango']) await written(editor, 'create', 'tag', { name })
  const opened = [await open({ query: query('salsa') }), await open({ query: query('tango') })]
  const tango = await create(editor, { title: 'Tango', tags: [{ nameOrSlug: 'tango' }] })
  const salsa = await create(editor, { title: 'Salsa', tags: [{ nameOrSlug: 'salsa' }] })
  await eventually(() => expect(opened.every((stream) => stream.changes().length > 0)).toBe(true))
  expect(opened.map((stream) => stream.changes())).toEqual([[`CREATED ${salsa} Salsa`], [`CREATED ${tango} Tango`]])
})
