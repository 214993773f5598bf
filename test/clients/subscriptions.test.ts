// The stream of the recipes of docs/graphql.md. single-page-app.test.ts follows it with the clients.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { party, written } from '../helpers/write.ts'
import { type ClientTest, openClientTest } from './recipes.ts'

interface Streams {
  readonly changes: EventTarget
  readonly follow: (request: { query: string }, next: (data: object) => void) => () => void
}

const query = 'subscription { eventChanged { type event { id contentLanguage title } } }'

let files: ClientTest
let streams: Streams

beforeAll(async () => {
  files = await openClientTest()
  await files.writeApp()
  streams = await files.load<Streams>('src/streams.ts')
})
afterAll(() => files?.close())

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 600_000 })
const openStreams = async (count: number) =>
  expect((await files.app.app.inject('/metrics')).payload).toContain(`subscriptions_open ${count}`)

test('the stream begins again when changes were missed, and says each time that lists may be outdated', async () => {
  const editor = await files.app.signIn('editor')
  const [next, changed] = [vi.fn<(data: object) => void>(), vi.fn<() => void>()]
  streams.changes.addEventListener('change', changed)
  const stop = streams.follow({ query }, next)
  await eventually(() => expect(changed).toHaveBeenCalledTimes(1))
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
  await eventually(() => expect(next).toHaveBeenCalledTimes(1))
  expect(next.mock.lastCall?.[0]).toMatchObject({ eventChanged: { type: 'CREATED', event: { title: 'Party' } } })
  await eventually(() => expect(changed).toHaveBeenCalledTimes(2))

  // The notification of the triggers for more than 100 changed events.
  await files.app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
  await eventually(() => openStreams(0))
  await eventually(() => openStreams(1))
  await eventually(() => expect(changed.mock.calls.length).toBeGreaterThan(2))
  await written(editor, 'create', 'event', { ...party, title: 'Ball', status: 'PUBLISHED' })
  await eventually(() => expect(next).toHaveBeenCalledTimes(2))
  stop()
  await eventually(() => openStreams(0))
})
