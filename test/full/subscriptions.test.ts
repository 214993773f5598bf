// Many subscribers while many events are written, on a server: the last state of every event arrives at those who may see
// it, and the memory of the service stays the same. SECONDS shortens the load.
import { readFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { connectCollector } from '../../bench/collector.ts'
import type { Db } from '../../src/engine/postgres/client.ts'
import { type Database, openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { migratedDatabaseUrl } from '../helpers/db.ts'
import { freePort, type Service, startService } from '../helpers/process.ts'
import { makeUser } from '../helpers/users.ts'
import { party } from '../helpers/write.ts'

const seconds = Number(process.env.SECONDS ?? 60)
const [subscribers, writesPerSecond] = [1000, 50]
/** Requests at a time. A busy machine would take longer for more than PostgreSQL and the service allow. */
const maxRunning = 8
const roles = ['subscriber', 'contributor', 'author', 'editor', 'administrator'] as const
const filters = [{}, { featured: true }, { tags: ['night'] }, { when: 'UPCOMING' }]

let databaseUrl: Awaited<ReturnType<typeof migratedDatabaseUrl>>
let database: Database
let db: Db
let service: Service
let inspector: number

beforeAll(async () => {
  if (!inject('server')) return
  databaseUrl = await migratedDatabaseUrl('')
  database = openServerDatabase(databaseUrl.url, 2)
  db = createClient(database.pool)
  inspector = await freePort()
  const options = { SEED: 'off', NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` }
  service = await startService({ DATABASE_URL: databaseUrl.url, ...options })
  await service.ready()
})
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
  readonly title: string | undefined
  readonly at: number
}

interface Subscriber {
  readonly filter: number
  readonly seesDrafts: boolean
  readonly received: Received[]
  readonly stream: Stream
  readonly response: IncomingMessage
}

interface Stream {
  /** Everything that is not a change: errors, and the end of the stream. */
  others: string
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

const message =
  /^event: next\ndata: \{"data":\{"eventChanged":\{"type":"(\w+)","databaseId":(\d+),"event":(?:null|\{"title":"([^"]*)".*\})\}\}\}$/

function collect(response: IncomingMessage, received: Received[]): Stream {
  const stream = { others: '' }
  let rest = ''
  response.setEncoding('utf8').on('data', (text: string) => {
    const messages = (rest + text).split('\n\n')
    rest = messages.pop() ?? ''
    const at = performance.now()
    for (const each of messages) {
      const [, type = '', id, title] = message.exec(each) ?? []
      if (type) received.push({ id: Number(id), type, title, at })
      else if (each !== ':') stream.others += each
    }
  })
  response.on('close', () => {
    stream.others += ' closed'
  })
  return stream
}

interface Written {
  readonly filters: readonly number[]
  readonly isDraft: boolean
  /** Undefined if it is in the trash at the end. */
  lastTitle: string | undefined
  /** The changes, and when each was acknowledged. */
  readonly changes: { readonly type: string; readonly at: number }[]
}

/** Creates and updates events, and trashes most of them. */
async function write(authorization: string): Promise<Map<number, Written>> {
  const events = new Map<number, Written>()
  let running = 0
  const send = async (query: string, variables: object) => {
    while (running >= maxRunning) await setTimeout(10)
    running += 1
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    }).finally(() => {
      running -= 1
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
      ...{ ...party, title: `Event ${number}`, featured, status: isDraft ? 'DRAFT' : 'PUBLISHED' },
      tags: isNight ? [{ nameOrSlug: 'night' }] : [],
    }
    const id = await send(mutation('createEvent', 'CreateEventInput'), { input })
    const changes = [{ type: 'CREATED', at: performance.now() }]
    const matching = [0, ...(featured ? [1] : []), ...(isNight ? [2] : []), 3]
    events.set(id, { filters: matching, isDraft, lastTitle: undefined, changes })
    return id
  }
  const change = async (id: number, type: string, query: string, input: object) => {
    await send(query, { input: { id, ...input } })
    events.get(id)?.changes.push({ type, at: performance.now() })
  }
  /** Changes of one event in quick succession may arrive as one. */
  const pause = 2000
  const life = async (number: number) => {
    const id = await create(number)
    await setTimeout(pause)
    const title = `Changed ${number}`
    await change(id, 'UPDATED', mutation('updateEvent', 'UpdateEventInput'), { title })
    await setTimeout(pause)
    if (number % 4 > 0) return change(id, 'DELETED', mutation('trashEvent', 'RecordInput'), {})
    await change(id, 'UPDATED', mutation('updateEvent', 'UpdateEventInput'), { title: `${title} again` })
    Object.assign(events.get(id) ?? {}, { lastTitle: `${title} again` })
  }
  const pending: Promise<void>[] = []
  const failures: unknown[] = []
  const start = performance.now()
  const interval = (1000 * 3) / writesPerSecond
  for (let number = 0; performance.now() < start + seconds * 1000 && failures.length === 0; number += 1) {
    pending.push(life(number).catch((error) => void failures.push(error)))
    await setTimeout(Math.max(0, start + (number + 1) * interval - performance.now()))
    while (running >= maxRunning) await setTimeout(10)
  }
  await Promise.all(pending)
  if (failures.length > 0) throw failures[0]
  return events
}

/** Seconds of CPU that the service has used. */
function cpuSeconds(): number {
  const stat = readFileSync(`/proc/${service.child.pid}/stat`, 'utf8').split(' ')
  return (Number(stat[13]) + Number(stat[14])) / 100
}

/** Megabytes that the service has in use after a garbage collection. */
async function memoryInUse(): Promise<number> {
  const collector = await connectCollector(inspector)
  await collector.collect()
  collector.close()
  const text = await (await fetch(`${service.url}/metrics`)).text()
  const bytes = ['nodejs_heap_size_used_bytes', 'nodejs_external_memory_bytes'].map((name) => {
    const [, value] = new RegExp(`^${name} (.+)$`, 'm').exec(text) ?? []
    return Number(value)
  })
  return bytes.reduce((sum, each) => sum + each, 0) / 1024 ** 2
}

/** What is wrong with the changes to one event that a subscriber got; undefined if they lead to its last state. */
function faultOf(received: readonly Received[], { lastTitle, changes }: Written): string | undefined {
  const types = received.map(({ type }) => type).join(' ')
  const last = received.at(-1)
  if (received.length > changes.length) return `more changes than writes: ${types}`
  if (!/^(?:CREATED(?: UPDATED)*(?: DELETED)?)?$/.test(types)) return `impossible order: ${types}`
  // An event that was created and trashed before its first message needs none.
  if (lastTitle === undefined) return last && last.type !== 'DELETED' ? `not deleted: ${types}` : undefined
  return last?.title === lastTitle ? undefined : `last state missing: ${types || 'nothing'} ${last?.title ?? ''}`
}

test.runIf(inject('server'))(
  'a thousand subscribers get the last state of every event that they may see, and of no other, at fifty writes a second',
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
      const received: Received[] = []
      all.push({ filter, seesDrafts: reader >= 4, received, stream: collect(response, received), response })
    }
    const [before, start] = [cpuSeconds(), performance.now()]
    const writing = write(users[3]?.authorization ?? '')
    const memory: number[] = []
    for (let quarter = 0; quarter < 4; quarter += 1) {
      await setTimeout(seconds * 250)
      memory.push(await memoryInUse())
    }
    const events = await writing
    const cores = (cpuSeconds() - before) / ((performance.now() - start) / 1000)
    const countMessages = () => all.reduce((sum, { received }) => sum + received.length, 0)
    for (let count = -1; count !== countMessages(); ) {
      count = countMessages()
      await setTimeout(5000)
    }

    const faults: string[] = []
    const delays: number[] = []
    let merged = 0
    for (const [number, { filter, seesDrafts, received, stream }] of all.entries()) {
      if (stream.others) faults.push(`${number}: ${stream.others}`)
      const byEvent = Map.groupBy(received, ({ id }) => id)
      for (const [id, written] of events) {
        const changes = byEvent.get(id) ?? []
        byEvent.delete(id)
        const isVisible = written.filters.includes(filter) && (!written.isDraft || seesDrafts)
        const fault = isVisible ? faultOf(changes, written) : changes.length > 0 && 'may not be seen'
        if (fault) faults.push(`${number}: event ${id}: ${fault}`)
        if (!isVisible) continue
        merged += written.changes.length - changes.length
        if (changes.length !== written.changes.length) continue
        for (const [index, { at }] of changes.entries()) delays.push(at - (written.changes[index]?.at ?? at))
      }
      for (const id of byEvent.keys()) faults.push(`${number}: event ${id} was not written`)
    }
    delays.sort((a, b) => a - b)
    const percentile = (share: number) => Math.round(delays[Math.floor(delays.length * share)] ?? 0)
    const writes = [...events.values()].reduce((sum, { changes }) => sum + changes.length, 0)
    const messages = countMessages()
    console.log({
      ...{ subscribers, writes, messages, merged, p50: percentile(0.5), p99: percentile(0.99), cores },
      memory: memory.map((each) => each.toFixed(1)).join(' '),
    })
    expect(faults.slice(0, 10)).toEqual([])
    const [, second = 0, , fourth = 0] = memory
    expect(fourth / second).toBeLessThan(1.15)
    for (const { response } of all) response.destroy()
  },
)
