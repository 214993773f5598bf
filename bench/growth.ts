// Median response times of each kind of request, for calendars of different sizes. Fails if they grow more than allowed, or
// if a search or an order takes too long.
// node bench/growth.ts [--sizes 1000,100000] [--rounds 15] [--only 'regular expression'] [--connections 10] [--cache off] [<DATABASE_URL> …]
// Give one database per size, empty or filled by this script. Without URLs, new embedded databases are used. New databases
// are measured twice: freshly loaded, with autovacuum turned off, and after VACUUM ANALYZE.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import { Registry } from 'prom-client'
import { buildApp } from '../src/app.ts'
import { readSettings, type Settings } from '../src/basics/env.ts'
import { initializeSite } from '../src/calendar/site/site.ts'
import { createResponseCache } from '../src/engine/cache/response-cache.ts'
import { openDatabase } from '../src/engine/postgres/open-database.ts'
import { createClient } from '../src/engine/reads/client.ts'
import { createSignIn } from '../src/service/auth/sign-in.ts'
import type { BenchRequest } from './bench-request.ts'
import { prepareDatabase } from './database.ts'
import { grow, setAutovacuum } from './grow.ts'
import { comparisons, isTooSlow, judge, type Measured } from './growth-limits.ts'
import { temporaryFolder } from './processes.ts'
import { aligned, machine, median, short } from './report.ts'
import { benchRequests } from './requests.ts'
import { findSampleRecords } from './sample-records.ts'
import { site } from './write-texts.ts'

/** Fixed, so that results do not depend on the date. */
const now = new Date('2026-11-21T12:00:00Z')

/** PostgreSQL chooses between custom and generic plans of a prepared statement from its sixth execution on a connection. */
const [executions, fewExecutions] = [20, 6]

type Options = ReturnType<typeof readOptions>

interface Size {
  readonly events: number
  readonly app: FastifyInstance
  readonly pool: pg.Pool
  readonly requests: readonly BenchRequest[]
  close(): Promise<void>
}

async function growth(): Promise<boolean> {
  const options = readOptions()
  const { sizes } = options
  const urls = sizes.map((_, index) => options.urls[index] ?? `pglite:${join(temporaryFolder(), 'data')}`)
  let isNew = true
  for (const [index, events] of sizes.entries()) {
    const url = urls[index] ?? ''
    const facts = await prepareDatabase(url, events, (db) => grow(db, events, { now, isFresh: true }))
    isNew &&= facts.seconds !== undefined
    console.log(`${machine(url.startsWith('pglite:') ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts)}\n`)
  }
  if (!isNew) return measure('Tables as they are', urls, options)
  const fresh = await measure('Freshly loaded tables', urls, options).finally(() => Promise.all(urls.map(vacuum)))
  return (await measure('Vacuumed and analyzed tables', urls, options)) && fresh
}

function readOptions() {
  const { values, positionals } = parseArgs({
    options: {
      sizes: { type: 'string', default: '1000,100000' },
      rounds: { type: 'string', default: '15' },
      only: { type: 'string', default: '' },
      connections: { type: 'string', default: '10' },
      cache: { type: 'string', default: 'on' },
    },
    allowPositionals: true,
  })
  const sizes = values.sizes.split(',').map(Number)
  if (positionals.length > 0 && positionals.length !== sizes.length) throw new Error('Give one database per size')
  const settings = readSettings({
    LANGUAGES: site.languages.join(),
    DEFAULT_LANGUAGE: site.defaultLanguage,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '0',
    REQUEST_TIMEOUT: '600000',
    DATABASE_POOL: values.connections,
    ...(values.cache === 'off' ? { CACHE_BYTES: '0' } : {}),
  })
  return { sizes, rounds: Number(values.rounds), only: new RegExp(values.only), settings, urls: positionals }
}

async function vacuum(url: string): Promise<void> {
  const database = await openDatabase(url, 1)
  const db = createClient(database.pool)
  await setAutovacuum(db, 'RESET (autovacuum_enabled)')
  await db.$executeRaw`VACUUM ANALYZE`
  await db.$disconnect()
  await database.close()
}

/** Prints the times of all requests. Returns whether none grows more than allowed. */
async function measure(title: string, urls: readonly string[], { sizes, rounds, only, settings }: Options) {
  const opened: Size[] = []
  for (const [index, events] of sizes.entries()) opened.push(await open(urls[index] ?? '', events, settings))
  const compared = comparisons(sizes)
  const rows: string[][] = []
  let isFlat = true
  for (const [index, request] of (opened[0]?.requests ?? []).entries()) {
    if (!only.test(request.name)) continue
    const measured = await measureRequest(opened, index, rounds)
    const verdicts = compared.map((comparison) => judge(request, measured, comparison))
    const isSlow = isTooSlow(request, measured)
    if (isSlow || verdicts.some(({ isExceeded }) => isExceeded)) isFlat = false
    rows.push([
      request.name,
      ...measured.map(({ time }) => formatTime(time)),
      `${formatTime(measured.at(-1)?.firstTime ?? Number.NaN)}${isSlow ? ' !' : '  '}`,
      ...measured.map(({ bytes }) => String(bytes)),
      ...verdicts.flatMap(({ ratio, max, isExceeded }) => [
        `${Number.isNaN(ratio) ? 'failed' : ratio.toFixed(2)}${isExceeded ? ' !' : '  '}`,
        max?.toFixed(1) ?? (request.maxMs === undefined ? 'none' : `${request.maxMs} ms`),
      ]),
    ])
  }
  for (const { close } of opened) await close()
  const bytesOf = sizes.map((events) => `bytes, ${events}`)
  const first = `first, ${sizes.at(-1)}`
  const head = ['request', ...sizes.map(String), first, ...bytesOf, ...compared.flatMap(({ name }) => [name, 'limit'])]
  console.log(`${title}: p50 in ms of ${rounds} requests one by one, none answered by the response cache.`)
  console.log(`${aligned([head, ...rows])}\n`)
  return isFlat
}

async function open(url: string, events: number, settings: Settings): Promise<Size> {
  const database = await openDatabase(url, settings.databasePool)
  const db = createClient(database.pool)
  const stored = await initializeSite(db, settings)
  const cache = createResponseCache(database, db, settings.cacheBytes)
  await cache.open()
  const app = buildApp(
    { db, settings, site: stored, now: () => now, signIn: createSignIn(settings), cache },
    { database, registry: new Registry(), stopping: new AbortController().signal },
  )
  const sendRequest = async (query: string) => JSON.parse((await send(app, { name: query, query })).text ?? '{}').data
  const requests: BenchRequest[] = []
  for (const { prepare, ...request } of benchRequests(await findSampleRecords(db, now), now, events)) {
    requests.push(prepare ? { ...request, query: await prepare(sendRequest) } : request)
  }
  const close = async () => {
    await app.close()
    await cache.close()
    await db.$disconnect()
    await database.close()
  }
  return { events, app, pool: database.pool, requests, close }
}

/** Formats a time; a dash if the request failed. */
const formatTime = (time: number): string => (Number.isNaN(time) ? '–' : short(time))

/** Measures all sizes in turn, so that a temporary slowdown of the machine affects all of them. */
async function measureRequest(sizes: readonly Size[], index: number, rounds: number): Promise<Measured[]> {
  const measured = sizes.map(({ app, pool, requests }) => {
    const request = requests[index] as BenchRequest
    return { pool, request, sendOnce: () => send(app, request), answers: [] as Answer[] }
  })
  for (const { pool, request, sendOnce, answers } of measured) {
    const first = await sendOnce()
    answers.push(first)
    // There are hundreds of requests with such a limit.
    if (request.maxMs === undefined) await warmUp(pool, sendOnce)
    else for (let execution = 1; execution < fewExecutions && first.time < slowMs; execution++) await sendOnce()
  }
  const isSlow = measured.some(({ answers: [first] }) => !first || !(first.time < slowMs))
  for (let round = 0; round < (isSlow ? Math.min(3, rounds) : rounds); round++) {
    for (const { answers, sendOnce } of measured) answers.push(await sendOnce())
  }
  return measured.map(({ answers: [first, ...others] }) => {
    const times = others.map(({ time }) => time)
    const time = times.some(Number.isNaN) ? Number.NaN : median(times)
    return { firstTime: first?.time ?? Number.NaN, time, bytes: others.at(-1)?.bytes ?? 0 }
  })
}

/** Requests that take longer are sent only a few times. */
const slowMs = 2000

/** Sends a request repeatedly on each connection of the pool, which in turn is the only free one. */
async function warmUp(pool: pg.Pool, sendRequest: () => Promise<unknown>): Promise<void> {
  const clients: pg.PoolClient[] = []
  for (let index = 0; index < pool.options.max; index++) clients.push(await pool.connect())
  for (let index = 0; index < pool.options.max; index++) {
    clients.shift()?.release()
    for (let execution = 0; execution < executions; execution++) await sendRequest()
    clients.push(await pool.connect())
  }
  for (const client of clients) client.release()
}

let sent = 0

interface Answer {
  /** Undefined if the request failed. */
  readonly text: string | undefined
  /** Milliseconds; NaN if the request failed. */
  readonly time: number
  readonly bytes: number
}

/** Each request differs in what the service ignores, so that the response cache does not have its response. */
async function send(app: FastifyInstance, { name, root = '', url, query }: BenchRequest): Promise<Answer> {
  sent += 1
  const start = performance.now()
  const response = await (url === undefined
    ? app.inject({ method: 'POST', url: `${root}/graphql`, payload: { query, extensions: { request: sent } } })
    : app.inject({ url: `${root}${url}${url.includes('?') ? '&' : '?'}request=${sent}` }))
  const time = performance.now() - start
  const text = response.payload
  if (response.statusCode === 200 && !text.startsWith('{"errors"'))
    return { text, time, bytes: Buffer.byteLength(text) }
  console.error(`${name} returned ${response.statusCode}: ${text.slice(0, 300)}`)
  return { text: undefined, time: Number.NaN, bytes: 0 }
}

try {
  if (!(await growth())) {
    console.error('The times marked with ! grow more than allowed, or exceed their limit.')
    process.exitCode = 1
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
