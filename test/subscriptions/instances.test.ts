// Changes by other instances, at a publication date, in large numbers, and after the loss of the database connection.
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { type ApiClient, now, openTestApp, serve, type TestApp } from '../helpers/app.ts'
import { eventually } from '../helpers/eventually.ts'
import { type ListenerProxy, startListenerProxy } from '../helpers/listener-proxy.ts'
import { listenOn, type Stream, type SubscriptionOptions, subscribe } from '../helpers/subscribe.ts'
import { party, written } from '../helpers/write.ts'

const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const

let app: TestApp
let other: TestApp
let url: string
let otherUrl: string
let editor: ApiClient
const streams: Stream[] = []

beforeAll(async () => {
  app = await openTestApp()
  other = await serve(app, { CACHE_BYTES: '0' })
  ;[url, otherUrl] = [await listenOn(app), await listenOn(other)]
  editor = await app.signIn('editor')
})
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close()
  app.clock.now = now
  // They would be published again when another test sets the clock.
  await app.db.event.deleteMany({ where: { publishedAt: { gt: now } } })
})
afterAll(async () => {
  await other?.app.close()
  await app?.close()
})

async function open(at: string, options: SubscriptionOptions = {}): Promise<Stream> {
  const stream = await subscribe(at, options)
  streams.push(stream)
  return stream
}

/** A time when the clocks of the instances differ. */
const soon = new Date(now.getTime() + 60_000)

const publish = (fields: object = {}) =>
  written(editor, 'create', 'event', { ...party, status: 'PUBLISHED', ...fields })
const hasChanges = (stream: Stream, changes: readonly string[]) =>
  eventually(() => expect(stream.changes()).toEqual(changes))

test('an instance without response cache reports what another instance writes', async () => {
  const stream = await open(otherUrl)
  const id = await publish()
  await hasChanges(stream, [`CREATED ${id} Party`])
})

test('an event that is published by a write is reported once', async () => {
  const stream = await open(url)
  app.clock.now = soon
  const id = await publish()
  await setTimeout(1200)
  expect(stream.changes()).toEqual([`CREATED ${id} Party`])
})

test('a scheduled event is created at its publication date', async () => {
  const [visitor, signedIn] = [await open(url), await open(url, { headers: { authorization: await authorization() } })]
  const id = await publish({ publishedAt: soon.toISOString() })
  await hasChanges(signedIn, [`CREATED ${id} Party`])
  expect(visitor.changes()).toEqual([])
  app.clock.now = soon
  await hasChanges(visitor, [`CREATED ${id} Party`])
  await hasChanges(signedIn, [`CREATED ${id} Party`, `UPDATED ${id} Party`])
})

test('an event is created at a publication date that was moved forward', async () => {
  const stream = await open(url)
  const later = new Date(now.getTime() + 3_600_000)
  const id = await publish({ publishedAt: later.toISOString() })
  // The service finds out when the next publication is due.
  await setTimeout(1200)
  await written(editor, 'update', 'event', { id, publishedAt: soon.toISOString() })
  // The notification of the write is handled while the event is not visible yet.
  await setTimeout(1200)
  expect(stream.changes()).toEqual([])
  app.clock.now = soon
  await hasChanges(stream, [`CREATED ${id} Party`])
})

const authorization = async () => (await app.signIn('administrator')).authorization

test.runIf(inject('server'))(
  'a change arrives although no connection to the database was free for a while',
  async () => {
    const stream = await open(url)
    const id = await publish()
    await hasChanges(stream, [`CREATED ${id} Party`])
    const { pool } = app.database
    const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()))
    await clients[0]?.query(`NOTIFY calendar_changes, 'event:${id}'`)
    // Longer than a statement waits for a connection.
    await setTimeout(4000)
    for (const client of clients) client.release()
    await hasChanges(stream, [`CREATED ${id} Party`, `UPDATED ${id} Party`])
  },
)

test('a stream ends with an error if more events change at once than a notification names', async () => {
  const stream = await open(url)
  // The triggers of the database send this for more than 100 rows.
  await app.db.$executeRaw`NOTIFY calendar_changes, 'event'`
  await eventually(() => expect(stream.isComplete()).toBe(true))
  expect(stream.code()).toBe('CHANGES_MISSED')
  const again = await open(url)
  const id = await publish()
  await hasChanges(again, [`CREATED ${id} Party`])
})

test.runIf(inject('server')).each(['closed', 'silent'] as const)(
  'streams end with an error when the listening connection is %s, and new ones work when it is back',
  async (how) => {
    const { rows } = await app.database.pool.query('SELECT current_database() AS name')
    const direct = new URL(inject('template'))
    direct.pathname = `/${rows[0].name}`
    const proxy: ListenerProxy = await startListenerProxy(direct.href)
    const database = openServerDatabase(proxy.url, 2)
    const instance = await serve({ ...app, database }, {})
    const at = await listenOn(instance)
    const stream = await open(at)
    expect(stream.status).toBe(200)
    proxy.cut(how)
    await eventually(() => expect(stream.isComplete()).toBe(true))
    expect(stream.code()).toBe('CHANGES_MISSED')
    const again = await eventually(async () => {
      const next = await open(at)
      expect(next.status).toBe(200)
      return next
    })
    const id = await publish()
    await hasChanges(again, [`CREATED ${id} Party`])
    await instance.app.close()
    await database.close()
    proxy.close()
  },
)

test('subscribers with several roles and filters get each of sixteen writes once', async () => {
  const filters = [{}, { filter: { featured: true } }, { filter: { tags: ['night'] } }]
  const headers = [
    {},
    ...(await Promise.all(roles.map(async (role) => ({ authorization: (await app.signIn(role)).authorization })))),
  ]
  const opened = await Promise.all(
    Array.from({ length: filters.length * headers.length }, async (_, number) => {
      const [filter, reader] = [number % filters.length, Math.floor(number / filters.length)]
      const at = number % 2 === 0 ? url : otherUrl
      const stream = await open(at, { variables: filters[filter] ?? {}, headers: headers[reader] ?? {} })
      return { stream, filter, seesDrafts: reader > 3 }
    }),
  )
  const expected: { id: number; filters: readonly number[]; isDraft: boolean }[] = []
  const writes = Array.from({ length: 16 }, (_, number) => async () => {
    const [featured, isNight, isDraft] = [number % 2 === 0, number % 3 === 0, number % 5 === 0]
    const id = await publish({
      ...{ title: `Write ${number}`, featured, status: isDraft ? 'DRAFT' : 'PUBLISHED' },
      tags: isNight ? [{ nameOrSlug: 'night' }] : [],
    })
    expected.push({ id, filters: [0, ...(featured ? [1] : []), ...(isNight ? [2] : [])], isDraft })
  })
  for (const four of [0, 1, 2, 3]) await Promise.all(writes.slice(4 * four, 4 * four + 4).map((run) => run()))
  for (const { stream, filter, seesDrafts } of opened) {
    const ids = expected.filter((each) => each.filters.includes(filter) && (seesDrafts || !each.isDraft))
    await eventually(() => {
      const changes = stream.changes().map((change) => change.split(' ').slice(0, 2).join(' '))
      expect(changes.toSorted()).toEqual(ids.map(({ id }) => `CREATED ${id}`).toSorted())
    })
  }
})
