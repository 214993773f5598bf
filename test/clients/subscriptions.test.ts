// The stream of the recipes of docs/graphql.md. single-page-app.test.ts follows it with the clients.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { eventually } from '../helpers/eventually.ts'
import { createCredential, makeUser } from '../helpers/users.ts'
import { party, written } from '../helpers/write.ts'
import { type ClientTest, openClientTest } from './recipes.ts'

interface Streams {
  readonly changes: EventTarget
  readonly follow: (request: { query: string }, sink: ReturnType<typeof makeSink>) => () => void
}
interface Session {
  readonly isSignedIn: () => boolean
  readonly signIn: (login: string, password: string) => Promise<boolean>
}

const makeSink = () => ({
  next: vi.fn<(result: object) => void>(),
  error: vi.fn<(error: unknown) => void>(),
  complete: vi.fn<() => void>(),
})

const query = 'subscription { eventChanged { type event { id contentLanguage title } } }'

let files: ClientTest
let streams: Streams

beforeAll(async () => {
  files = await openClientTest()
  await files.writeApp()
  streams = await files.load<Streams>('src/streams.ts')
})
afterAll(() => files?.close())

const openStreams = async (count: number) =>
  expect((await files.app.app.inject('/metrics')).payload).toContain(`subscriptions_open ${count}`)

// The first test counts what the streams of the others would announce, too.
describe('the stream', { shuffle: false }, () => {
  test('begins again when changes were missed, and says each time that lists may be outdated', async () => {
    const editor = await files.app.signIn('editor')
    const [sink, changed] = [makeSink(), vi.fn<() => void>()]
    streams.changes.addEventListener('change', changed)
    const stop = streams.follow({ query }, sink)
    await eventually(() => expect(changed).toHaveBeenCalledTimes(1))
    await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
    await eventually(() => expect(sink.next).toHaveBeenCalledTimes(1))
    expect(sink.next.mock.lastCall?.[0]).toMatchObject({
      data: { eventChanged: { type: 'CREATED', event: { title: 'Party' } } },
    })
    await eventually(() => expect(changed).toHaveBeenCalledTimes(2))

    // The notification of the triggers for more than 100 changed events.
    await files.app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
    await eventually(() => openStreams(0))
    await eventually(() => openStreams(1))
    await eventually(() => expect(changed.mock.calls.length).toBeGreaterThan(2))
    await written(editor, 'create', 'event', { ...party, title: 'Ball', status: 'PUBLISHED' })
    await eventually(() => expect(sink.next).toHaveBeenCalledTimes(2))
    stop()
    await eventually(() => openStreams(0))
  })

  test('begins again when the connection is lost', async () => {
    const sink = makeSink()
    const fetched = vi.spyOn(globalThis, 'fetch')
    const opened = () => fetched.mock.settledResults.filter(({ value }) => value?.ok)
    const stop = streams.follow({ query }, sink)
    await eventually(() => expect(opened()).toHaveLength(1))
    files.app.app.server.closeAllConnections()
    await eventually(() => expect(opened()).toHaveLength(2))
    fetched.mockRestore()
    stop()
    await eventually(() => openStreams(0))
    expect(sink.error).not.toHaveBeenCalled()
  })

  test('ends with the error of a request that the service refuses', async () => {
    const sink = makeSink()
    streams.follow({ query: query + ' '.repeat(20_000_000) }, sink)
    await eventually(() => expect(sink.error).toHaveBeenCalledTimes(1))
    expect(sink.error.mock.lastCall?.[0]).toMatchObject({ response: { status: 413 } })
  })

  test('begins again as that of a visitor when the token is revoked', async () => {
    const session = await files.load<Session>('src/session.ts')
    const { db } = files.app
    const { id, login } = await makeUser(db, 'editor')
    await session.signIn(login, await createCredential(db, id, 'application_password'))
    const sink = makeSink()
    const stop = streams.follow({ query }, sink)
    await eventually(() => openStreams(1))
    const fetched = vi.spyOn(globalThis, 'fetch')
    await db.credential.updateMany({ where: { userId: id, kind: 'api_token' }, data: { revokedAt: new Date() } })
    await eventually(() => expect(session.isSignedIn()).toBe(false))
    await eventually(() => expect(fetched.mock.settledResults.at(-1)?.value.status).toBe(200))
    fetched.mockRestore()
    const editor = await files.app.signIn('editor')
    await written(editor, 'create', 'event', { ...party, title: 'Fair', status: 'PUBLISHED' })
    await eventually(() => expect(sink.next).toHaveBeenCalledTimes(1))
    stop()
    await eventually(() => openStreams(0))
    expect(sink.error).not.toHaveBeenCalled()
  })
})
