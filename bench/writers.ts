// Measures the cost of triggers: events per second that 32 REST clients create with and without them:
// node bench/writers.ts --database postgresql://… [--triggers notify_,count_] [--events 1000] [--writers 32] [--seconds 5]
// [--rounds 5]. Triggers whose names start with the same prefix are disabled together.
import { parseArgs } from 'node:util'
import pg from 'pg'
import { prepareDatabase } from './database.ts'
import { grow } from './grow.ts'
import { measure } from './load.ts'
import { stopServers } from './processes.ts'
import { aligned, machine, median, range, short } from './report.ts'
import { listPath, startService } from './targets.ts'
import { prepareWriter, removeWriter } from './writer.ts'

interface Trigger {
  readonly name: string
  readonly table: string
}

async function writers(): Promise<void> {
  const { database, triggers, events, connections, seconds, rounds } = readOptions()
  const facts = await prepareDatabase(database, events, (db) => grow(db, events, { now: new Date() }))
  console.log(`${machine('PostgreSQL', facts)}\n\n${connections} writers, ${rounds} rounds of ${seconds} s each\n`)
  const writer = await prepareWriter(database)
  const { root } = await startService(database)
  const target = { name: 'REST create', url: root + listPath, headers: writer.headers, body: writer.body }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  const rows = [['triggers', 'on, creations a second', 'min–max', 'off', 'min–max', 'on / off']]
  const once = async () => {
    const [result] = await measure([target], { connections, seconds, rounds: 1 })
    if (!result || result.failed > 0) throw new Error('Not every event was created')
    return result.perSecond[0] ?? Number.NaN
  }
  for (const prefix of triggers) {
    const results = await findTriggers(client, prefix)
    if (results.length === 0) {
      rows.push([`${prefix}*`, 'there are none', '', '', '', ''])
      continue
    }
    const [on, off]: [number[], number[]] = [[], []]
    try {
      for (let round = 0; round < rounds; round++) {
        on.push(await once())
        await switchTo('DISABLE', results, client)
        off.push(await once())
        await switchTo('ENABLE', results, client)
      }
    } finally {
      await switchTo('ENABLE', results, client)
    }
    const ratio = median(on.map((rate, round) => rate / (off[round] ?? Number.NaN)))
    const cells = [on, off].flatMap((rates) => [short(median(rates)), range(rates, short)])
    rows.push([`${prefix}* (${results.length})`, ...cells, ratio.toFixed(2)])
  }
  await stopServers()
  await client.end()
  await removeWriter(database)
  console.log(aligned(rows))
}

async function findTriggers(client: pg.Client, prefix: string): Promise<Trigger[]> {
  const { rows } = await client.query<Trigger>(
    `SELECT tgname AS name, tgrelid::regclass::text AS table FROM pg_trigger
     WHERE NOT tgisinternal AND starts_with(tgname, $1) ORDER BY 2, 1`,
    [prefix],
  )
  return rows
}

async function switchTo(state: 'ENABLE' | 'DISABLE', triggers: readonly Trigger[], client: pg.Client): Promise<void> {
  for (const { name, table } of triggers) await client.query(`ALTER TABLE ${table} ${state} TRIGGER "${name}"`)
}

function readOptions() {
  const options = {
    database: { type: 'string' },
    triggers: { type: 'string', default: 'notify_,count_,log_' },
    events: { type: 'string', default: '1000' },
    writers: { type: 'string', default: '32' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '5' },
  } as const
  const { values } = parseArgs({ options })
  // Another process changes the triggers while the service runs, so the database must be a server.
  if (!values.database?.startsWith('postgres')) throw new Error('--database must be a PostgreSQL server')
  return {
    database: values.database,
    triggers: values.triggers.split(','),
    events: Number(values.events),
    connections: Number(values.writers),
    seconds: Number(values.seconds),
    rounds: Number(values.rounds),
  }
}

try {
  await writers()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
