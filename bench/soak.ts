// Checks that memory and file handles do not grow under half of the maximum load:
// node bench/soak.ts [--minutes 10] [--database <url>] [--events 1000] [--connections 8]
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { connectCollector } from './collector.ts'
import { prepareDatabase } from './database.ts'
import { grow } from './grow.ts'
import { freePort, startServer, stopServers, temporaryFolder } from './processes.ts'

const metrics = {
  rss: 'process_resident_memory_bytes',
  heap: 'nodejs_heap_size_used_bytes',
  external: 'nodejs_external_memory_bytes',
  files: 'process_open_fds',
  handles: 'nodejs_active_handles_total',
} as const
type Sample = Readonly<Record<keyof typeof metrics, number>>

/** Allowed growth between the second and the last quarter, as a ratio: caches fill, and connections may open. */
const allowedGrowth: Sample = { rss: 0.15, heap: 0.1, external: 0.1, files: 0.05, handles: 0.3 }

const paths = ['/cal/events/v1/events', '/cal/events/v1/tags', '/graphql?query={events(first:10){nodes{title}}}', '/']

async function soak(): Promise<void> {
  const { minutes, connections, events, database: databaseOption } = readOptions()
  const database = databaseOption ?? `pglite:${join(temporaryFolder(), 'data')}`
  await prepareDatabase(database, events, (db) => grow(db, events, { now: new Date() }))
  const port = await freePort()
  const inspector = await freePort()
  const environment = {
    DATABASE_URL: database,
    PORT: String(port),
    SEED: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '0',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}`,
  }
  await startServer('src/server.ts', port, { environment })
  const url = `http://127.0.0.1:${port}`
  const requests = paths.map((path) => ({ path }))
  const full = await autocannon({ url, requests, connections, duration: 10 })
  const rate = Math.max(1, Math.floor(full['2xx'] / full.duration / 2))
  console.log(`${Math.floor(full['2xx'] / full.duration)} requests per second at most; ${minutes} minutes at ${rate}`)

  const seconds = minutes * 60
  const load = autocannon({ url, requests, connections, duration: seconds, overallRate: rate })
  const collector = await connectCollector(inspector)
  const intervals: Sample[] = []
  const count = 20
  console.log('minute      rss     heap external    files  handles')
  for (let n = 1; n <= count; n += 1) {
    await new Promise((resolve) => setTimeout(resolve, (seconds * 1000) / count))
    await collector.collect()
    const { rss, heap, external, files, handles } = await sample(url)
    intervals.push({ rss, heap, external, files, handles })
    const cells = [megabytes(rss), megabytes(heap), megabytes(external), files, handles]
    console.log(
      [((minutes * n) / count).toFixed(1).padStart(6), ...cells.map((cell) => `${cell}`.padStart(8))].join(' '),
    )
  }
  const { errors, timeouts, non2xx, '2xx': succeeded } = await load
  collector.close()
  await stopServers()
  const grown = growth(intervals)
  console.log(`${succeeded} responses, ${non2xx + errors + timeouts} failures`)
  if (non2xx + errors + timeouts > 0) throw new Error('Not every request succeeded')
  if (grown.length > 0) throw new Error(`These metrics grew too much: ${grown.join(', ')}`)
}

async function sample(url: string): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return sampleOf((name) => Number(new RegExp(`^${metrics[name]} (.+)$`, 'm').exec(text)?.[1]))
}

const sampleOf = (value: (name: keyof Sample) => number): Sample => ({
  rss: value('rss'),
  heap: value('heap'),
  external: value('external'),
  files: value('files'),
  handles: value('handles'),
})

function growth(intervals: readonly Sample[]): string[] {
  const quarter = intervals.length / 4
  const before = intervals.slice(quarter, 2 * quarter)
  const after = intervals.slice(3 * quarter)
  const lowest = (samples: readonly Sample[], name: keyof Sample) => Math.min(...samples.map((each) => each[name]))
  return (Object.keys(metrics) as (keyof Sample)[]).filter(
    (name) => !(lowest(after, name) <= lowest(before, name) * (1 + allowedGrowth[name])),
  )
}

const megabytes = (bytes: number) => `${(bytes / 1024 ** 2).toFixed(1)}M`

function readOptions() {
  const options = {
    minutes: { type: 'string', default: '10' },
    database: { type: 'string' },
    events: { type: 'string', default: '1000' },
    connections: { type: 'string', default: '8' },
  } as const
  const { values } = parseArgs({ options })
  const number = (name: 'minutes' | 'events' | 'connections') => {
    if (Number(values[name]) > 0) return Number(values[name])
    throw new Error(`--${name} must be a number above 0`)
  }
  return {
    minutes: number('minutes'),
    events: number('events'),
    connections: number('connections'),
    database: values.database,
  }
}

try {
  await soak()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
process.exit()
