// Starts the service. The embedded database starts while modules are loaded and the app is built, to save time.
import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { settings as readSettings, type Settings } from '../basics/env.ts'
import { applyPendingMigrations } from '../calendar/site/migrate-site.ts'
import { databaseFolderOf, openDatabase } from '../engine/postgres/open-database.ts'
import { restrictFolder } from '../engine/postgres/pglite/data-folder.ts'
import { type Database, refuseReplicaConnections } from '../engine/postgres/pool.ts'
import { prepareDatabaseServer } from '../engine/postgres/prepare-server.ts'
import { replacedByNewWorker, type StopReason } from '../engine/processes/messages.ts'
import type { WorkerProcess } from '../engine/processes/worker-process.ts'
import { listenForRequests } from '../service/http/http-listener.ts'
import { timeoutOptions } from '../service/http/timeouts.ts'
import { creatingSiteMessage, logAddresses, migratingMessage, printStartMessage } from './announce.ts'
import { createSite, needsCreation } from './create-site.ts'

/** Milliseconds that running requests get to finish. Process supervisors such as systemd usually kill a process after 10 s. */
const shutdownGracePeriod = 5000

/** Milliseconds that the process may take to exit after its requests have finished. */
const exitTime = 1500

/** Milliseconds before the listener closes, so that load balancers see in /health/ready that the instance is stopping. */
const drainDelay = 3000

/** Milliseconds beyond REQUEST_TIMEOUT after which a replaced worker is killed. */
const replaceTime = 10_000

/** Starts the service: as a single process, a supervisor or a worker. */
export async function startProcess(): Promise<void> {
  const settings = readSettings()
  if (settings.workers === 1) return serve(settings)
  if (cluster.isPrimary) {
    const { superviseWorkers } = await import('../engine/processes/supervisor.ts')
    return superviseWorkers({
      workers: settings.workers,
      replaceTimeoutMs: settings.requestTimeout + replaceTime,
      prepare: () => prepareDatabase(settings),
      onReady: () => logAddresses(settings),
    })
  }
  const { joinSupervisor } = await import('../engine/processes/worker-process.ts')
  const worker = joinSupervisor()
  try {
    await serve(settings, worker)
    await worker.send({ type: 'ready' })
  } catch (error) {
    // The supervisor prints the message, once for all workers.
    await worker.send({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

async function prepareDatabase(settings: Settings): Promise<void> {
  const { databaseUrl, durability, databaseDirectUrl } = settings
  const database = await openDatabase(databaseUrl, 1, durability, databaseDirectUrl)
  try {
    await migrateDatabase(database, settings)
  } finally {
    await database.close()
  }
}

/** Waits for the database server, applies the pending migrations, and returns their names. */
async function migrateDatabase(database: Database, settings: Settings): Promise<string[]> {
  await prepareDatabaseServer(database, settings)
  return applyPendingMigrations(database, (count) => printStartMessage(settings, migratingMessage(count)))
}

/** Opens the database and serves requests. Resolves when the service is ready. */
async function serve(settings: Settings, worker?: WorkerProcess): Promise<void> {
  // Without handlers, Node would ignore signals as process 1 of a container.
  const quit = () => process.exit(0)
  process.on('SIGTERM', quit).on('SIGINT', quit)
  const listenNow = (app?: FastifyInstance) =>
    listenForRequests(settings, timeoutOptions(settings).http, {
      app,
      startingPage: async (request) =>
        (await import('../apis/pages/starting-page.ts')).createStartingPage(request, settings),
    })
  const early = worker?.listensEarly === false ? undefined : await listenNow()
  const stopping = new AbortController()
  restrictDataFolder(settings)
  if (needsCreation(settings))
    await Promise.all([
      printStartMessage(settings, creatingSiteMessage(settings)),
      createSite(),
      import('./service.ts'),
    ])
  const { databaseUrl, databasePool, durability, databaseDirectUrl } = settings
  const database = await openDatabase(databaseUrl, databasePool, durability, databaseDirectUrl)
  refuseReplicaConnections(database)
  const migrated = worker ? worker.mayOpen.then(() => []) : migrateDatabase(database, settings)
  // Loading modules blocks the event loop, on a slow machine for longer than an attempt to connect to a server may take.
  if (!worker && !database.isEmbedded) await migrated
  const loading = import('./service.ts').then(async ({ createService }) => {
    const service = createService(settings, database, stopping.signal, worker)
    await service.app.ready()
    return service
  })
  const [{ app, db, open }, migrations] = await Promise.all([loading, migrated])
  // Writes the changes of the migrations to disk now, so that a stop soon after the start does not have to.
  if (database.isEmbedded && migrations.length > 0) await database.pool.query('CHECKPOINT')
  await open()
  await early?.serve(app)
  const listener = early ?? (await listenNow(app))
  if (!worker) logAddresses(settings)
  database.broken?.then(({ message }) => {
    console.error(message)
    process.exit(1)
  })

  const stop = async (reason: StopReason) => {
    if (stopping.signal.aborted) return
    stopping.abort(reason)
    // No process supervisor kills a replaced worker early, so its requests get the full REQUEST_TIMEOUT.
    const gracePeriod = reason === replacedByNewWorker ? settings.requestTimeout + 2000 : shutdownGracePeriod
    // Exits even if a statement hangs, before a process supervisor such as systemd kills the process.
    setTimeout(drainDelay + gracePeriod + exitTime, undefined, { ref: false }).then(() => process.exit(0))
    if (reason === replacedByNewWorker) listener.stopAccepting()
    // Not with the embedded database, because then no other instance could take the requests.
    if ((reason === 'SIGTERM' || reason === replacedByNewWorker) && !database.isEmbedded) await setTimeout(drainDelay)
    await listener.close(gracePeriod)
    await app.close()
    await db.$disconnect()
    await database.close()
    process.exit(0)
  }
  process.off('SIGTERM', quit).off('SIGINT', quit)
  process.on('SIGTERM', stop).on('SIGINT', stop)
  worker?.onStop(stop)
}

/** Removes the access of other users to the data folder, because earlier versions gave it to all users of the machine. */
function restrictDataFolder({ databaseUrl, imagesDir }: Settings): void {
  const folder = databaseFolderOf(databaseUrl)
  if (folder === undefined) return
  try {
    restrictFolder(folder, imagesDir)
  } catch (error) {
    const reason = error instanceof Error ? error.message : error
    console.error(`Could not restrict the data folder ${folder}, other users may be able to read it: ${reason}`)
  }
}
