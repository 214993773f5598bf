// From settings to an open service. What takes time goes side by side: the database opens while modules are loaded.
import { setTimeout } from 'node:timers/promises'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import type { Database } from './db/pool.ts'
import { settings as readSettings, type Settings } from './env.ts'
import { timeouts } from './limits/timeouts.ts'
import { listen } from './operations/front.ts'

/** Milliseconds that requests under way have to finish; a supervisor kills after 10 s. */
const patience = 5000

/** Milliseconds in which a balancer that asks every second sees that this instance is to get no more requests. */
const notice = 3000

export async function start(): Promise<void> {
  const settings = readSettings()
  const front = await listen(settings, timeouts(settings).http)
  const [database, { createService }] = await Promise.all([openMigrated(settings), import('./service.ts')])
  const stopping = new AbortController()
  const { app, db } = await createService(settings, database, stopping.signal)
  await front.open(app)
  announce(settings)

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    // A statement that hangs must not keep the process: a supervisor would kill it.
    setTimeout(9500, undefined, { ref: false }).then(() => process.exit(0))
    // The embedded database has no second instance that could answer instead.
    if (signal === 'SIGTERM' && !database.lite) await setTimeout(notice)
    await front.close(patience)
    await app.close()
    await db.$disconnect()
    await database.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

async function openMigrated({ databaseUrl, databasePool }: Settings): Promise<Database> {
  const database = await openDatabase(databaseUrl, databasePool)
  await migrate(database)
  return database
}

function announce({ publicUrl, restEnabled, restPrefix, restNamespace, graphiql }: Settings): void {
  const rest = `${publicUrl}${restPrefix}/${restNamespace}/events`
  console.log(
    [
      'The calendar is open:',
      `  Pages    ${publicUrl}/`,
      `  GraphQL  ${publicUrl}/graphql${graphiql ? '   (GraphiQL in a browser)' : ''}`,
      ...(restEnabled ? [`  REST     ${rest}`, `  Docs     ${publicUrl}/docs`] : []),
    ].join('\n'),
  )
}
