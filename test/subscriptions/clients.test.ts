// Subscriptions by the client of graphql-sse, by EventSource's GET, and by clients that cannot read a stream.
import { type Client, createClient } from 'graphql-sse'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ApiClient, openTestApp, type TestApp } from '../helpers/app.ts'
import { listenOn } from '../helpers/subscribe.ts'
import { party, written } from '../helpers/write.ts'

let app: TestApp
let url: string
let client: Client
let editor: ApiClient

beforeAll(async () => {
  app = await openTestApp()
  url = await listenOn(app)
  client = createClient({ url: `${url}/graphql`, retryAttempts: 0 })
  editor = await app.signIn('editor')
})
afterAll(() => app?.close())

const query = 'subscription { eventChanged { type event { title } } }'

test('the client of graphql-sse receives changes', async () => {
  const { promise: isConnected, resolve } = Promise.withResolvers<void>()
  const changes = client.iterate({ query }, { connected: () => resolve() })
  const first = changes.next()
  await isConnected
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
  expect((await first).value).toEqual({ data: { eventChanged: { type: 'CREATED', event: { title: 'Party' } } } })
  await changes.return?.()
})

test('the client of graphql-sse receives the result of a query and the errors of an operation', async () => {
  const results = async (text: string) => {
    const all = []
    for await (const result of client.iterate({ query: text })) all.push(result)
    return all
  }
  expect(await results('{ __typename }')).toEqual([{ data: { __typename: 'Query' } }])
  const [invalid] = await results('subscription { eventChanged { nothing } }')
  expect(invalid?.errors?.[0]?.message).toContain('nothing')
  const [badInput] = await results('subscription { eventChanged(filter: { include: ["?"] }) { eventId } }')
  expect(badInput?.errors?.[0]?.extensions?.code).toBe('BAD_INPUT')
})

test('EventSource subscribes by GET', async () => {
  const controller = new AbortController()
  const address = `${url}/fr/graphql?query=${encodeURIComponent(query)}`
  const { status, headers } = await fetch(address, {
    headers: { accept: 'text/event-stream' },
    signal: controller.signal,
  })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  expect([headers.get('cache-control'), headers.get('x-accel-buffering')]).toEqual(['no-store, no-transform', 'no'])
  controller.abort()
})

test('a client that accepts no stream of events gets status 406', async () => {
  const { status, body } = await app.graphql(query)
  expect([status, body.errors[0].extensions.code]).toEqual([406, 'NOT_ACCEPTABLE'])
})

test('a client that also accepts JSON gets a stream for a subscription and JSON for a query', async () => {
  const accept = 'application/graphql-response+json, application/json, text/event-stream'
  const send = (text: string) =>
    fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { accept, 'content-type': 'application/json' },
      body: JSON.stringify({ query: text }),
    })
  const stream = await send(query)
  expect(stream.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  await stream.body?.cancel()
  expect((await send('{ __typename }')).headers.get('content-type')).toContain('application/graphql-response+json')
})

test('an unknown credential gets status 401', async () => {
  const headers = { authorization: 'Bearer unknown', accept: 'text/event-stream', 'content-type': 'application/json' }
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) })
  expect(response.status).toBe(401)
  expect(await response.text()).toMatch(/^event: next\ndata: .*UNAUTHENTICATED.*\n\nevent: complete\ndata:\n\n$/)
})
