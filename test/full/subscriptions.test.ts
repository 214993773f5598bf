// Many subscribers while many events are written, on a server: every change arrives once at those who may see it, and the
// memory of the service stays the same. SECONDS shortens the load.
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createClient, type Db } from '../../src/db/client.ts'
import { type Database, openServer } from '../../src/db/pool.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { type Service, startService } from '../helpers/process.ts'
import { makeUser } from '../helpers/users.ts'
import { party } from '../helpers/write.ts'

const seconds = Number(process.env.SECONDS ?? 60)
const [subscribers, writesPerSecond] = [1000, 50]
const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
const filters = [{}, { featured: true }, { tags: ['night'] }, { when: 'UPCOMING' }]

let databaseUrl: Awaited<ReturnType<typeof migratedDatabaseUrl>>
let database: Database
let db: Db
let service: Service

beforeAll(async () => {
  if (!inject('server')) return
  databaseUrl = await migratedDatabaseUrl('')
  database = openServer(databaseUrl.url, 2)
  db = createClient(database.pool)
  service = await startService({ DATABASE_URL: databaseUrl.url, SEED: 'off' })
  await service.ready()
}, 120_000)
afterAll(async () => {
  service?.child.kill('SIGTERM')
  await service?.ended
  await db?.$disconnect()
  await database?.close()
  await databaseUrl?.drop()
})

interface Received {
  readonly id: number
  readonly type: string
  readonly at: number
}

interface Subscriber {
  readonly filter: number
  readonly seesDrafts: boolean
  readonly received: Received[]
  readonly response: IncomingMessage
}

function subscribe(authorization: string | undefined, filter: object): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const headers = {
    accept: 'text/event-stream',
    'content-type': 'application/json',
    ...(authorization && { authorization }),
  }
  const sent = request(`${service.url}/graphql`, { method: 'POST', headers, agent: false })
  sent.on('response', resolve).on('error', reject)
  const query = `subscription($filter: EventFilter) { eventChanged(filter: $filter) { type databaseId event { title startsAt venues { name } } } }`
  sent.end(JSON.stringify({ query, variables: { filter } }))
  return promise
}

const message = /"type":"(\w+)","databaseId":(\d+)/g

function collect(response: IncomingMessage, received: Received[]): void {
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const end = (rest + text).lastIndexOf('\n\n')
    const complete = (rest + text).slice(0, end + 1)
    rest = (rest + text).slice(end + 1)
    const at = performance.now()
    for (const [, type = '', id] of complete.matchAll(message)) received.push({ id: Number(id), type, at })
  })
}

interface Written {
  readonly filters: readonly number[]
  readonly isDraft: boolean
  /** The changes, and when each was acknowledged. */
  readonly changes: { readonly type: string; readonly at: number }[]
}

/** Creates, updates and trashes events. */
async function write(authorization: string): Promise<Map<number, Written>> {
  const events = new Map<number, Written>()
  const send = async (query: string, variables: object) => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const body = (await response.json()) as { data?: { result: { event: { databaseId: number } | null } | null } }
    const id = body.data?.result?.event?.databaseId
    if (id === undefined) throw new Error(JSON.stringify(body))
    return id
  }
  const mutation = (name: string, type: string) =>
    `mutation($input: ${type}!) { result: ${name}(input: $input) { event { databaseId } } }`
  const create = async (number: number) => {
    const [featured, isNight, isDraft] = [number % 2 === 0, number % 3 === 0, number % 5 === 0]
    const input = {
      ...{ ...party, title: `Event ${number}`, featured, status: isDraft ? 'DRAFT' : 'PUBLISH' },
      tags: isNight ? [{ nameOrSlug: 'night' }] : [],
    }
    const id = await send(mutation('createEvent', 'CreateEventInput'), { input })
    const changes = [{ type: 'CREATED', at: performance.now() }]
    events.set(id, { filters: [0, ...(featured ? [1] : []), ...(isNight ? [2] : []), 3], isDraft, changes })
    return id
  }
  const change = async (id: number, type: string, query: string, input: object) => {
    await send(query, { input: { id, ...input } })
    events.get(id)?.changes.push({ type, at: performance.now() })
  }
  /** Changes of one event within a moment arrive as one, so each waits for the one before. */
  const pause = 2000
  const life = async (number: number) => {
    const id = await create(number)
    await setTimeout(pause)
    await change(id, 'UPDATED', mutation('updateEvent', 'UpdateEventInput'), { title: `Changed ${number}` })
    await setTimeout(pause)
    await change(id, 'DELETED', mutation('trashEvent', 'RecordInput'), {})
  }
  const pending: Promise<void>[] = []
  const start = performance.now()
  const interval = (1000 * 3) / writesPerSecond
  for (let number = 0; number * interval < seconds * 1000; number += 1) {
    await setTimeout(Math.max(0, start + number * interval - performance.now()))
    pending.push(life(number))
  }
  await Promise.all(pending)
  return events
}

function usage() {
  const { pid } = service.child
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return { cpuSeconds: (Number(stat[13]) + Number(stat[14])) / 100, megabytes: Number(kilobytes) / 1024 }
}

test.runIf(inject('server'))(
  'a thousand subscribers get every change once while fifty writes a second run',
  { timeout: 300_000 },
  async () => {
    const users = await Promise.all(roles.map((role) => makeUser(db, role)))
    const readers = [undefined, ...users.map(({ authorization }) => authorization)]
    const all: Subscriber[] = []
    for (let number = 0; number < subscribers; number += 1) {
      const filter = number % filters.length
      // Half of the subscribers are visitors.
      const reader = number % 2 === 0 ? 0 : Math.floor(number / filters.length) % readers.length
      const response = await subscribe(readers[reader], filters[filter] ?? {})
      expect(response.statusCode).toBe(200)
      const subscriber: Subscriber = { filter, seesDrafts: reader >= 4, received: [], response }
      collect(response, subscriber.received)
      all.push(subscriber)
    }
    const before = usage()
    const memory: number[] = []
    const sampling = setInterval(() => memory.push(usage().megabytes), 1000)
    const events = await write(users[3]?.authorization ?? '').finally(() => clearInterval(sampling))
    const after = usage()
    await setTimeout(3000)

    const delays: number[] = []
    for (const { filter, seesDrafts, received } of all) {
      const expected = [...events].flatMap(([id, written]) => {
        if (!written.filters.includes(filter) || (written.isDraft && !seesDrafts)) return []
        return written.changes.map(({ type, at }) => ({ id, type, at }))
      })
      const byEvent = Map.groupBy(received, ({ id }) => id)
      const name = ({ id, type }: { id: number; type: string }) => `${id} ${type}`
      expect([...byEvent.values()].flat().map(name).toSorted()).toEqual(expected.map(name).toSorted())
      for (const { id, type, at } of expected) {
        const arrival = byEvent.get(id)?.find((each) => each.type === type)
        if (arrival) delays.push(arrival.at - at)
      }
    }
    delays.sort((a, b) => a - b)
    const percentile = (share: number) => Math.round(delays[Math.floor(delays.length * share)] ?? 0)
    const writes = [...events.values()].reduce((sum, { changes }) => sum + changes.length, 0)
    console.log({
      ...{ subscribers, writes, messages: delays.length, p50: percentile(0.5), p99: percentile(0.99) },
      cores: (after.cpuSeconds - before.cpuSeconds) / seconds,
      memory: memory.map(Math.round).join(' '),
    })
    const [early, late] = [memory.slice(5, 15), memory.slice(-10)].map((each) => Math.max(...each)) as [number, number]
    expect(late / early).toBeLessThan(1.3)
    for (const { response } of all) response.destroy()
  },
)
