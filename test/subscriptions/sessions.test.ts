// Streams of users who lose their rights.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestApp, type TestApp } from '../helpers/app.ts'
import { eventually } from '../helpers/eventually.ts'
import { listenOn, type Stream, subscribe } from '../helpers/subscribe.ts'
import { bearer, createCredential, makeUser } from '../helpers/users.ts'
import { party, write, written } from '../helpers/write.ts'

let app: TestApp
let url: string
const streams: Stream[] = []

beforeAll(async () => {
  app = await openTestApp()
  url = await listenOn(app)
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => app?.close())

async function open(authorization: string): Promise<Stream> {
  const stream = await subscribe(url, { headers: { authorization } })
  streams.push(stream)
  return stream
}

const ended = (stream: Stream) => eventually(() => expect(stream.isComplete()).toBe(true))

test('the stream of a revoked credential ends, and that of another credential of the user stays open', async () => {
  const user = await makeUser(app.db, 'editor')
  const other = bearer(await createCredential(app.db, user.id, 'api_token'))
  const [revoked, open_] = [await open(user.authorization), await open(other)]
  const { id } = await app.db.credential.findFirstOrThrow({ where: { userId: user.id }, orderBy: { id: 'asc' } })
  await app.db.credential.update({ where: { id }, data: { revokedAt: app.clock.now } })
  await ended(revoked)
  expect([revoked.code(), open_.isComplete()]).toEqual(['UNAUTHENTICATED', false])
})

test('the stream of a person ends when the session is signed out', async () => {
  const { id } = await makeUser(app.db, 'editor')
  const cookie = `session=${await createCredential(app.db, id, 'session', { createdAt: app.clock.now })}`
  const stream = await subscribe(url, { headers: { cookie, 'x-requested-with': 'editor' } })
  streams.push(stream)
  await written(await app.signIn('editor'), 'create', 'event', { ...party, status: 'DRAFT', title: 'Seen' })
  await eventually(() => expect(stream.changes().join()).toContain('Seen'))
  expect((await app.send('POST', '/sign-out', '', { cookie })).status).toBe(303)
  await ended(stream)
  expect(stream.code()).toBe('UNAUTHENTICATED')
})

test('the stream of a deleted user ends', async () => {
  const user = await makeUser(app.db, 'editor')
  const stream = await open(user.authorization)
  await app.db.user.delete({ where: { id: user.id } })
  await ended(stream)
  expect(stream.code()).toBe('UNAUTHENTICATED')
})

test('the stream ends when the credential expires', async () => {
  const user = await makeUser(app.db, 'editor')
  const expiresAt = new Date(app.clock.now.getTime() + 60_000)
  const stream = await open(bearer(await createCredential(app.db, user.id, 'api_token', { expiresAt })))
  const before = app.clock.now
  app.clock.now = expiresAt
  await ended(stream)
  app.clock.now = before
  expect(stream.code()).toBe('UNAUTHENTICATED')
})

test('an editor who becomes a subscriber learns nothing of drafts that are written afterwards', async () => {
  const [user, editor] = [await makeUser(app.db, 'editor'), await app.signIn('editor')]
  const stream = await open(user.authorization)
  const draft = { ...party, status: 'DRAFT' }
  await written(editor, 'create', 'event', { ...draft, title: 'Before' })
  await eventually(() => expect(stream.changes().join()).toContain('Before'))
  await app.db.user.update({ where: { id: user.id }, data: { role: 'subscriber' } })
  await written(editor, 'create', 'event', { ...draft, title: 'After' })
  await ended(stream)
  expect([stream.code(), stream.changes().join()]).toEqual(['CHANGES_MISSED', expect.not.stringContaining('After')])
  const again = await open(user.authorization)
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED', title: 'Public' })
  await eventually(() => expect(again.changes()).toHaveLength(1))
  expect(again.changes().join()).toContain('Public')
})

test('a change of the name of a user does not end the stream', async () => {
  const user = await makeUser(app.db, 'administrator')
  const stream = await open(user.authorization)
  await app.db.user.update({ where: { id: user.id }, data: { name: 'Zoé' } })
  await write(app.as(user), 'create', 'event', { ...party, status: 'PUBLISHED' })
  await eventually(() => expect(stream.changes()).toHaveLength(1))
  expect(stream.isComplete()).toBe(false)
})
