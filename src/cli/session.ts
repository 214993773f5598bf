// The database that DATABASE_URL names, opened for one command.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createClient, type Db } from '../db/client.ts'
import { isMigrated, migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import type { Database } from '../db/pool.ts'
import type { Settings } from '../env.ts'

export interface Session {
  readonly database: Database
  readonly db: Db
  readonly settings: Settings
  readonly now: () => Date
}

const connections = 2

/** Runs `work` on a database that the service has set up. */
export function withSite<Done>(settings: Settings, work: (session: Session) => Promise<Done>): Promise<Done> {
  const folder = folderOf(settings)
  if (folder !== undefined && !existsSync(join(folder, 'pg'))) {
    throw new Error(`There is no database in ${folder}: check DATABASE_URL, or start the service once.`)
  }
  return withDatabase(settings, async (session) => {
    if (await isMigrated(session.database)) return work(session)
    throw new Error('The database is not set up for this version: start the service once.')
  })
}

/** Runs `work` on a database that may be new. */
export function withNew<Done>(settings: Settings, work: (session: Session) => Promise<Done>): Promise<Done> {
  folderOf(settings)
  return withDatabase(settings, async (session) => {
    await migrate(session.database)
    return work(session)
  })
}

async function withDatabase<Done>(settings: Settings, work: (session: Session) => Promise<Done>): Promise<Done> {
  const database = await openDatabase(settings.databaseUrl, connections)
  const db = createClient(database.pool)
  try {
    return await work({ database, db, settings, now: () => new Date() })
  } finally {
    await db.$disconnect()
    await database.close()
  }
}

/** Undefined for a server. */
function folderOf({ databaseUrl }: Settings): string | undefined {
  if (!databaseUrl.startsWith('pglite:')) return undefined
  const folder = databaseUrl.slice('pglite:'.length)
  if (folder !== ':memory:') return folder
  throw new Error(
    'DATABASE_URL names a database in memory, which no other process sees: set it to a folder or a server.',
  )
}
