// The child process that prepares a new site. If it fails, it sends the error message to its parent (create-site.ts).
import { setTimeout } from 'node:timers/promises'

// Exits when the parent process ends. Otherwise this process would keep the data folder locked for the next start of the service.
process.on('disconnect', () => process.exit(1))

async function create(): Promise<void> {
  const { settings: readSettings } = await import('../basics/env.ts')
  const { openDatabase } = await import('../engine/postgres/open-database.ts')
  const { createClient } = await import('../engine/reads/client.ts')
  const { migrate } = await import('../engine/postgres/migrate.ts')
  const { prepareSite } = await import('./prepare-site.ts')
  const settings = readSettings()
  const { databaseUrl, databaseDirectUrl, durability, readEngine, preparedStatements } = settings
  const database = await openDatabase(databaseUrl, 1, durability, databaseDirectUrl)
  await migrate(database)
  const db = createClient(database.pool, { readEngine, preparedStatements })
  await prepareSite(settings, db)
  await db.$disconnect()
  await database.close()
}

/** Milliseconds to wait for the data folder, which the child process of a killed service may still have locked. */
const endingTime = 5000

async function createOnceFree(): Promise<void> {
  const { FolderInUseError } = await import('../engine/postgres/pglite/folder-lock.ts')
  const start = performance.now()
  while (true) {
    try {
      return await create()
    } catch (error) {
      if (!(error instanceof FolderInUseError) || performance.now() - start > endingTime) throw error
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
