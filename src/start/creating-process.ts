// The child process that prepares a new site. If it fails, it sends the error message to its parent (create-site.ts).
import { setTimeout } from 'node:timers/promises'

// Ends when the parent process ends, because otherwise the next start of the service would find the data folder locked.
process.on('disconnect', () => process.exit(1))

async function create(): Promise<void> {
  const { settings: readSettings } = await import('../basics/env.ts')
  const { openDatabase } = await import('../engine/postgres/open-database.ts')
  const { createClient } = await import('../engine/reads/client.ts')
  const { migrate } = await import('../engine/postgres/migrate.ts')
  const { prepare } = await import('./prepare-site.ts')
  const settings = readSettings()
  const { databaseUrl, databaseDirectUrl, durability, readEngine, preparedStatements } = settings
  const database = await openDatabase(databaseUrl, 1, durability, databaseDirectUrl)
  await migrate(database)
  const db = createClient(database.pool, { readEngine, preparedStatements })
  await prepare(settings, db)
  await db.$disconnect()
  await database.close()
}

/** Milliseconds to wait until the child process of a start that was killed has ended. */
const endingTime = 5000

async function createOnceFree(): Promise<void> {
  const { FolderInUse } = await import('../engine/postgres/pglite/folder-lock.ts')
  const start = performance.now()
  while (true) {
    try {
      return await create()
    } catch (error) {
      if (!(error instanceof FolderInUse) || performance.now() - start > endingTime) throw error
      await setTimeout(100)
    }
  }
}

try {
  await createOnceFree()
  process.exit(0)
} catch (error) {
  process.send?.(error instanceof Error ? error.message : String(error), () => process.exit(1))
}
