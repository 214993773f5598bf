// The UID and the sequence of an event, which identify its versions in iCalendar files.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../../helpers/app.ts'
import { makeEvent } from '../../helpers/make.ts'
import { party, read, write, written } from '../../helpers/write.ts'

let app: TestApp
let admin: Awaited<ReturnType<TestApp['signIn']>>

beforeAll(async () => {
  app = await openTestApp()
  admin = await app.signIn('administrator')
})
afterAll(() => app?.close())

const uidOf = async (id: number) => (await read(admin, 'event', id, 'uid')).uid
const sequenceOf = async (id: number) => (await read(admin, 'event', id, 'sequence')).sequence

const found = async (...uids: string[]): Promise<number[]> => {
  const query = `query ($uids: [String!]) { events(filter: { uids: $uids }) { nodes { databaseId } totalCount } }`
  const { events } = (await app.graphql(query, { uids })).body.data
  expect(events.totalCount).toBe(events.nodes.length)
  return events.nodes.map(({ databaseId }: { databaseId: number }) => databaseId).toSorted()
}

test('by default the UID consists of the ID and the host of the site', async () => {
  const id = await written(admin, 'create', 'event', party)
  expect(await uidOf(id)).toBe(`${id}@calendar.test`)
  expect(await found(`${id}@calendar.test`)).toEqual([id])
})

test('an event keeps the UID of the input until it is removed', async () => {
  const id = await written(admin, 'create', 'event', { ...party, uid: ' ü-1@example.org ' })
  expect(await uidOf(id)).toBe('ü-1@example.org')
  await write(admin, 'update', 'event', { id, title: 'New' })
  expect(await found('ü-1@example.org', 'unknown')).toEqual([id])
  expect(await found(`${id}@calendar.test`)).toEqual([])
  for (const uid of ['', null]) {
    await write(admin, 'update', 'event', { id, uid: 'again@example.org' })
    expect((await write(admin, 'update', 'event', { id, uid }, 'uid')).record).toEqual({ uid: `${id}@calendar.test` })
  }
})

test('lists can be filtered by several UIDs, own and derived ones', async () => {
  const own = await written(admin, 'create', 'event', { ...party, uid: 'several@example.org' })
  const derived = await written(admin, 'create', 'event', party)
  const hidden = await written(admin, 'create', 'event', { ...party, uid: 'draft@example.org', status: 'DRAFT' })
  const uids = ['several@example.org', `${derived}@calendar.test`, 'draft@example.org', `${hidden}@calendar.test`]
  expect(await found(...uids)).toEqual([own, derived].toSorted())
  expect(await found(`${derived}@example.org`, `0${derived}@calendar.test`, '99999999999@calendar.test')).toEqual([])
  expect(await found('\0', '\ud800', '')).toEqual([])
  expect(await found()).toEqual([])
})

test.each([
  ['a\nb', 'uid must not contain control characters, such as line breaks.'],
  ['a\ud800', 'uid must not contain control characters, such as line breaks.'],
  ['x'.repeat(501), 'uid can have at most 500 characters.'],
])('the UID %j is rejected', async (uid, message) => {
  const query = 'mutation ($input: CreateEventInput!) { createEvent(input: $input) { userErrors { message path } } }'
  const { body } = await admin.graphql(query, { input: { ...party, uid } })
  expect(body.data.createEvent.userErrors).toEqual([{ message, path: ['uid'] }])
})

test('two events cannot have one UID', async () => {
  const id = await written(admin, 'create', 'event', { ...party, uid: 'one@example.org' })
  const other = await written(admin, 'create', 'event', party)
  for (const uid of ['one@example.org', `${other}@calendar.test`]) {
    expect(await write(admin, 'create', 'event', { ...party, uid })).toEqual({ record: null, errors: ['CONFLICT'] })
  }
  expect((await write(admin, 'update', 'event', { id: other, uid: 'one@example.org' })).errors).toEqual(['CONFLICT'])
  expect((await write(admin, 'update', 'event', { id, uid: `${other}@calendar.test` })).errors).toEqual(['CONFLICT'])
  expect((await write(admin, 'update', 'event', { id, uid: 'one@example.org' })).errors).toEqual([])
})

test('of simultaneous requests with one UID, one succeeds', async () => {
  const uid = 'race@example.org'
  const results = await Promise.all([1, 2, 3].map(() => write(admin, 'create', 'event', { ...party, uid })))
  expect(results.map(({ errors }) => errors.join()).toSorted()).toEqual(['', 'CONFLICT', 'CONFLICT'])
})

test('a new event whose derived UID another event has gets another UID', async () => {
  const last = await written(admin, 'create', 'event', party)
  const uid = `${last + 2}@calendar.test`
  const imported = await written(admin, 'create', 'event', { ...party, uid })
  const id = await written(admin, 'create', 'event', party)
  expect(id).toBe(last + 2)
  expect(await uidOf(imported)).toBe(uid)
  expect(await uidOf(id)).toMatch(/^[0-9a-f-]{36}@calendar\.test$/)
  expect(await found(uid)).toEqual([imported])
})

test('each update, move to the trash and restoration adds one to the sequence', async () => {
  const id = await written(admin, 'create', 'event', party)
  expect(await sequenceOf(id)).toBe(0)
  await write(admin, 'update', 'event', { id, title: 'New' })
  expect(await sequenceOf(id)).toBe(1)
  await write(admin, 'trash', 'event', { id })
  await write(admin, 'restore', 'event', { id })
  expect(await sequenceOf(id)).toBe(3)
  const failed = await write(admin, 'update', 'event', { id, title: '' })
  expect(failed.errors).toEqual(['BAD_INPUT title'])
  expect(await sequenceOf(id)).toBe(3)
})

test('an input can set the sequence within its bounds', async () => {
  const id = await written(admin, 'create', 'event', { ...party, sequence: 7 })
  await write(admin, 'update', 'event', { id, sequence: 7 })
  expect(await sequenceOf(id)).toBe(7)
  await write(admin, 'update', 'event', { id })
  expect(await sequenceOf(id)).toBe(8)
  for (const sequence of [-1, 1_000_000_001]) {
    expect((await write(admin, 'update', 'event', { id, sequence })).errors).toEqual(['BAD_INPUT sequence'])
  }
  await write(admin, 'update', 'event', { id, sequence: 1_000_000_000 })
  expect((await write(admin, 'update', 'event', { id }, 'sequence')).record).toEqual({ sequence: 1_000_000_001 })
})

test('locked events show their UID', async () => {
  const id = await makeEvent(app.db, 'Locked', { passwordKey: 'key', uid: 'locked@example.org' })
  expect(await read(app, 'event', id, 'uid sequence locked')).toEqual({
    ...{ uid: 'locked@example.org', sequence: 0, locked: true },
  })
})
