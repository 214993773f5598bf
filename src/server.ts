// The process: settings, database, service, until it is told to stop.
import { setTimeout } from 'node:timers/promises'
import { collectDefaultMetrics, Registry } from 'prom-client'
import { buildApp } from './app.ts'
import { openCache } from './cache/answers.ts'
import { type AdministratorNews, ensureAdministrator } from './content/administrator.ts'
import { prepareSite } from './content/site.ts'
import { createClient, type Tx } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { limitStatements } from './db/pool.ts'
import { settings as readSettings, type Settings } from './env.ts'
import { timeouts } from './limits/http.ts'
import { listen } from './operations/front.ts'
import { createSignIn } from './sign-in.ts'

/** Milliseconds that requests under way have to finish; a supervisor kills after 10 s. */
const patience = 5000

/** Milliseconds in which a balancer that asks every second sees that this instance is to get no more requests. */
const notice = 3000

async function start(): Promise<void> {
  const settings = readSettings()
  const front = await listen(settings, timeouts(settings).http)
  const database = await openDatabase(settings.databaseUrl, settings.databasePool)
  await migrate(database)
  const db = createClient(database.pool)
  const news: (AdministratorNews | undefined)[] = []
  const site = await prepareSite(db, settings, settings.seed ? loadSample(settings) : undefined, async (tx) => {
    news.push(await ensureAdministrator(tx, settings))
  })
  // Before anything else can go wrong: the secret is told this once.
  for (const item of news) if (item) console.log(tell(item))
  await limitStatements(database, settings.requestTimeout)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const stopping = new AbortController()
  const cache = await openCache(database, db, settings.cacheBytes)
  const app = buildApp(
    { db, settings, site, now: () => new Date(), signIn: createSignIn(settings), cache },
    { database, registry, stopping: stopping.signal },
  )
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
    await cache.close()
    await db.$disconnect()
    await database.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function loadSample(settings: Settings) {
  return async (tx: Tx) => {
    const { loadSample } = await import('../prisma/seed/load.ts')
    await loadSample(tx, settings, new Date())
  }
}

const tell = (news: AdministratorNews) =>
  news.kind === 'made'
    ? `The first administrator, shown only now:\n  login     ${news.login}\n  password  ${news.secret}`
    : `ADMIN_LOGIN is not an administrator: ${news.login} has another role, which is left as it is.`

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

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
