// The process: settings, database, service, until it is told to stop.
import { buildApp } from './app.ts'
import { prepareSite } from './content/site.ts'
import { createClient, type Tx } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase } from './db/open.ts'
import { settings as readSettings, type Settings } from './env.ts'

/** Milliseconds that requests under way have to finish; a supervisor kills after 10 s. */
const patience = 8000

async function start(): Promise<void> {
  const settings = readSettings()
  const database = await openDatabase(settings.databaseUrl, settings.databasePool)
  await migrate(database.pool)
  const db = createClient(database.pool)
  const site = await prepareSite(db, settings, settings.seed ? loadSample(settings) : undefined)
  const app = buildApp({ db, settings, site, now: () => new Date() })
  await app.listen({ host: settings.host, port: settings.port })
  announce(settings)

  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(() => app.server.closeAllConnections(), patience).unref()
    await app.close()
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

function announce({ publicUrl, restEnabled, restPrefix, restNamespace, graphiql }: Settings): void {
  const rest = `${publicUrl}${restPrefix}/${restNamespace}/events`
  console.log(
    [
      'The calendar is open:',
      `  GraphQL  ${publicUrl}/graphql${graphiql ? '   (GraphiQL in a browser)' : ''}`,
      ...(restEnabled ? [`  REST     ${rest}`] : []),
    ].join('\n'),
  )
}

try {
  await start()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
