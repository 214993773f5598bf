// Compares this checkout with another one. Both run at the same time and are measured in turn:
// node bench/compare.ts --baseline <checkout> --server <URL of a PostgreSQL server> [--events 5000] [--seconds 2]
// [--connections 8] [--rounds 5] [--only <part of a name>]
// The other checkout must have its dependencies installed. It fills a database with its own code; this checkout takes over a copy
// of it, so that both serve the same events.
import { execFileSync } from 'node:child_process'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDatabase } from './database.ts'
import type { GrowOptions } from './grow.ts'
import { measure, sendRequest, type Target } from './load.ts'
import { stopServers } from './processes.ts'
import { aligned, median, range, ratios, table } from './report.ts'
import { listPath, startService } from './targets.ts'

interface Side {
  readonly name: 'baseline' | 'current'
  readonly checkout: string
  readonly database: string
  drop(): Promise<void>
}

/** Number of different list pages and single events to request. */
const pages = 300
const singles = 2000

/** Minimum ratio of the current checkout to the baseline, by target. */
const goals: Readonly<Record<string, number>> = {
  'REST list': 0.85,
  'REST list, spread': 0.85,
  'GraphQL list': 0.85,
  'GraphQL list, spread': 0.85,
  'REST event': 0.85,
  'GraphQL event': 0.85,
  'GraphQL event, spread': 0.85,
  'REST event, spread': 0.85,
  'REST list, cached': 0.85,
  'GraphQL list, cached': 0.85,
  'REST create': 0.9,
  'REST update': 0.9,
}

async function compare(): Promise<void> {
  const { baseline, server, events, only, ...load } = readOptions()
  const current = resolve(import.meta.dirname, '..')
  const now = new Date()
  const before = await prepareBaseline(resolve(baseline), server, events, now)
  const sides = [before, await takeOver(before, current, server)]
  try {
    const both = await Promise.all(sides.map((side) => targetsOf(side, now)))
    const names = (both[0] ?? []).map(({ name }) => name).filter((name) => name.includes(only))
    const pairs = names.flatMap((name) =>
      sides.flatMap((side, index) => {
        const target = both[index]?.find((one) => one.name === name)
        return target ? [{ ...target, name: `${name}: ${side.name}` }] : []
      }),
    )
    console.log(`${events} events, ${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each\n`)
    const measured = await measure(pairs, load)
    const comparisons = names.map((name) => ({
      of: `${name}: current`,
      to: `${name}: baseline`,
      ...(goals[name] === undefined ? {} : { target: goals[name] }),
    }))
    console.log(`${table(measured)}\n\n${ratios(measured, comparisons)}\n`)
    const failures = measured.filter(({ succeeded, failed }) => failed > 0 || succeeded === 0)
    if (failures.length > 0)
      throw new Error(`Not every request succeeded: ${failures.map(({ name }) => name).join(', ')}`)
    await stopServers()
    if (only === '') console.log(await startsAndMemory(sides, load.rounds))
  } finally {
    await stopServers()
    for (const side of sides) await side.drop()
  }
}

async function prepareBaseline(checkout: string, server: string, events: number, now: Date): Promise<Side> {
  const { url: database, drop } = await createDatabase(server)
  const { prepareDatabase } = await moduleOf<typeof import('./database.ts')>(checkout, 'bench/database.ts')
  const { grow } = await moduleOf<typeof import('./grow.ts')>(checkout, 'bench/grow.ts')
  const options: GrowOptions = { now }
  await prepareDatabase(database, events, (db) => grow(db, events, options))
  return { name: 'baseline', checkout, database, drop }
}

/** The first start of this checkout migrates the copy. */
async function takeOver(baseline: Side, checkout: string, server: string): Promise<Side> {
  const { url: database, drop } = await createDatabase(server, new URL(baseline.database).pathname.slice(1))
  const service = await startService(database, {}, checkout)
  await service.stop()
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  await client.query('VACUUM (ANALYZE)')
  await client.end()
  return { name: 'current', checkout, database, drop }
}

const moduleOf = <Module>(checkout: string, file: string): Promise<Module> =>
  import(pathToFileURL(resolve(checkout, file)).href)

async function targetsOf({ database, checkout }: Side, now: Date): Promise<Target[]> {
  const { listQuery, singleQuery } = await moduleOf<typeof import('./queries.ts')>(checkout, 'bench/queries.ts')
  // Each checkout writes the columns that its own database has.
  const { prepareWriter } = await moduleOf<typeof import('./writer.ts')>(checkout, 'bench/writer.ts')
  const writer = await prepareWriter(database)
  const uncached = await startService(database, { CACHE_BYTES: '0' }, checkout)
  const cached = await startService(database, {}, checkout)
  const list = { name: 'REST list', url: uncached.root + listPath }
  const { total_pages } = JSON.parse((await sendRequest(list)).body.toString()) as { total_pages: number }
  const numbers = Array.from({ length: Math.min(pages, total_pages) }, (_, index) => index + 1)
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM event WHERE live AND password_key IS NULL AND published_at <= now() ORDER BY id DESC LIMIT ${singles}`,
  )
  await client.end()
  const ids = rows.map(({ id }) => id)
  const first = ids[0] ?? 0
  const graphql = { url: `${uncached.root}/graphql`, body: listQuery(now) }
  return [
    list,
    { ...list, name: 'REST list, spread', spread: numbers.map((page) => ({ path: `${listPath}?page=${page}` })) },
    { name: 'GraphQL list', ...graphql },
    { name: 'GraphQL list, spread', ...graphql, spread: numbers.map((page) => ({ body: atPage(graphql.body, page) })) },
    { name: 'REST event', url: `${uncached.root}${listPath}/${first}` },
    {
      name: 'REST event, spread',
      url: `${uncached.root}${listPath}/${first}`,
      spread: ids.map((id) => ({ path: `${listPath}/${id}` })),
    },
    { name: 'GraphQL event', url: graphql.url, body: singleQuery(first) },
    {
      name: 'GraphQL event, spread',
      url: graphql.url,
      body: singleQuery(first),
      spread: ids.map((id) => ({ body: singleQuery(id) })),
    },
    { name: 'REST list, cached', url: cached.root + listPath },
    { name: 'GraphQL list, cached', url: `${cached.root}/graphql`, body: graphql.body },
    { name: 'REST create', url: cached.root + listPath, headers: writer.headers, body: writer.body },
    {
      name: 'REST update',
      url: `${cached.root}${listPath}/${first}`,
      headers: writer.headers,
      body: changedBody,
      spread: ids.map((id) => ({ path: `${listPath}/${id}` })),
    },
  ]
}

let changes = 0

/** Another title, description and time with each request. */
function changedBody(): string {
  changes += 1
  const day = `2027-05-${String(1 + (changes % 28)).padStart(2, '0')}`
  return JSON.stringify({
    title: `Concert, change ${changes}`,
    description: `<p>An evening of <strong>songs</strong> by the river, with talk ${changes} before the concert.</p>`,
    start_date: `${day} 20:00:00`,
    end_date: `${day} 22:00:00`,
  })
}

function atPage(body: string, page: number): string {
  const { variables, ...request } = JSON.parse(body) as { variables: object }
  return JSON.stringify({ ...request, variables: { ...variables, page } })
}

/** Seconds to the first response and the memory after it, of both checkouts in turn. */
async function startsAndMemory(sides: readonly Side[], rounds: number): Promise<string> {
  const results = sides.map(({ name }) => ({ name, seconds: [] as number[], megabytes: [] as number[] }))
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, { database, checkout }] of sides.entries()) {
      const service = await startService(database, {}, checkout)
      results[index]?.seconds.push(service.seconds)
      results[index]?.megabytes.push(residentMegabytes(service.pid))
      await service.stop()
    }
  }
  const rows = results.map(({ name, seconds, megabytes }) => [
    name,
    median(seconds).toFixed(2),
    range(seconds, (number) => number.toFixed(2)),
    median(megabytes).toFixed(0),
  ])
  return aligned([['start', 'seconds', 'min–max', 'MB'], ...rows])
}

const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

function readOptions() {
  const { values } = parseArgs({
    options: {
      baseline: { type: 'string' },
      server: { type: 'string' },
      only: { type: 'string', default: '' },
      events: { type: 'string', default: '5000' },
      seconds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '8' },
      rounds: { type: 'string', default: '5' },
    },
  })
  const { baseline, server, only } = values
  if (!baseline || !server) throw new Error('Give a checkout with --baseline and a PostgreSQL server with --server')
  const number = (name: 'events' | 'seconds' | 'connections' | 'rounds') => {
    const value = Number(values[name])
    if (value > 0) return value
    throw new Error(`--${name} must be a number above 0`)
  }
  const [events, seconds] = [number('events'), number('seconds')]
  return { baseline, server, only, events, seconds, connections: number('connections'), rounds: number('rounds') }
}

try {
  await compare()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
