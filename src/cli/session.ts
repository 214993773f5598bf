// The database that DATABASE_URL names, opened for one command.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Site } from '../context.ts'
import { createClient, type Db } from '../db/client.ts'
import { isMigrated, migrate } from '../db/migrate.ts'
import { openDatabase } from '../db/open-database.ts'
import { FolderInUse } from '../db/pglite/folder-lock.ts'
import type { Database } from '../db/pool.ts'
import { messageOf } from '../db/wait-for-server.ts'
import type { Settings } from '../env.ts'
import { missingFolders, removeEmptyFolders } from './folders.ts'

export interface Session {
  readonly database: Database
  readonly db: Db
  readonly settings: Settings
  readonly now: () => Date
}

type Work<Done> = (session: Session) => Promise<Done>

const connections = 2

/** Runs `work` on a database that the service has set up; `meanwhile` tells what else there is to do while it is held. */
export async function withSite<Done>(settings: Settings, work: Work<Done>, meanwhile?: string): Promise<Done> {
  const folder = folderOf(settings)
  if (folder !== undefined && !existsSync(join(folder, 'pg'))) {
    throw new Error(`There is no database in ${folder}: check DATABASE_URL, or start the service once.`)
  }
  const ready: Work<Done> = async (session) => {
    if (await isMigrated(session.database)) return work(session)
    throw new Error('The database is not set up for this version: start the service once.')
  }
  return withDatabase(settings, ready, meanwhile)
}

/**
 * Runs `work` on a database that may be new; `check` sees it as it is before it is migrated. When either throws, nothing
 * is left of an embedded database that was not there.
 */
export async function withNew<Done>(
  settings: Settings,
  work: Work<Done>,
  check: (database: Database) => Promise<void> = async () => {},
): Promise<Done> {
  const folder = folderOf(settings)
  const isNew = folder !== undefined && !existsSync(join(folder, 'pg'))
  const newFolders = isNew ? missingFolders(folder) : []
  let isOpen = false
  try {
    return await withDatabase(settings, async (session) => {
      isOpen = true
      await check(session.database)
      await migrate(session.database)
      return work(session)
    })
  } catch (error) {
    if (isNew && isOpen) {
      for (const name of ['pg', 'lock']) rmSync(join(folder, name), { recursive: true, force: true })
      removeEmptyFolders(newFolders)
    }
    throw error
  }
}

/** Throws when the service never ran on this database. */
export async function readSite({ db }: Session): Promise<Site> {
  const site = await db.site.findFirst()
  if (site) return site
  throw new Error('This database was never set up: start the service once.')
}

async function withDatabase<Done>(settings: Settings, work: Work<Done>, meanwhile?: string): Promise<Done> {
  const database = await openDatabase(settings.databaseUrl, connections, settings.durability).catch(
    (error: unknown) => {
      if (!(error instanceof FolderInUse)) throw error
      const advice = ['stop it first', ...(meanwhile ? [meanwhile] : [])].join(', ')
      throw new Error(`A running process holds the database folder ${error.folder}: ${advice}.`, { cause: error })
    },
  )
  const db = createClient(database.pool)
  try {
    await database.pool.query('SELECT').catch((cause: unknown) => {
      throw new Error(`The database can not be opened, check DATABASE_URL: ${messageOf(cause)}`, { cause })
    })
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
