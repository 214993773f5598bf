// Limits of subscriptions, and what ends or keeps their connections.
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createSubscriptionLimiter } from '../../src/service/graphql/subscriptions/subscription-limiter.ts'
import { openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { eventually } from '../helpers/eventually.ts'
import { listenOn, type Stream, type SubscriptionOptions, subscribe } from '../helpers/subscribe.ts'
import { makeUser } from '../helpers/users.ts'
import { party, written } from '../helpers/write.ts'

let app: TestApp
let url: string
const streams: Stream[] = []
const sockets: Socket[] = []
const instances: TestApp[] = []

beforeAll(async () => {
  app = await openTestApp()
  url = await listenOn(app)
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  // A response that is not read keeps the service from closing.
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const instance of instances.splice(0)) await instance.app.close()
})
afterAll(() => app?.close())

/** Another instance with these settings. */
async function instance(env: Record<string, string>) {
  const other = await serve(app, env)
  instances.push(other)
  return { ...other, url: await listenOn(other) }
}

async function open(at: string, options: SubscriptionOptions = {}): Promise<Stream> {
  const stream = await subscribe(at, options)
  streams.push(stream)
  return stream
}

const refused = async (at: string, options?: SubscriptionOptions) => {
  const stream = await open(at, options)
  await eventually(() => expect(stream.isComplete()).toBe(true))
  return [stream.status, stream.code()]
}

const openCount = async ({ app: { inject } }: TestApp) =>
  Number(/^subscriptions_open (\d+)/m.exec((await inject('/metrics')).payload)?.[1])

test('a process and a client have as many subscriptions as the settings allow', async () => {
  const limited = await instance({ SUBSCRIPTIONS_MAX: '3', SUBSCRIPTIONS_PER_CLIENT: '2' })
  const { authorization } = await makeUser(app.db, 'subscriber')
  const [first] = [await open(limited.url), await open(limited.url)]
  expect(await refused(limited.url)).toEqual([429, 'TOO_MANY_REQUESTS'])
  await open(limited.url, { headers: { authorization } })
  expect(await refused(limited.url, { headers: { authorization } })).toEqual([503, 'UNAVAILABLE'])
  first?.close()
  await eventually(async () => expect(await openCount(limited)).toBe(2))
  expect((await open(limited.url)).status).toBe(200)
})

test('SUBSCRIPTIONS_MAX=0 switches subscriptions off', async () => {
  const without = await instance({ SUBSCRIPTIONS_MAX: '0' })
  expect(await refused(without.url)).toEqual([503, 'UNAVAILABLE'])
})

test('a client has at most 200 different subscriptions, and each is released once', () => {
  const limiter = createSubscriptionLimiter({ subscriptionsMax: 1000, subscriptionsPerClient: 1000 })
  const client = { viewer: undefined, address: '192.0.2.1' }
  const releases = Array.from({ length: 200 }, (_, number) => limiter.acquire(client, `key ${number}`))
  expect(() => limiter.acquire(client, 'another')).toThrow('different')
  releases.push(limiter.acquire(client, 'key 1'))
  releases[1]?.()
  releases[1]?.()
  expect(limiter.open).toBe(200)
  expect(() => limiter.acquire(client, 'another')).toThrow('different')
  limiter.acquire({ ...client, address: '192.0.2.2' }, 'another')
  for (const release of releases) release()
  expect(limiter.open).toBe(1)
})

test('opening a subscription counts towards the rate limit, and its cost is limited', async () => {
  const costly = await instance({ QUERY_COST_MAX: '40' })
  expect(await refused(costly.url)).toEqual([200, 'QUERY_TOO_COSTLY'])
  const rated = await instance({ QUERY_COST_MAX: '60', RATE_LIMIT: '2' })
  await open(rated.url)
  await open(rated.url)
  await open(rated.url)
  expect(await refused(rated.url)).toEqual([429, 'TOO_MANY_REQUESTS'])
})

test('long variables are rejected', async () => {
  const variables = { filter: { uids: ['x'.repeat(20_000)] } }
  expect(await refused(url, { variables })).toEqual([200, 'BAD_INPUT'])
})

test('a stream outlives REQUEST_TIMEOUT, and has a heartbeat', async () => {
  const quick = await instance({ REQUEST_TIMEOUT: '300', SUBSCRIPTION_HEARTBEAT: '100' })
  const stream = await open(quick.url)
  await eventually(() => expect(stream.comments()).toBeGreaterThan(5))
  expect(stream.isComplete()).toBe(false)
  const editor = await app.signIn('editor')
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
  await eventually(() => expect(stream.changes()).toHaveLength(1))
})

test('compression does not delay events', async () => {
  const compressing = await instance({ COMPRESSION: 'on' })
  const stream = await open(compressing.url, { headers: { 'accept-encoding': 'gzip, br' } })
  expect(stream.headers['content-encoding']).toBeUndefined()
})

test('streams end when the service stops, and new ones are refused', async () => {
  const stopping = await instance({})
  const stream = await open(stopping.url)
  stopping.stop()
  await eventually(() => expect(stream.isComplete()).toBe(true))
  expect(stream.code()).toBe('UNAVAILABLE')
  expect(await refused(stopping.url)).toEqual([503, 'UNAVAILABLE'])
})

test('a client that does not read is disconnected, and others are not delayed', async () => {
  const editor = await app.signIn('editor')
  const id = await written(editor, 'create', 'event', {
    ...party,
    status: 'PUBLISHED',
    description: 'x'.repeat(90_000),
  })
  const aliases = Array.from({ length: 60 }, (_, number) => `text${number}: description`).join(' ')
  const query = `subscription { eventChanged { type databaseId event { title ${aliases} } } }`
  const body = JSON.stringify({ query })
  const before = await openCount(app)
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  socket.write(
    `POST /graphql HTTP/1.1\r\nhost: ${hostname}\r\naccept: text/event-stream\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await eventually(async () => expect(await openCount(app)).toBe(before + 1))
  const reader = await open(url)
  let writes = 0
  while ((await openCount(app)) > before + 1 && writes < 100) {
    writes += 1
    await written(editor, 'update', 'event', { id, title: `Title ${writes}` })
    await eventually(() => expect(reader.changes().at(-1)).toBe(`UPDATED ${id} Title ${writes}`))
  }
  expect(writes).toBeLessThan(100)
})

test('closed connections leave nothing behind', async () => {
  const opened = await Promise.all(Array.from({ length: 20 }, () => open(url)))
  expect(await openCount(app)).toBe(20)
  for (const stream of opened) stream.close()
  await eventually(async () => expect(await openCount(app)).toBe(0))
  app.statements.length = 0
  const editor = await app.signIn('editor')
  await written(editor, 'create', 'event', { ...party, status: 'PUBLISHED' })
  const afterWrite = app.statements.length
  await setTimeout(300)
  expect(app.statements.length).toBe(afterWrite)
})

test('a subscription that opens while the last one with its filter closes is not refused', async () => {
  for (let round = 0; round < 10; round += 1) {
    const before = await open(url)
    const query = `subscription Round${round} { eventChanged { type databaseId event { title } } }`
    const opening = open(url, { query })
    before.close()
    const stream = await opening
    expect([stream.status, stream.code()]).toEqual([200, undefined])
    stream.close()
  }
})
