// Webhooks, with receivers that respond over HTTP.
import dns from 'node:dns/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { startWebhooks, type Webhooks } from '../../src/calendar/webhook/run.ts'
import { createSchema } from '../../src/schema.ts'
import { createOperationRunner } from '../../src/service/graphql/execute.ts'
import { type ApiClient, now, openTestApp, type TestApp } from '../helpers/app.ts'
import { truncate } from '../helpers/db.ts'
import { makeCategory, makeEvent, makeTag } from '../helpers/make.ts'
import type { TestUser } from '../helpers/users.ts'
import { isSignedBy, startWebhookReceiver, type WebhookReceiver } from '../helpers/webhook-receiver.ts'

let app: TestApp
let boss: TestUser & ApiClient
let receiver: WebhookReceiver
let registry: Registry
let logged: unknown[] = []
const running: Webhooks[] = []

beforeAll(async () => {
  app = await openTestApp({ WEBHOOK_PRIVATE_HOSTS: '127.0.0.1,moving.test' })
  receiver = await startWebhookReceiver()
})
beforeEach(async () => {
  await truncate(app.db)
  app.clock.now = now
  boss = await app.signIn('administrator')
  receiver.received.length = 0
  receiver.responses.clear()
  logged = []
})
afterEach(stop)
afterAll(async () => {
  receiver?.close()
  await app?.close()
})

async function stop() {
  await Promise.all(running.splice(0).map((webhooks) => webhooks.close()))
}

async function start(): Promise<void> {
  registry = new Registry()
  const schema = createSchema(app.settings.languages)
  const execute = createOperationRunner(schema, { settings: app.settings })
  const { db, database, settings, site, clock } = app
  const log = { warn: (...line: unknown[]) => logged.push(line) }
  const options = { db, database, settings, site, schema, execute, registry, log, now: () => clock.now }
  running.push(await startWebhooks(options))
}

/** Runs a mutation with an input. Returns its payload. */
async function mutate(name: string, input: object, selection: string, client: ApiClient = boss) {
  const type = name === 'deleteWebhook' || name === 'pingWebhook' ? 'Webhook' : name[0]?.toUpperCase() + name.slice(1)
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) { ${selection} userErrors { code path message } } }`
  const { body } = await client.graphql(query, { input })
  expect(body.errors).toBeUndefined()
  return body.data[name]
}

async function create(path: string, input: object = {}): Promise<{ id: number; secret: string }> {
  const { webhook, secret, userErrors } = await mutate(
    'createWebhook',
    { url: `${receiver.url}${path}`, ...input },
    'secret webhook { databaseId }',
  )
  expect(userErrors).toEqual([])
  return { id: webhook.databaseId, secret }
}

const deliveries = (webhookId: number) =>
  app.db.webhookDelivery.findMany({ where: { webhookId }, orderBy: { id: 'asc' } })

/** Resolves once a delivery meets the condition. */
async function delivery(
  webhookId: number,
  condition: (row: Awaited<ReturnType<typeof deliveries>>[number]) => boolean,
) {
  for (;;) {
    const found = (await deliveries(webhookId)).find(condition)
    if (found) return found
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const makeDue = async () => {
  await app.db.webhookDelivery.updateMany({ data: { dueAt: new Date(0) } })
  await app.db.$queryRaw`SELECT pg_notify('calendar_changes', 'tag')::text`
}
const rename = async (event: number, title: string) => {
  const { status } = await boss.send('POST', `/cal/events/v1/events/${event}`, { title })
  expect(status).toBe(200)
}
const typesOf = (path: string) =>
  receiver.received.filter((each) => each.path === path).map(({ message: { type, data } }) => [type, data.databaseId])

describe('messages', () => {
  test('about a series tell of each of its dates', async () => {
    await create('/series')
    await start()
    const times = { startsLocal: '2026-12-01T19:00:00', endsLocal: '2026-12-01T21:00:00' }
    const schedule = { recurrences: [{ ...times, rule: 'FREQ=WEEKLY;COUNT=3' }] }
    const made = await mutate(
      'createEventSeries',
      { title: 'Course', status: 'PUBLISHED', schedule },
      'series { events { nodes { databaseId } } }',
    )
    const ids: number[] = made.series.events.nodes.map(({ databaseId }: { databaseId: number }) => databaseId)
    const told = (type: string, ...dates: number[]) => dates.map((date) => [`event.${type}`, ids[date]])
    const next = async (count: number) => {
      await receiver.until('/series', count)
      const types = typesOf('/series').toSorted(([, a], [, b]) => Number(a) - Number(b))
      receiver.received.length = 0
      return types
    }
    expect(await next(3)).toEqual(told('created', 0, 1, 2))
    // What was published at the time of the last look at the log is found again.
    app.clock.now = new Date(now.getTime() + 1000)
    await mutate('updateEvent', { id: String(ids[0]), title: 'Talk', scope: 'ALL' }, '__typename')
    expect(await next(3)).toEqual(told('updated', 0, 1, 2))
    await mutate('updateEvent', { id: String(ids[1]), title: 'Later', scope: 'FOLLOWING' }, '__typename')
    expect(await next(3)).toEqual(told('updated', 0, 1, 2))
    const { status } = await boss.send('DELETE', `/cal/events/v1/events/${ids[1]}`)
    expect([status, await next(2)]).toEqual([200, [...told('deleted', 1), ...told('updated', 2)]])
  })

  test('have the data of the record and a signature that the library accepts', async () => {
    const { secret } = await create('/a', { language: 'FR' })
    await start()
    const event = await makeEvent(app.db, { en: 'Party', fr: 'La fête' })
    const [received] = await receiver.until('/a', 1)
    expect(isSignedBy(secret, received)).toBe(true)
    expect(isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, received)).toBe(false)
    const { type, timestamp, data } = received?.message ?? { type: '', timestamp: '', data: {} }
    expect(type).toBe('event.created')
    expect(new Date(timestamp).toISOString()).toBe(timestamp)
    const entry = await app.db.change.findFirst({ where: { kind: 'event', recordId: event }, orderBy: { id: 'desc' } })
    expect(data).toEqual({
      ...{ kind: 'event', id: Buffer.from(`Event:${event}`).toString('base64'), databaseId: event },
      url: 'http://calendar.test/fr/event/la-fete/',
      languages: ['en', 'fr'],
      changeId: String(entry?.id),
    })
  })

  test('tell what became of a record, for visitors only of what they can see', async () => {
    await create('/visitors')
    await create('/editor', { userId: (await app.signIn('editor')).id })
    await start()
    const event = await makeEvent(app.db, 'Plan', { status: 'draft' })
    await receiver.until('/editor', 1)
    const act = async (mutation: string, input: object, seenBy: readonly string[]) => {
      const counts = seenBy.map((path) => typesOf(path).length + 1)
      const { body } = await boss.graphql(
        `mutation ($input: ${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input!) { ${mutation}(input: $input) { userErrors { message } } }`,
        { input },
      )
      expect(body.data?.[mutation].userErrors).toEqual([])
      for (const [index, path] of seenBy.entries()) await receiver.until(path, counts[index] ?? 0)
    }
    await act('updateEvent', { id: event, title: 'Secret plan' }, ['/editor'])
    await act('updateEvent', { id: event, status: 'PUBLISHED' }, ['/editor', '/visitors'])
    await act('updateEvent', { id: event, title: 'Plan B' }, ['/editor', '/visitors'])
    await act('updateEvent', { id: event, status: 'DRAFT' }, ['/editor', '/visitors'])
    await act('updateEvent', { id: event, status: 'PUBLISHED' }, ['/editor', '/visitors'])
    // A message may be repeated while a transaction of another database of the server runs.
    const types = (path: string) => typesOf(path).flatMap(([type], n, all) => (type === all[n - 1]?.[0] ? [] : [type]))
    const seen = () => [types('/visitors'), types('/editor')]
    await expect.poll(seen).toEqual([
      ['event.created', 'event.updated', 'event.deleted', 'event.created'],
      ['event.created', 'event.updated'],
    ])
  })

  test('are about the kinds and records of the filter', async () => {
    const music = await makeCategory(app.db, 'Music')
    await create('/music', { filter: { kinds: ['EVENT'], events: { categories: ['music'] } } })
    await create('/tags', { filter: { kinds: ['TAG'] } })
    await start()
    const concert = await makeEvent(app.db, 'Concert', { categoryIds: [music] })
    await makeEvent(app.db, 'Talk')
    const tag = await makeTag(app.db, 'late')
    await receiver.until('/music', 1)
    await receiver.until('/tags', 1)
    expect(typesOf('/music')).toEqual([['event.created', concert]])
    expect(typesOf('/tags')).toEqual([['tag.created', tag]])
  })

  test('join changes of a record that were not sent yet', async () => {
    const { id } = await create('/a')
    const event = await makeEvent(app.db, 'First')
    await rename(event, 'Second')
    await start()
    await receiver.until('/a', 1)
    await stop()
    expect(typesOf('/a')).toEqual([['event.created', event]])
    await app.db.webhook.update({ where: { id }, data: { pausedUntil: new Date(Date.now() + 3_600_000) } })
    await start()
    for (const title of ['Third', 'Fourth']) {
      await rename(event, title)
      await delivery(id, ({ state }) => state === 'pending')
    }
    await boss.send('DELETE', `/cal/events/v1/events/${event}`)
    await delivery(id, ({ type }) => type === 'deleted')
    await app.db.webhook.update({ where: { id }, data: { pausedUntil: null } })
    await receiver.until('/a', 2)
    await delivery(id, ({ type, state }) => type === 'deleted' && state === 'delivered')
    expect(typesOf('/a')).toEqual([
      ['event.created', event],
      ['event.deleted', event],
    ])
    expect(await app.db.webhookDelivery.count()).toBe(2)
  })
})

describe('an endpoint that fails', () => {
  const failures: readonly (readonly [
    string,
    (url: string) => Parameters<WebhookReceiver['responses']['set']>[1],
    string,
  ])[] = [
    [
      'status 500',
      () => (response) => response.writeHead(500).end('x'.repeat(1_000_000)),
      'It responded with status 500.',
    ],
    [
      'a redirect',
      (url) => (response) => response.writeHead(302, { location: `${url}/elsewhere` }).end(),
      'It redirected with status 302. Set the URL to the final address.',
    ],
    ['a connection that is closed', () => (response) => response.destroy(), 'The request failed: UND_ERR_SOCKET.'],
  ]
  test.each(failures)('by %s gets the same message again', async (_name, respond, error) => {
    receiver.responses.set('/a', respond(receiver.url))
    const { id } = await create('/a')
    await start()
    const event = await makeEvent(app.db, 'Party')
    const failed = await delivery(id, ({ lastError }) => lastError !== null)
    expect(failed).toMatchObject({ state: 'pending', tries: 1, lastError: error })
    expect(failed.dueAt.getTime()).toBeGreaterThan(Date.now())
    receiver.responses.clear()
    await makeDue()
    const done = await delivery(id, ({ recordId, state }) => recordId === event && state === 'delivered')
    expect(done).toMatchObject({ tries: 2, lastError: null, lastStatus: 204 })
    const own = receiver.received.filter(({ message }) => message.data.databaseId === event)
    expect(own.map(({ path }) => path)).toEqual(['/a', '/a'])
    expect(new Set(own.map(({ id, body }) => `${id} ${body}`)).size).toBe(1)
  })

  test('fails for good after ten tries, and the message can be sent again', async () => {
    receiver.responses.set('/a', (response) => response.writeHead(503).end())
    const { id } = await create('/a')
    await start()
    const event = await makeEvent(app.db, 'Party')
    for (let tries = 1; tries <= 10; tries += 1) {
      const { dueAt } = await delivery(id, (row) => row.tries === tries && row.leasedUntil === null)
      expect(dueAt.getTime() - Date.now()).toBeLessThan(86_400_000 * 1.2)
      await makeDue()
    }
    const dead = await delivery(id, ({ state }) => state === 'failed')
    receiver.responses.clear()
    const replay = { id, deliveryId: dead.id }
    expect((await mutate('replayWebhookDeliveries', replay, 'count')).count).toBe(1)
    await delivery(id, ({ state }) => state === 'delivered')
    const own = typesOf('/a')
    expect(own).toEqual(Array(11).fill(['event.created', event]))
    expect(receiver.received.at(-1)?.id).not.toBe(dead.messageId)
    const again = { id, from: '2000-01-01T00:00:00Z', to: '2100-01-01T00:00:00Z' }
    expect((await mutate('replayWebhookDeliveries', again, 'count')).count).toBe(1)
    const none = { id, from: '2100-01-01T00:00:00Z' }
    expect((await mutate('replayWebhookDeliveries', none, 'count')).count).toBe(0)
  })

  test('is not told again of a record that later messages are about', async () => {
    const fail = () => receiver.responses.set('/a', (response) => response.writeHead(503).end())
    const { id } = await create('/a')
    await start()
    fail()
    const [ended, waiting, alone] = [
      await makeEvent(app.db, 'A'),
      await makeEvent(app.db, 'B'),
      await makeEvent(app.db, 'C'),
    ]
    for (const recordId of [ended, waiting, alone]) {
      const failed = await delivery(
        id,
        (row) => row.recordId === recordId && row.lastStatus === 503 && !row.leasedUntil,
      )
      await app.db.webhookDelivery.update({ where: { id: failed.id }, data: { state: 'failed' } })
    }
    receiver.responses.clear()
    const remove = (event: number) => boss.send('DELETE', `/cal/events/v1/events/${event}`)
    await remove(ended)
    await delivery(id, ({ recordId, state }) => recordId === ended && state === 'delivered')
    fail()
    await remove(waiting)
    await delivery(id, (row) => row.recordId === waiting && row.state === 'pending' && row.lastStatus === 503)
    receiver.responses.clear()
    receiver.received.length = 0
    const first = await delivery(id, ({ recordId }) => recordId === ended)
    for (const [which, count] of [
      [{ deliveryId: first.id }, 0],
      [{ state: 'FAILED' }, 1],
    ] as const) {
      const replayed = await mutate('replayWebhookDeliveries', { id, ...which }, 'count')
      expect(replayed).toEqual({ count, userErrors: [] })
    }
    await makeDue()
    await receiver.until('/a', 2)
    expect(typesOf('/a').toSorted()).toEqual([
      ['event.created', alone],
      ['event.deleted', waiting],
    ])
  })

  test('by 429 is left alone for as long as it asks', async () => {
    receiver.responses.set('/a', (response) => response.writeHead(429, { 'retry-after': '7200' }).end())
    const { id } = await create('/a')
    await start()
    await makeEvent(app.db, 'Party')
    const { dueAt } = await delivery(id, ({ lastStatus }) => lastStatus === 429)
    expect(dueAt.getTime() - Date.now()).toBeGreaterThan(7_000_000)
    receiver.responses.clear()
    await makeEvent(app.db, 'Other')
    await delivery(id, ({ tries }) => tries === 0)
    await create('/b')
    await makeEvent(app.db, 'Third')
    await receiver.until('/b', 1)
    expect(typesOf('/a')).toHaveLength(1)
    await app.db.webhook.update({ where: { id }, data: { pausedUntil: null } })
    await makeDue()
    await receiver.until('/a', 4)
  })

  test('by 410 is disabled, and told later of what it missed', async () => {
    receiver.responses.set('/a', (response) => response.writeHead(410).end())
    const { id } = await create('/a')
    await start()
    await makeEvent(app.db, 'Party')
    await delivery(id, ({ state }) => state === 'failed')
    const webhook = () => app.db.webhook.findUniqueOrThrow({ where: { id } })
    while ((await webhook()).enabled) await new Promise((resolve) => setTimeout(resolve, 20))
    expect((await webhook()).disabledReason).toBe('The endpoint responded with status 410: it is gone.')
    receiver.responses.clear()
    const missed = await makeEvent(app.db, 'Missed')
    await mutate('updateWebhook', { id, enabled: true }, 'webhook { enabled disabledReason }')
    await makeEvent(app.db, 'Other')
    await receiver.until('/a', 3)
    expect(typesOf('/a')).toContainEqual(['event.created', missed])
  })

  test('by never responding delays no other endpoint', async () => {
    await create('/never-reads')
    receiver.responses.set('/hangs', () => {})
    await create('/hangs')
    await create('/works')
    await start()
    for (let count = 0; count < 12; count += 1) await makeEvent(app.db, `Party ${count}`)
    await receiver.until('/works', 12)
    expect(receiver.open('/never-reads')).toBeLessThanOrEqual(4)
    expect(receiver.open('/hangs')).toBeLessThanOrEqual(4)
    // Interrupted messages are not lost.
    await stop()
    const interrupted = await app.db.webhookDelivery.findMany({ where: { state: 'pending', tries: { gt: 0 } } })
    expect(interrupted.map(({ leasedUntil }) => leasedUntil)).toEqual(Array(interrupted.length).fill(null))
    expect(interrupted.length).toBeGreaterThan(1)
  })

  test('is told of the last change only, in the order of changes', async () => {
    const { id } = await create('/a')
    const event = await makeEvent(app.db, 'Party')
    const { promise, resolve } = Promise.withResolvers<void>()
    receiver.responses.set('/a', async (response, count) => {
      if (count === 1) await promise
      response.writeHead(count === 1 ? 500 : 204).end()
    })
    await start()
    await receiver.until('/a', 1)
    await rename(event, 'Another party')
    // A message that is being sent may be about the record before the change.
    await delivery(id, ({ state, tries }) => state === 'pending' && tries === 0)
    expect(typesOf('/a')).toHaveLength(1)
    resolve()
    await receiver.until('/a', 2)
    await delivery(id, ({ state }) => state === 'delivered')
    expect((await deliveries(id)).map(({ type, state }) => [type, state])).toEqual([
      ['created', 'replaced'],
      ['created', 'delivered'],
    ])
  })
})

describe('administrators', () => {
  test('ping an endpoint', async () => {
    const { id, secret } = await create('/a')
    const fields = 'delivery { type state lastStatus lastError kind recordId messageId }'
    const { delivery: sent } = await mutate('pingWebhook', { id }, fields)
    const [received] = await receiver.until('/a', 1)
    expect(sent).toEqual({
      ...{ type: 'PING', state: 'DELIVERED', lastStatus: 204, lastError: null, kind: null, recordId: null },
      messageId: received?.id,
    })
    expect(received?.message).toMatchObject({ type: 'ping', data: {} })
    expect(isSignedBy(secret, received)).toBe(true)
    receiver.responses.set('/a', (response) => response.writeHead(500).end())
    const failed = await mutate('pingWebhook', { id }, fields)
    expect(failed.delivery).toMatchObject({
      state: 'FAILED',
      lastStatus: 500,
      lastError: 'It responded with status 500.',
    })
  })

  test('rotate a secret: for a while, the earlier one signs, too', async () => {
    const { id, secret } = await create('/a')
    const { secret: next } = await mutate('rotateWebhookSecret', { id, overlapHours: 1 }, 'secret')
    expect(next).not.toBe(secret)
    await mutate('pingWebhook', { id }, 'delivery { id }')
    const { secret: last } = await mutate('rotateWebhookSecret', { id, overlapHours: 0 }, 'secret')
    await mutate('pingWebhook', { id }, 'delivery { id }')
    const signed = receiver.received.map((each) => [secret, next, last].map((key) => isSignedBy(key, each)))
    expect(signed).toEqual([
      [true, true, false],
      // The overlap of the first one goes on.
      [true, false, true],
    ])
  })

  test('see secrets once, and nobody else sees webhooks', async () => {
    const { id, secret } = await create('/a')
    const all = `{ webhooks { totalCount nodes { id databaseId url filter language enabled disabledReason secretCount user { id }
      deliveries(first: 5, state: DELIVERED) { totalCount nodes { id type state } } } } }`
    await mutate('pingWebhook', { id }, 'delivery { id }')
    const { body } = await boss.graphql(all)
    expect(body.data.webhooks.nodes).toMatchObject([
      {
        databaseId: id,
        filter: {},
        language: 'EN',
        enabled: true,
        secretCount: 1,
        user: null,
        deliveries: { totalCount: 1 },
      },
    ])
    const change = await app.db.change.findMany({ where: { kind: 'webhook' } })
    expect(change.map(({ action, recordId }) => [action, recordId])).toEqual([['created', id]])
    for (const text of [
      JSON.stringify(body),
      JSON.stringify(change, (_, value) => String(value)),
      JSON.stringify(logged),
    ])
      expect(text).not.toContain(secret)
    const globalId = body.data.webhooks.nodes[0].id
    const deliveryId = body.data.webhooks.nodes[0].deliveries.nodes[0].id
    const editor = await app.signIn('editor')
    for (const client of [editor, app]) {
      const read = await client.graphql(all)
      expect(['FORBIDDEN', 'UNAUTHENTICATED']).toContain(read.body.errors[0].extensions.code)
      const nodes = await client.graphql('query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', {
        ids: [globalId, deliveryId],
      })
      expect(nodes.body.data.nodes).toEqual([null, null])
      for (const [name, input] of Object.entries({
        createWebhook: { url: `${receiver.url}/b` },
        updateWebhook: { id, enabled: false },
        deleteWebhook: { id },
        rotateWebhookSecret: { id },
        pingWebhook: { id },
        replayWebhookDeliveries: { id, from: '2000-01-01T00:00:00Z' },
      })) {
        const { userErrors } = await mutate(name, input, '__typename', client)
        expect(['FORBIDDEN', 'UNAUTHENTICATED']).toContain(userErrors[0]?.code)
      }
    }
    expect(receiver.received).toHaveLength(1)
  })

  test.each([
    ['a private address', { url: 'http://127.0.0.2/' }, 'url'],
    ['a name with a private address', { url: 'http://localhost:1/' }, 'url'],
    ['a password', { url: 'http://me:secret@127.0.0.1/' }, 'url'],
    ['an unknown criterion', { filter: { kinds: ['EVENT'], colours: [] } }, 'filter'],
    ['an unknown kind', { filter: { kinds: ['SONG'] } }, 'filter'],
    ['an unknown user', { userId: 4711 }, 'userId'],
  ])('cannot create a webhook with %s', async (_name, input, path) => {
    const { userErrors, webhook } = await mutate(
      'createWebhook',
      { url: `${receiver.url}/a`, ...input },
      'webhook { id }',
    )
    expect([webhook, userErrors.map(({ path: [field] }: { path: string[] }) => field)]).toEqual([null, [path]])
  })

  test('have an address checked with every message', async () => {
    const { id } = await create('/a')
    // As if the name had got another address since.
    await app.db.webhook.update({ where: { id }, data: { url: receiver.url.replace('127.0.0.1', 'localhost') } })
    const { delivery: sent } = await mutate('pingWebhook', { id }, 'delivery { lastError lastStatus }')
    expect(sent).toEqual({
      lastError: 'The host has a private address. WEBHOOK_PRIVATE_HOSTS can allow it.',
      lastStatus: null,
    })
    expect(receiver.received).toEqual([])
  })

  test.each([
    ['a name that gets a private address', 'evil.test', ['93.184.216.34', '127.0.0.1'], null, 0],
    // A second lookup for the request would not find the receiver.
    ['a name whose address changes after the check', 'moving.test', ['127.0.0.1', '127.0.0.1', '127.0.0.9'], 204, 1],
  ])('have %s looked up once for each message', async (_name, host, addresses, lastStatus, count) => {
    const lookup = vi.spyOn(dns, 'lookup')
    for (const address of addresses) lookup.mockResolvedValueOnce([{ address, family: 4 }] as never)
    syncBuiltinESMExports()
    onTestFinished(() => {
      lookup.mockRestore()
      syncBuiltinESMExports()
    })
    const { id } = await create('/a', { url: `${receiver.url.replace('127.0.0.1', host)}/a` })
    const { delivery: sent } = await mutate('pingWebhook', { id }, 'delivery { lastError lastStatus }')
    const refused = 'The host has a private address. WEBHOOK_PRIVATE_HOSTS can allow it.'
    expect(sent).toEqual({ lastError: lastStatus === null ? refused : null, lastStatus })
    expect([lookup.mock.calls.length, receiver.received.length]).toEqual([2, count])
  })

  test('delete a webhook, and with a user what the user could see', async () => {
    const { id } = await create('/a')
    const editor = await app.signIn('editor')
    await create('/b', { userId: editor.id })
    await mutate('deleteWebhook', { id }, 'databaseId')
    await app.db.user.delete({ where: { id: editor.id } })
    expect(await app.db.webhook.count()).toBe(0)
  })
})

test('metrics count messages', async () => {
  receiver.responses.set('/a', (response) => response.writeHead(500).end())
  const { id } = await create('/a')
  await start()
  await makeEvent(app.db, 'Party')
  await delivery(id, ({ lastStatus }) => lastStatus === 500)
  await delivery(id, ({ lastStatus, leasedUntil }) => lastStatus === 500 && leasedUntil === null)
  const text = await registry.metrics()
  expect(text).toMatch(/^webhook_deliveries_pending 1$/m)
  expect(text).toMatch(/^webhook_oldest_pending_seconds \d/m)
  expect(text).toMatch(/^webhook_deliveries_total\{result="retried"\} 1$/m)
})

test('the log that expired, and a filter that is not valid any more', async () => {
  const { id } = await create('/a')
  await makeEvent(app.db, 'Lost')
  await app.db.change.deleteMany()
  await start()
  const { id: invalid } = await create('/b')
  await app.db.webhook.update({ where: { id: invalid }, data: { filter: { colours: [] } } })
  await makeEvent(app.db, 'Party')
  while ((await app.db.webhook.findFirst({ where: { id: invalid } }))?.enabled)
    await new Promise((resolve) => setTimeout(resolve, 20))
  const event = await makeEvent(app.db, 'Next')
  await delivery(id, ({ recordId, state }) => recordId === event && state === 'delivered')
  expect(typesOf('/b')).toEqual([])
})
