// From settings to an open service. What takes time goes side by side: the database starts while modules are loaded and
// the service is built.
import { setTimeout } from 'node:timers/promises'
import { migrate } from '../db/migrate.ts'
import { folderOf, openDatabase } from '../db/open-database.ts'
import { restrictFolder } from '../db/pglite/data-folder.ts'
import type { Database } from '../db/pool.ts'
import { waitForServer } from '../db/wait-for-server.ts'
import { settings as readSettings, type Settings } from '../env.ts'
import { listen } from '../http/http-listener.ts'
import { timeouts } from '../http/timeouts.ts'
import type { Service } from './service.ts'

/** Milliseconds that requests under way have to finish; a supervisor kills after 10 s. */
const shutdownGracePeriod = 5000

/** Milliseconds in which a balancer that asks every second sees that this instance is to get no more requests. */
const drainDelay = 3000

export async function start(): Promise<void> {
  const settings = readSettings()
  // Nothing is to be finished yet; the first process of a container ignores a signal that it has no handler for.
  const quit = () => process.exit(0)
  process.on('SIGTERM', quit).on('SIGINT', quit)
  const listener = await listen(settings, timeouts(settings).http)
  const stopping = new AbortController()
  restrictDataFolder(settings)
  const database = await openDatabase(settings.databaseUrl, settings.databasePool, settings.durability)
  const migrated = waitForServer(database, settings.startupTimeout).then(() => migrate(database))
  const preparing = prepare(settings, database, stopping.signal)
  const [{ app, db, open }, migrations] = await Promise.all([preparing, migrated])
  await open()
  // Otherwise a stop soon after would have to write all that the migrations made.
  if (database.isEmbedded && migrations.length > 0) await database.pool.query('CHECKPOINT')
  await listener.serve(app)
  logAddresses(settings)
  database.broken?.then(({ message }) => {
    console.error(message)
    process.exit(1)
  })

  const stop = async (signal: NodeJS.Signals) => {
    if (stopping.signal.aborted) return
    stopping.abort()
    // A statement that hangs must not keep the process: a supervisor would kill it.
    setTimeout(9500, undefined, { ref: false }).then(() => process.exit(0))
    // The embedded database has no second instance that could answer instead.
    if (signal === 'SIGTERM' && !database.isEmbedded) await setTimeout(drainDelay)
    await listener.close(shutdownGracePeriod)
    await app.close()
    await db.$disconnect()
    await database.close()
    process.exit(0)
  }
  process.off('SIGTERM', quit).off('SIGINT', quit)
  process.on('SIGTERM', stop).on('SIGINT', stop)
}

/** What an earlier version wrote is readable by all users of the machine. */
function restrictDataFolder({ databaseUrl, imagesDir }: Settings): void {
  const folder = folderOf(databaseUrl)
  if (folder === undefined) return
  try {
    restrictFolder(folder, imagesDir)
  } catch (error) {
    console.error(`Other users may read the data folder ${folder}: ${error instanceof Error ? error.message : error}`)
  }
}

async function prepare(settings: Settings, database: Database, stopping: AbortSignal): Promise<Service> {
  const { createService } = await import('./service.ts')
  const service = createService(settings, database, stopping)
  await service.app.ready()
  return service
}

function logAddresses({ publicUrl, restEnabled, restPrefix, restNamespace, graphiql }: Settings): void {
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
