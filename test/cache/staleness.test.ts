// Two instances on one server, with writes of all kinds, while their notification connections are cut: no response is older
// than docs/architecture.md says. READS=1000000 for a long run.
import { setTimeout } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { createClient } from '../../src/engine/reads/client.ts'
import { serve, type TestApp } from '../helpers/app.ts'
import { openTestDatabase } from '../helpers/db.ts'
import { type ListenerProxy, startListenerProxy } from '../helpers/listener-proxy.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { makeUser } from '../helpers/users.ts'

const ns = '/cal/events/v1'
const reads = Number(process.env.READS ?? 3000)
const writers = 5
const writesPerSecond = 10

/** Milliseconds that another instance's write may take to show; the promise is 100 where the machine is not busy. */
const allowed = 1000
/** And while the connection is dead without a sign. */
const silence = 3000

const kinds = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
type Kind = (typeof kinds)[number]
const singular: Record<Kind, string> = {
  events: 'event',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'category',
  tags: 'tag',
}
const named: Record<Kind, string> = {
  events: 'title',
  venues: 'venue',
  organizers: 'organizer',
  categories: 'name',
  tags: 'name',
}

interface Instance {
  readonly app: TestApp
  readonly proxy: ListenerProxy
  /** When its connection was last silenced. */
  silencedAt: number
}

interface Write {
  readonly version: number
  readonly by: Instance
  readonly acknowledgedAt: number
}

async function startInstance(url: string): Promise<Instance> {
  const proxy = await startListenerProxy(url)
  const database = openServerDatabase(proxy.url, 4)
  const db = createClient(database.pool)
  const close = async () => {
    await db.$disconnect()
    await database.close()
    proxy.close()
  }
  const app = await serve({ db, database, statements: [], close })
  Object.defineProperty(app.clock, 'now', { get: () => new Date() })
  return { app, proxy, silencedAt: Number.NEGATIVE_INFINITY }
}

test.runIf(inject('server'))('no response is too old', async () => {
  const base = await openTestDatabase()
  const url = base.database.pool.options.connectionString ?? ''
  const instances = [await startInstance(url), await startInstance(url)] as const
  const { authorization } = await makeUser(base.db, 'administrator')
  const venue = await makeVenue(base.db, 'venues 0')
  const organizer = await makeOrganizer(base.db, 'organizers 0')
  const category = await makeCategory(base.db, 'categories 0')
  const tag = await makeTag(base.db, 'tags 0')
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)
  const links = { venueIds: [venue], organizerIds: [organizer], categoryIds: [category], tagIds: [tag] }
  const event = await makeEvent(base.db, 'events 0', { ...links, start: tomorrow })
  const ids: Record<Kind, number> = {
    events: event,
    venues: venue,
    organizers: organizer,
    categories: category,
    tags: tag,
  }

  const writes = new Map<Kind, Write[]>(kinds.map((kind) => [kind, []]))
  let [version, count, oldest, isOver] = [0, 0, 0, false]
  const wrong: string[] = []

  const request = (kind: Kind, form: number) => {
    const id = ids[kind]
    const urls = [`${ns}/${kind}/${id}`, `${ns}/${kind}`, `${ns}/events/${event}`, `${ns}/events`]
    if (form < urls.length) return { url: urls[form] ?? '', method: 'GET' as const }
    const name = kind === 'events' ? 'title' : 'name'
    const query =
      form === 4 ? `{ ${singular[kind]}(id: ${id}) { databaseId ${name} } }` : `{ ${kind} { nodes { ${name} } } }`
    return { url: '/graphql', method: 'POST' as const, payload: { query } }
  }

  const shown = (body: string, kind: Kind): number => Number(new RegExp(`${kind} (\\d+)"`).exec(body)?.[1])

  const read = async () => {
    const instance = instances[Math.floor(Math.random() * 2)] ?? instances[0]
    const kind = kinds[Math.floor(Math.random() * kinds.length)] ?? 'events'
    const form = Math.floor(Math.random() * 6)
    const begun = performance.now()
    const others = begun - instance.silencedAt < silence + allowed ? silence : allowed
    const needed = (writes.get(kind) ?? []).filter(
      ({ by, acknowledgedAt }) => acknowledgedAt <= begun - (by === instance ? 0 : others),
    )
    const newest = writes.get(kind)?.at(-1)
    const reply = await instance.app.app.inject(request(kind, form))
    const version = shown(reply.body, kind)
    const least = Math.max(0, ...needed.map((write) => write.version))
    if (!(version >= least)) wrong.push(`${kind} ${form}: ${version}, not ${least} (${reply.headers['cache-status']})`)
    if (newest && version < newest.version && newest.acknowledgedAt < begun) {
      oldest = Math.max(oldest, begun - newest.acknowledgedAt)
    }
    count += 1
  }

  const write = async () => {
    while (!isOver) {
      const kind = kinds[version % kinds.length] ?? 'events'
      const by = instances[Math.floor(Math.random() * 2)] ?? instances[0]
      version += 1
      const [own, begun] = [version, performance.now()]
      const { statusCode } = await by.app.app.inject({
        method: 'POST',
        url: `${ns}/${kind}/${ids[kind]}`,
        headers: { authorization },
        payload: { [named[kind]]: `${kind} ${own}` },
      })
      if (statusCode !== 200) wrong.push(`a write was answered ${statusCode}`)
      const list = writes.get(kind) ?? []
      list.push({ version: own, by, acknowledgedAt: performance.now() })
      if (list.length > 100) list.shift()
      await setTimeout(Math.max(1, (1000 * writers) / writesPerSecond - (performance.now() - begun)))
    }
  }

  /** A scheduled event must appear at its publication date, and not before. */
  const schedule = async () => {
    while (!isOver) {
      const publishedAt = new Date(Date.now() + 700)
      const id = await makeEvent(base.db, 'due', { status: 'future', publishedAt, hideFromListings: true })
      await setTimeout(100)
      while (Date.now() < publishedAt.getTime() + 300) {
        for (const { app } of instances) {
          const before = Date.now()
          const { statusCode } = await app.app.inject(`${ns}/events/${id}`)
          const after = Date.now()
          const isDue = publishedAt.getTime()
          if (before >= isDue && statusCode !== 200) wrong.push(`${after - isDue} ms after it was due: ${statusCode}`)
          if (after < isDue && statusCode === 200) wrong.push('shown before it was due')
        }
        await setTimeout(5)
      }
    }
  }

  const cuts: ('closed' | 'silent')[] = []
  const cut = async () => {
    while (!isOver || cuts.length < 4) {
      const how = cuts.length % 2 === 0 ? 'closed' : 'silent'
      const instance = instances[Math.floor(cuts.length / 2) % 2] ?? instances[0]
      instance.proxy.cut(how)
      if (how === 'silent') instance.silencedAt = performance.now()
      cuts.push(how)
      // Time to connect again, so that there is something to cut.
      await setTimeout(how === 'silent' ? silence + allowed + 1500 : 2500)
    }
  }

  const cutting = cut()
  const others = [...Array.from({ length: writers }, write), schedule()]
  const ratio = () => {
    const states = instances.map(({ app }) => app.cache.stats())
    const [hits, misses] = [
      states.reduce((sum, state) => sum + state.hits, 0),
      states.reduce((sum, state) => sum + state.misses, 0),
    ]
    return hits / (hits + misses)
  }
  while (count < reads || cuts.length < 4) {
    await Promise.all(Array.from({ length: 16 }, read))
    if (wrong.length > 0) break
    await setTimeout(0)
  }
  isOver = true
  await Promise.all([cutting, ...others])
  console.log(
    `${count} reads, ${version} writes, ${cuts.length} cuts: ${(100 * ratio()).toFixed(1)} % from the cache, the oldest response ${oldest.toFixed(0)} ms behind another instance's write`,
  )
  for (const { app } of instances) await app.close()
  await base.close()
  expect(wrong).toEqual([])
  expect(ratio()).toBeGreaterThan(0.05)
})
