// Compares the service with yardsticks: npm run bench -- [--quick] [--database <url>] [--template <database>] [--events 5000]
// [--seconds 5] [--connections 8] [--rounds 5] [--only <part of a name>]
// [--requests <number of additional requests before memory is measured>]
// With --template, the benchmark uses a copy of that database, which has to be on the same server.
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { createDatabase, prepareDatabase } from './database.ts'
import { grow } from './grow.ts'
import { type Measurement, measure, sendRequest, type Target } from './load.ts'
import { stopServers, temporaryFolder } from './processes.ts'
import { aligned, type Comparison, machine, median, range, ratios, table } from './report.ts'
import { findEvents } from './spread.ts'
import {
  checkSame,
  listPath,
  memoryTargets,
  readTargets,
  startService,
  startYardsticks,
  writeTargets,
} from './targets.ts'
import { measureImport } from './transfer.ts'
import { prepareWriter, removeWriter } from './writer.ts'

const comparisons: readonly Comparison[] = [
  { of: 'REST list, cached', to: 'static', target: 0.6 },
  { of: 'GraphQL list, cached', to: 'static', target: 0.6 },
  { of: 'GraphQL list, cached', to: 'static, by POST' },
  { of: 'GraphQL list by GET, cached', to: 'static' },
  { of: 'REST list, 304', to: 'static, 304', target: 0.6 },
  { of: 'REST list, spread', to: 'SQL list, spread', target: 0.5 },
  { of: 'GraphQL list, spread', to: 'SQL list, spread', target: 0.5 },
  { of: 'GraphQL connection, spread', to: 'SQL connection, spread', target: 0.5 },
  { of: 'REST list, spread, fallback off', to: 'SQL list, spread, fallback off', target: 0.5 },
  { of: 'GraphQL list, spread, fallback off', to: 'SQL list, spread, fallback off', target: 0.5 },
  { of: 'REST event, spread', to: 'SQL event, spread', target: 0.45 },
  { of: 'GraphQL event, spread', to: 'SQL event, spread', target: 0.4 },
  { of: 'REST list', to: 'SQL list' },
  { of: 'GraphQL list', to: 'SQL list' },
  { of: 'REST event', to: 'SQL event' },
  { of: 'GraphQL event', to: 'SQL event' },
  { of: 'REST create', to: 'SQL create', target: 0.35 },
]

async function bench(): Promise<void> {
  const { template, database, ...options } = readOptions()
  if (template === undefined) return compare({ ...options, database })
  const copy = await createDatabase(database ?? '', template)
  try {
    await compare({ ...options, database: copy.url })
  } finally {
    await stopServers()
    await copy.drop()
  }
}

type Options = Omit<ReturnType<typeof readOptions>, 'template'>

async function compare({ database: databaseOption, events, requests, quick, only, ...load }: Options): Promise<void> {
  const folder = temporaryFolder()
  const embedded = `pglite:${join(folder, 'data')}`
  const database = databaseOption ?? embedded
  const isLite = database.startsWith('pglite:')
  const fill = (url: string, count: number) => prepareDatabase(url, count, (db) => grow(db, count, { now: new Date() }))
  const facts = await fill(database, events)
  console.log(machine(isLite ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts))
  const writer = await prepareWriter(database)
  const ids = await findEvents(database)
  // Only one process can open an embedded database, so each gets a copy.
  const copy = (name: string) => (isLite ? copyOf(database, join(folder, name)) : database)
  const [second, third, fourth, idle] = [copy('second'), copy('third'), copy('fourth'), copy('idle')]

  const withoutCache = { CACHE_BYTES: '0', QUERY_COST_MAX: '100000' }
  const [cached, uncached, withoutFallback] = await Promise.all([
    startService(database),
    startService(second, withoutCache),
    startService(fourth, { ...withoutCache, LANGUAGE_FALLBACK: 'off' }),
  ])
  const file = join(folder, 'list.json')
  writeFileSync(file, (await sendRequest({ name: 'REST list', url: cached.root + listPath })).body)
  const yardsticks = await startYardsticks(third, file, writer)
  const servers = { cached, uncached, withoutFallback, yardsticks }
  await checkSame(servers, ids)
  console.log(
    `\n${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each, load ${loadavg()[0]}\n`,
  )

  const compared = comparisons.filter(({ of }) => of.includes(only))
  const chosen = (targets: readonly Target[]) =>
    targets.filter(({ name }) => compared.some(({ of, to }) => name === of || name === to))
  const fromMemory = chosen(await memoryTargets(servers))
  const before = residentMegabytes(cached.pid)
  const memory = await measure(fromMemory, load)
  if (requests > 0) await autocannon({ url: cached.root + listPath, connections: load.connections, amount: requests })
  const after = residentMegabytes(cached.pid)
  const read = await measure(chosen(await readTargets(servers, ids)), load)
  const written = await measure(chosen(writeTargets(servers, writer)), load)
  await stopServers()
  await removeWriter(database)
  const all = [...memory, ...read, ...written]
  console.log(`${table(all)}\n\n${ratios(all, compared)}\n\nload ${loadavg()[0]}`)
  const failures = all.filter(({ succeeded, failed }) => failed > 0 || succeeded === 0).map(({ name }) => name)
  if (failures.length > 0) throw new Error(`Not every request succeeded: ${failures.join(', ')}`)
  if (quick || only !== '') return

  if (!isLite) await fill(embedded, others.events)
  const starts = await measureStarts(isLite ? idle : embedded, load.rounds)
  const imported = await measureImport(idle, folder, facts.rows.event)
  const requestCount = requests + totalSucceeded(memory.slice(0, 3))
  console.log(
    `\n${aligned([
      ['other', 'measured', 'min–max', 'target'],
      ['start to first response, embedded database, s', median(starts).toFixed(2), range(starts, seconds), 'under 1.5'],
      ['import, events per second', imported.toFixed(0), '', 'at least 500'],
      [
        `memory after ${requestCount} cached responses, MB`,
        after.toFixed(0),
        `from ${before.toFixed(0)}`,
        isLite ? 'flat' : 'flat, under 250',
      ],
    ])}`,
  )
}

/** The embedded database of which the start is measured. */
const others = { events: 1000 }

const seconds = (number: number) => number.toFixed(2)
const totalSucceeded = (some: readonly Measurement[]) => some.reduce((sum, { succeeded }) => sum + succeeded, 0)

/** Start times with an embedded database. The first start is not measured, because it fills the compile cache. */
async function measureStarts(database: string, rounds: number): Promise<number[]> {
  await (await startService(database)).stop()
  const starts: number[] = []
  for (let round = 0; round < rounds; round++) {
    const service = await startService(database)
    starts.push(service.seconds)
    await service.stop()
  }
  return starts
}

const residentMegabytes = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024

function readOptions() {
  const options = {
    database: { type: 'string' },
    template: { type: 'string' },
    quick: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    events: { type: 'string', default: '5000' },
    seconds: { type: 'string' },
    connections: { type: 'string', default: '8' },
    rounds: { type: 'string' },
    requests: { type: 'string', default: '0' },
  } as const
  const { values } = parseArgs({ options })
  const { database, template, quick, only } = values
  if (template !== undefined && !database?.startsWith('postgres'))
    throw new Error('--template needs --database, a PostgreSQL server')
  if (database === 'pglite::memory:') throw new Error('--database must be a database that another process can open')
  const given = {
    ...values,
    seconds: values.seconds ?? (quick ? '1' : '5'),
    rounds: values.rounds ?? (quick ? '3' : '5'),
  }
  type Name = 'events' | 'seconds' | 'connections' | 'rounds' | 'requests'
  const number = (name: Name, pattern: RegExp, expected: string) => {
    if (pattern.test(given[name])) return Number(given[name])
    throw new Error(`--${name} must be ${expected}`)
  }
  const positiveInteger = [/^[1-9]\d{0,8}$/, 'a whole number above 0'] as const
  return {
    database,
    template,
    quick,
    only,
    events: number('events', ...positiveInteger),
    seconds: number('seconds', /^(?!0+(\.0*)?$)\d{1,6}(\.\d+)?$/, 'a number above 0'),
    connections: number('connections', ...positiveInteger),
    rounds: number('rounds', ...positiveInteger),
    requests: number('requests', /^\d{1,9}$/, 'a whole number'),
  }
}

function copyOf(database: string, folder: string): string {
  cpSync(database.slice('pglite:'.length), folder, { recursive: true })
  return `pglite:${folder}`
}

try {
  await bench()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
