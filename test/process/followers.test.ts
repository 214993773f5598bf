// Three instances on one server, with eight writers, while instances and connections are killed and the clock moves: clients that
// follow them have what a new read returns, and learn of no record that they could never see. WRITES=10000 for a long run.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openServerDatabase } from '../../src/engine/postgres/pool.ts'
import { connectTo, migratedDatabaseUrl, waitForTransactions } from '../helpers/db.ts'
import { type Body, expectFresh, type Follower, follow, type Reader, type Send } from '../helpers/followers.ts'
import { makeCategory, makeEvent, makeOrganizer, makeTag, makeVenue } from '../helpers/make.ts'
import { killAll, type Service, startInstances } from '../helpers/process.ts'
import { mutationOf, randomWrite, secretTitle, type World, words } from '../helpers/random-writes.ts'
import { makeUser } from '../helpers/users.ts'

const writes = Number(process.env.WRITES ?? 400)
/** Writes from one kill of an instance, and from one step of the clock, to the next. */
const [untilKill, untilStep] = [Math.min(700, writes / 2), Math.min(200, writes / 10)]

const roots = { en: '', fr: '/fr', es: '/es' } as const

const listsIn = (word: string): readonly (object | string)[] => [
  {},
  { kinds: ['EVENT'], events: { search: word } },
  {
    kinds: ['EVENT', 'VENUE', 'TAG'],
    events: { when: 'UPCOMING', not: { tags: ['late'] } },
    venues: { hasEvents: true },
    tags: { hideEmpty: true },
  },
  `events?search=${word}`,
  'venues?',
  'tags?hide_empty=false',
]

/** Errors of a service or database that was killed. */
const isLost = (codes: readonly string[]) =>
  codes.every((code) => ['UNAVAILABLE', 'OUTCOME_UNKNOWN', 'rest_unavailable'].includes(code))

test.runIf(inject('server'))('followers have what a new read returns', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'calendar-followers-'))
  const { url, drop } = await migratedDatabaseUrl(folder)
  const { db, database, close } = connectTo(openServerDatabase(url, 4))
  const instances: Service[] = []
  onTestFinished(async () => {
    await killAll(instances)
    await close()
    await drop()
    rmSync(folder, { recursive: true, force: true })
  })

  const CLOCK_FILE = join(folder, 'clock')
  const clock = { offset: 0 }
  const setClock = (text: string) => writeFileSync(CLOCK_FILE, text)
  setClock('0')
  const env = {
    ...{
      DATABASE_URL: url,
      PUBLIC_URL: 'http://calendar.test',
      IMAGES_DIR: join(folder, 'images'),
      DATABASE_POOL: '5',
    },
    ...{ CLOCK_FILE, NODE_OPTIONS: `--import=${resolve('test/helpers/stepped-clock.js')}`, CACHE_BYTES: '0' },
  }
  instances.push(...(await startInstances(3, env)))

  const unexpected: string[] = []
  const send: Send = async (path, headers, query) => {
    const at = instances[Math.floor(Math.random() * instances.length)] as Service
    const init = query && {
      method: 'POST',
      body: JSON.stringify(query),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    }
    const response = await fetch(`${at.url}${path}`, init ?? { headers })
    const body = (await response.json()) as Body
    const codes = body.errors?.map((error) => String(error.extensions?.code)) ?? (response.ok ? [] : [body.code])
    if (codes.length === 0) return body
    if (!isLost(codes)) unexpected.push(`${path} ${JSON.stringify(query)} ${JSON.stringify(body)}`)
    return undefined
  }

  const users = new Map<string, Awaited<ReturnType<typeof makeUser>>>()
  for (const role of ['subscriber', 'author', 'editor', 'administrator'] as const)
    users.set(role, await makeUser(db, role))
  const readers: readonly Reader[] = [
    { name: 'visitor', headers: {} },
    ...[...users].map(([name, { authorization }]) => ({ name, headers: { authorization } })),
  ]
  const followers = readers.flatMap((reader) =>
    Object.entries(roots).flatMap(([language, root]) =>
      listsIn(words[language as 'en']).map((list): Follower => {
        return { reader, root, list, copy: new Map(), told: new Set(), token: null }
      }),
    ),
  )

  const music = await makeCategory(db, { en: 'Music', fr: 'Musique' })
  const world: World = {
    events: [await makeEvent(db, { en: 'Jazz', fr: 'Nuit', es: 'Noche' })],
    venues: [await makeVenue(db, 'Hall'), await makeVenue(db, 'House')],
    organizers: [await makeOrganizer(db, 'Club'), await makeOrganizer(db, 'Choir')],
    categories: [music, await makeCategory(db, 'Choirs', music)],
    tags: [await makeTag(db, 'Late'), await makeTag(db, 'Early')],
    secrets: [await makeEvent(db, secretTitle, { status: 'draft' })],
  }

  let [written, rejected, kills, isOver, followed] = [0, 0, 0, false, 0]
  async function writeAll(role: 'author' | 'editor' | 'administrator'): Promise<void> {
    const headers = { authorization: users.get(role)?.authorization ?? '' }
    while (written < writes) {
      const write = randomWrite(world, Date.now() + clock.offset)
      const body = await send('/graphql', headers, mutationOf(write)).catch(() => undefined)
      if (body === undefined) continue
      written += 1
      if (body.data.done.userErrors.length > 0) rejected += 1
      if (body.data.done.record) write.keep?.(body.data.done.record.databaseId)
    }
  }
  /** Follows with every third one, so that no two requests of a follower overlap. */
  async function followAll(first: number): Promise<void> {
    for (let turn = first; !isOver; turn += 3) {
      if (await follow(followers[turn % followers.length] as Follower, send)) followed += 1
    }
  }
  async function disturb(): Promise<void> {
    let [killAt, stepAt] = [untilKill, untilStep]
    while (written < writes) {
      await setTimeout(20)
      if (written >= stepAt) {
        stepAt += untilStep
        clock.offset += Math.random() < 0.3 ? -1_200_000 : 1_800_000
        setClock(String(clock.offset))
        await database.pool.query(`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = '' AND random() < 0.3`)
      }
      if (written >= killAt) {
        killAt += untilKill
        await killAll(instances.splice(0, 1))
        kills += 1
        instances.push(...(await startInstances(1, env)))
      }
    }
  }
  const following = Promise.all([0, 1, 2].map(followAll))
  const roles = ['author', 'author', 'author', 'editor', 'editor', 'editor', 'administrator', 'administrator'] as const
  await Promise.all([...roles.map(writeAll), disturb()])
  isOver = true
  await following

  setClock(`=${Date.now() + clock.offset}`)
  await setTimeout(200)
  await waitForTransactions(db)
  for (const follower of followers) await expectFresh(follower, send)
  expect(unexpected).toEqual([])
  // Others are rejected, because their record is gone, or not the author's.
  expect(rejected).toBeLessThan(written * 0.75)
  if (process.env.WRITES) console.log({ written, rejected, kills, followed })
  expect(followed).toBeGreaterThan(0)
  for (const { reader, told } of followers) {
    const mayEditAll = reader.name === 'editor' || reader.name === 'administrator'
    const hidden = await db.event.findMany({
      where: {
        texts: { some: { name: { startsWith: secretTitle } } },
        OR: [
          { hideFromListings: true },
          mayEditAll ? { id: 0 } : { NOT: { authorId: users.get(reader.name)?.id ?? 0 } },
        ],
      },
      select: { id: true },
    })
    expect(hidden.length).toBeGreaterThan(0)
    expect([reader.name, hidden.filter(({ id }) => told.has(`EVENT ${id}`))]).toEqual([reader.name, []])
  }
})
