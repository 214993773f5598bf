// Compares the service with yardsticks: npm run bench -- [--database <url>] [--events 1000] [--seconds 5]
// [--connections 8] [--rounds 5] [--requests <number of additional requests before memory is measured>]
import { execFileSync } from 'node:child_process'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { prepareDatabase } from './database.ts'
import { generate } from './generate.ts'
import { type Measurement, measure, sendRequest } from './load.ts'
import { stopServers, temporaryFolder } from './processes.ts'
import { aligned, type Comparison, machine, median, range, ratios, table } from './report.ts'
import { checkSame, listPath, readTargets, startService, startYardsticks, writeTargets } from './targets.ts'
import { measureImport } from './transfer.ts'
import { prepareWriter, removeWriter } from './writer.ts'

const comparisons: readonly Comparison[] = [
  { of: 'REST list, cached', to: 'static', target: 0.5 },
  { of: 'GraphQL list, cached', to: 'static', target: 0.5 },
  { of: 'REST list, 304', to: 'static', target: 0.7 },
  { of: 'REST list, 304', to: 'static, 304' },
  { of: 'REST list', to: 'SQL list', target: 0.6 },
  { of: 'GraphQL list', to: 'SQL list', target: 0.55 },
  { of: 'REST event', to: 'SQL event', target: 0.5 },
  { of: 'GraphQL event', to: 'SQL event', target: 0.5 },
  { of: 'REST list', to: 'SQL list, tuned' },
  { of: 'GraphQL list', to: 'SQL list, tuned' },
  { of: 'REST event', to: 'SQL event, tuned' },
  { of: 'REST create', to: 'SQL create', target: 0.35 },
]

async function bench(): Promise<void> {
  const { database: databaseOption, events, requests, ...load } = readOptions()
  const folder = temporaryFolder()
  const embedded = `pglite:${join(folder, 'data')}`
  const database = databaseOption ?? embedded
  const isLite = database.startsWith('pglite:')
  const fill = (url: string) => prepareDatabase(url, events, (db) => generate(db, events, { now: new Date() }))
  const facts = await fill(database)
  console.log(machine(isLite ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts))
  const writer = await prepareWriter(database)
  // Only one process can open an embedded database, so each gets a copy.
  const copy = (name: string) => (isLite ? copyOf(database, join(folder, name)) : database)
  const [second, third, idle] = [copy('second'), copy('third'), copy('idle')]
  if (!isLite) await fill(embedded)

  const [cached, uncached] = await Promise.all([startService(database), startService(second, { CACHE_BYTES: '0' })])
  const file = join(folder, 'list.json')
  writeFileSync(file, (await sendRequest({ name: 'REST list', url: cached.root + listPath })).body)
  const yardsticks = await startYardsticks(third, file, writer)
  const servers = { cached, uncached, yardsticks }
  const reads = await readTargets(servers)
  await checkSame(reads)
  console.log(`\n${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each\n`)

  const before = residentMegabytes(cached.pid)
  const read = await measure(reads, load)
  if (requests > 0) await autocannon({ url: cached.root + listPath, connections: load.connections, amount: requests })
  const after = residentMegabytes(cached.pid)
  const written = await measure(writeTargets(servers, writer), load)
  await stopServers()
  await removeWriter(database)
  const all = [...read, ...written]
  const starts = await measureStarts(isLite ? idle : embedded, load.rounds)
  const imported = await measureImport(idle, folder, facts.rows.event)

  const requestCount = requests + totalSucceeded(read.slice(0, 3))
  const others = [
    ['other', 'measured', 'min–max', 'target'],
    ['start to first response, embedded database, s', median(starts).toFixed(2), range(starts, seconds), 'under 1.5'],
    ['import, events per second', imported.toFixed(0), '', 'at least 500'],
    [
      `memory after ${requestCount} cached responses, MB`,
      after.toFixed(0),
      `from ${before.toFixed(0)}`,
      isLite ? 'flat' : 'flat, under 250',
    ],
  ]
  console.log(`${table(all)}\n\n${ratios(all, comparisons)}\n\n${aligned(others)}`)
  const failures = all.filter(({ succeeded, failed }) => failed > 0 || succeeded === 0).map(({ name }) => name)
  if (failures.length > 0) throw new Error(`Not every request succeeded: ${failures.join(', ')}`)
}

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
    events: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '0' },
  } as const
  const { values } = parseArgs({ options })
  const { database } = values
  if (database === 'pglite::memory:') throw new Error('--database must be a database that another process can open')
  const number = (name: Exclude<keyof typeof options, 'database'>, pattern: RegExp, expected: string) => {
    if (pattern.test(values[name])) return Number(values[name])
    throw new Error(`--${name} must be ${expected}`)
  }
  const positiveInteger = [/^[1-9]\d{0,8}$/, 'a whole number above 0'] as const
  return {
    database,
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
