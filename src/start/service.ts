// Connects the app to its database. start.ts imports this dynamically, because its modules take long to load.
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { buildApp } from '../app.ts'
import type { Settings } from '../basics/env.ts'
import { addLogMetrics, startRetention } from '../calendar/audit/retention.ts'
import { logStart } from '../calendar/audit/start-entries.ts'
import { registerDatabaseOfFolder } from '../calendar/image/storage/folder-users.ts'
import { removeUnusedFiles } from '../calendar/image/storage/remove-unused.ts'
import { startExtendingSeries } from '../calendar/series/extend.ts'
import { hasOutdatedTexts, initializeSite } from '../calendar/site/site.ts'
import { startWebhooks, type Webhooks } from '../calendar/webhook/run.ts'
import { openPurger } from '../engine/cache/cdn/open.ts'
import type { Purger } from '../engine/cache/cdn/purger.ts'
import { createResponseCache } from '../engine/cache/response-cache.ts'
import type { Db } from '../engine/postgres/client.ts'
import { type Database, limitStatementDuration } from '../engine/postgres/pool.ts'
import { createSharedCounters } from '../engine/postgres/rate-limit-counters.ts'
import { createReplicas } from '../engine/postgres/replicas/replicas.ts'
import type { WorkerProcess } from '../engine/processes/worker-process.ts'
import { joinMetrics, sendMetrics } from '../engine/processes/worker-process.ts'
import { createClient } from '../engine/reads/client.ts'
import { createSchema } from '../schema.ts'
import { createSignIn } from '../service/auth/sign-in.ts'
import { createFirstLink } from '../service/auth/sign-in-links.ts'
import type { Site } from '../service/context.ts'
import { createOperationRunner } from '../service/graphql/execute.ts'
import { firstLinkMessage, printStartMessage, rebuildingMessage } from './announce.ts'
import { createSite, needsSample } from './create-site.ts'
import { prepareSite } from './prepare-site.ts'

/** Creates the app and its background work. Sends no query to the database before `open` is called. */
export function createService(settings: Settings, database: Database, stopping: AbortSignal, worker?: WorkerProcess) {
  const { readEngine, preparedStatements } = settings
  const connect = (pool: Database['pool']) => createClient(pool, { readEngine, preparedStatements })
  const db = connect(database.pool)
  const replicas = settings.databaseReplicaUrl && createReplicas(database, db, settings, connect)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const cache = createResponseCache(database, db, settings.cacheBytes)
  const { promise: site, resolve: isPrepared } = Promise.withResolvers<Site>()
  const app = buildApp(
    {
      ...{ db, settings, site, now: () => new Date(), cache, replicas },
      signIn: createSignIn(settings, createSharedCounters(settings, db)),
    },
    { database, registry, stopping, worker: worker && joinMetrics(worker, registry) },
  )
  let cleaning = Promise.resolve()
  let purger: Purger | undefined
  let webhooks: Webhooks | undefined
  let loops: readonly ReturnType<typeof startRetention>[] = []
  addLogMetrics(db, registry)
  app.addHook('onClose', async () => {
    const closing = [cache.close(), replicas?.close(), purger?.close(), webhooks?.close(), cleaning]
    await Promise.all([...closing, ...loops.map((loop) => loop.close())])
    if (worker) await sendMetrics(worker, registry, true)
  })
  const isLeader = worker?.isLeader ?? true
  /** Starts the background work. Call after the migrations and before the first request. */
  const open = async () => {
    const say = (text: string) => printStartMessage(settings, text, worker?.number)
    if (isLeader && !database.isEmbedded && (await needsSample(settings, db))) {
      await say('Loading sample events.')
      await createSite()
    }
    if (isLeader && (await hasOutdatedTexts(db, settings))) await say(rebuildingMessage)
    isPrepared(await (isLeader ? prepareSite(settings, db) : initializeSite(db, settings)))
    if (isLeader) await logStart(db, settings)
    const link = isLeader ? await createFirstLink(db, settings, new Date()) : undefined
    if (link) console.log(firstLinkMessage(link))
    await limitStatementDuration(database, settings.requestTimeout)
    await cache.open()
    await replicas?.open()
    if (isLeader && settings.trustProxy === true) app.log.warn(trustsEverybody)
    purger = await openPurger(settings, { db, database, registry, log: app.log })
    const schema = createSchema(settings.languages)
    const execute = createOperationRunner(schema, { settings })
    const now = () => new Date()
    webhooks = await startWebhooks({ db, database, settings, site, now, schema, execute, registry, log: app.log })
    const dependencies = { db, settings, log: app.log }
    if (isLeader) loops = [startRetention(dependencies), startExtendingSeries(dependencies)]
    // Not awaited, because removing many files takes long.
    if (isLeader) cleaning = removeUnusedImages(app, settings, db, stopping)
  }
  return { app, db, open }
}

const trustsEverybody =
  'TRUST_PROXY=on lets any client choose its own address (X-Forwarded-For), and so evade limits for addresses. Set it to the addresses of the proxies, such as TRUST_PROXY=127.0.0.1,10.0.0.0/8.'

async function removeUnusedImages(
  { log }: FastifyInstance,
  { imagesDir, databaseUrl }: Settings,
  db: Db,
  signal: AbortSignal,
): Promise<void> {
  // A database in memory starts empty, so its records do not show which files are in use.
  if (databaseUrl === 'pglite::memory:') return
  try {
    const { isKnown, others } = await registerDatabaseOfFolder(imagesDir, databaseUrl)
    const onlyDrafts = !isKnown || others.length > 0
    const { files, bytes } = await removeUnusedFiles(imagesDir, db, { now: new Date(), onlyDrafts, signal })
    if (files.length > 0) log.info({ files: files.length, bytes }, 'removed unused image files')
  } catch (err) {
    if (!signal.aborted) log.warn({ err }, 'could not remove unused image files')
  }
}
