// Median response times of each kind of request, for calendars of different sizes:
// node bench/growth.ts [--sizes 1000,10000,100000] [--rounds 15] [<DATABASE_URL> …]
// Give one database per size, empty or filled by this script. Without URLs, new embedded databases are used.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { buildApp } from '../src/app.ts'
import { createSignIn } from '../src/auth/sign-in.ts'
import { prepareSite } from '../src/content/site.ts'
import { createClient } from '../src/db/client.ts'
import { openDatabase } from '../src/db/open-database.ts'
import { readSettings } from '../src/env.ts'
import { disabledCache } from '../src/response-cache/response-cache.ts'
import { prepareDatabase } from './database.ts'
import { grow } from './grow.ts'
import { temporaryFolder } from './processes.ts'
import { aligned, machine, median, short } from './report.ts'
import { type BenchRequest, benchRequests } from './requests.ts'
import { findSampleRecords } from './sample-records.ts'
import { site } from './write-texts.ts'

/** Fixed, so that results do not depend on the date. */
const now = new Date('2026-11-21T12:00:00Z')

interface Size {
  readonly events: number
  readonly app: FastifyInstance
  readonly requests: readonly BenchRequest[]
  close(): Promise<void>
}

async function growth(): Promise<void> {
  const { sizes, rounds, urls } = readOptions()
  const opened: Size[] = []
  for (const [index, events] of sizes.entries()) {
    const url = urls[index] ?? `pglite:${join(temporaryFolder(), 'data')}`
    const facts = await prepareDatabase(url, events, (db) => grow(db, events, { now }))
    console.log(`${machine(url.startsWith('pglite:') ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts)}\n`)
    opened.push(await open(url, events))
  }
  const rows: string[][] = []
  for (const [index, { name }] of (opened[0]?.requests ?? []).entries()) {
    rows.push([name, ...(await medians(opened, index, rounds)).map(formatTime)])
  }
  console.log(`p50 in ms of ${rounds} requests one by one\n\n${aligned([['request', ...sizes.map(String)], ...rows])}`)
  for (const { close } of opened) await close()
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: { sizes: { type: 'string', default: '1000,10000,100000' }, rounds: { type: 'string', default: '15' } },
    allowPositionals: true,
  })
  const sizes = values.sizes.split(',').map(Number)
  if (positionals.length > 0 && positionals.length !== sizes.length) throw new Error('Give one database per size')
  return { sizes, rounds: Number(values.rounds), urls: positionals }
}

async function open(url: string, events: number): Promise<Size> {
  const database = await openDatabase(url, 4)
  const db = createClient(database.pool)
  const settings = readSettings({
    LANGUAGES: site.languages.join(),
    DEFAULT_LANGUAGE: site.defaultLanguage,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
  })
  const stored = await prepareSite(db, settings)
  const app = buildApp(
    { db, settings, site: stored, now: () => now, signIn: createSignIn(settings), cache: disabledCache },
    { database, registry: new Registry(), stopping: new AbortController().signal },
  )
  const sendRequest = async (query: string) => JSON.parse((await send(app, { name: query, query })) ?? '{}').data
  const requests: BenchRequest[] = []
  for (const kind of benchRequests(await findSampleRecords(db, now), now, events)) {
    requests.push(kind.prepare ? { name: kind.name, query: await kind.prepare(sendRequest) } : kind)
  }
  const close = async () => {
    await app.close()
    await db.$disconnect()
    await database.close()
  }
  return { events, app, requests, close }
}

/** Formats a time; a dash if the request failed. */
const formatTime = (time: number): string => (Number.isNaN(time) ? '–' : short(time))

/** Time limit for one kind of request in ms. Slow requests are sent less often, at least once. */
const timeLimit = 10_000

/** Measures all sizes in turn, so that a temporary slowdown of the machine affects all of them. */
async function medians(sizes: readonly Size[], index: number, rounds: number): Promise<number[]> {
  const times = sizes.map((): number[] => [])
  const spent = sizes.map(() => 0)
  for (let round = -2; round < rounds; round++) {
    for (const [position, { app, requests }] of sizes.entries()) {
      if ((spent[position] ?? 0) > timeLimit) continue
      const start = performance.now()
      const hasSucceeded = await send(app, requests[index] as BenchRequest)
      const elapsed = performance.now() - start
      spent[position] = (spent[position] ?? 0) + (hasSucceeded ? elapsed : timeLimit + 1)
      // The first rounds are a warm-up.
      if (hasSucceeded && (round >= 0 || (spent[position] ?? 0) > timeLimit)) times[position]?.push(elapsed)
    }
  }
  return times.map(median)
}

async function send(app: FastifyInstance, { name, url, query }: BenchRequest): Promise<string | undefined> {
  const response = await (url === undefined
    ? app.inject({ method: 'POST', url: '/graphql', payload: { query } })
    : app.inject({ url }))
  if (response.statusCode === 200 && !response.payload.startsWith('{"errors"')) return response.payload
  console.error(`${name} returned ${response.statusCode}: ${response.payload.slice(0, 300)}`)
  return undefined
}

try {
  await growth()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
