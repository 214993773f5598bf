// Measures the service beside two yardsticks: npm run bench -- [--database <url>] [--events 1000] [--seconds 5]
// [--connections 8] [--rounds 3]
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareDatabase } from './database.ts'
import { measure } from './drive.ts'
import { generate } from './generate.ts'
import { stopServers, temporaryFolder } from './processes.ts'
import { machine, ratios, table } from './report.ts'
import { checkSame, startService, startYardsticks } from './targets.ts'

const compared = [
  ['list REST', 'static'],
  ['list REST', 'sql'],
  ['list GraphQL', 'sql'],
  ['one event REST', 'sql'],
] as const

async function bench(): Promise<void> {
  const { database: given, events, ...load } = readOptions()
  const folder = temporaryFolder()
  const database = given ?? `pglite:${join(folder, 'data')}`
  const facts = await prepareDatabase(database, events, (db) => generate(db, events, { now: new Date() }))
  const isLite = database.startsWith('pglite:')
  console.log(machine(isLite ? 'PGlite, PostgreSQL' : 'PostgreSQL', facts))

  const copy = isLite ? copyOf(database, join(folder, 'copy')) : database
  const service = await startService(database)
  const file = join(folder, 'list.json')
  writeFileSync(file, service.list)
  const targets = [...service.targets, ...(await startYardsticks(copy, file))]
  await checkSame(targets)
  console.log(`\n${load.connections} connections, ${load.rounds} rounds of ${load.seconds} s each\n`)

  const measured = await measure(targets, load)
  await stopServers()
  console.log(`${table(measured)}\n\n${ratios(measured, compared)}`)
  const wrong = measured.filter(({ non2xx, failed }) => non2xx + failed > 0).map(({ name }) => name)
  if (wrong.length > 0) throw new Error(`Not every request was answered well: ${wrong.join(', ')}`)
}

function readOptions() {
  const options = {
    database: { type: 'string' },
    events: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '3' },
  } as const
  const { values } = parseArgs({ options })
  const { database } = values
  if (database === 'pglite::memory:') throw new Error('--database is one that another process can open')
  const number = (name: 'events' | 'seconds' | 'connections' | 'rounds') => {
    if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name])
    throw new Error(`--${name} is a whole number above 0`)
  }
  return {
    database,
    events: number('events'),
    seconds: number('seconds'),
    connections: number('connections'),
    rounds: number('rounds'),
  }
}

/** Only one process may open an embedded database: the yardsticks get their own. */
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
