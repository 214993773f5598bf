// Opens the database at DATABASE_URL for one command.
import { existsSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Settings } from '../basics/env.ts'
import { applyPendingMigrations, requireRecordTexts } from '../calendar/site/migrate-site.ts'
import { toSite } from '../calendar/site/site.ts'
import type { Db } from '../engine/postgres/client.ts'
import { createDryRun } from '../engine/postgres/dry-run.ts'
import { isMigrated } from '../engine/postgres/migrate.ts'
import { databaseFolderOf, hasDatabase, openDatabase } from '../engine/postgres/open-database.ts'
import { FolderInUseError } from '../engine/postgres/pglite/folder-lock.ts'
import type { Database } from '../engine/postgres/pool.ts'
import { messageOf } from '../engine/postgres/wait-for-server.ts'
import { createClient } from '../engine/reads/client.ts'
import type { Site } from '../service/context.ts'
import { nameActorOfConnections } from './command-source.ts'

/** An open database with the settings, for one command. */
export interface Session {
  readonly database: Database
  readonly db: Db
  readonly settings: Settings
  readonly now: () => Date
}

type Work<Result> = (session: Session) => Promise<Result>

const connections = 2

/** Runs `work` on a database that the service has set up. `alternative`: advice if another process uses the database. */
export async function withSiteDatabase<Result>(
  settings: Settings,
  work: Work<Result>,
  alternative?: string,
): Promise<Result> {
  if (isNewEmbeddedDatabase(settings)) {
    const folder = databaseFolderOf(settings.databaseUrl)
    throw new Error(`There is no database in ${folder}. Check DATABASE_URL, or start the service once to create it.`)
  }
  return withDatabase(settings, alternative, async (session) => {
    if (!(await isMigrated(session.database))) {
      throw new Error('The database schema is not up to date. Start the service once to migrate it.')
    }
    await requireRecordTexts(session.database)
    return work(session)
  })
}

/**
 * Runs `check`, the migrations and then `work` on a database that may be new. If `check` or a migration throws, removes an
 * embedded database that this function created.
 */
export async function withNewDatabase<Result>(
  settings: Settings,
  work: Work<Result>,
  check: (database: Database) => Promise<void> = async () => {},
): Promise<Result> {
  const isNew = isNewEmbeddedDatabase(settings)
  const folder = databaseFolderOf(settings.databaseUrl) ?? ''
  const newFolders = isNew ? findMissingFolders(folder) : []
  let isOpen = false
  try {
    return await withDatabase(settings, undefined, async (session) => {
      isOpen = true
      await check(session.database)
      await applyPendingMigrations(session.database)
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

/** Returns a session, and a function that rolls back what its work writes by that session. */
export function createDryRunSession(session: Session) {
  const { connection, runAndRollBack } = createDryRun(session.database.pool)
  return { session: { ...session, db: createClient(connection, { preparedStatements: false }) }, runAndRollBack }
}

/** Reads the row of the table site. Throws if the service has never run on this database. */
export async function readSiteRow({ db, settings }: Session): Promise<Site> {
  const site = await db.site.findFirst()
  if (site) return toSite(site, settings)
  throw new Error('The database is not set up. Start the service once.')
}

async function withDatabase<Result>(settings: Settings, alternative: string | undefined, work: Work<Result>) {
  const { databaseUrl, databaseDirectUrl, durability, preparedStatements } = settings
  const opened = openDatabase(databaseDirectUrl ?? databaseUrl, connections, durability)
  const database = await opened.catch((error: unknown) => {
    if (!(error instanceof FolderInUseError)) throw error
    const advice = alternative ? `, ${alternative}` : ''
    throw new Error(`Another process uses the database folder ${error.folder}: stop it${advice}.`, { cause: error })
  })
  nameActorOfConnections(database)
  const db = createClient(database.pool, { preparedStatements })
  try {
    await database.pool.query('SELECT').catch((cause: unknown) => {
      throw new Error(`Cannot open the database. Check DATABASE_URL: ${messageOf(cause)}`, { cause })
    })
    return await work({ database, db, settings, now: () => new Date() })
  } finally {
    await db.$disconnect()
    await database.close()
  }
}

/** Whether DATABASE_URL names an embedded database that does not exist yet. */
export function isNewEmbeddedDatabase({ databaseUrl }: Settings): boolean {
  const folder = databaseFolderOf(databaseUrl)
  if (databaseUrl !== 'pglite::memory:') return folder !== undefined && !hasDatabase(folder)
  throw new Error(
    'DATABASE_URL is an in-memory database, which other processes cannot open. Set it to a folder or a server.',
  )
}

/** Returns the folder and its parents that do not exist, deepest first. */
export function findMissingFolders(folder: string): string[] {
  const path = resolve(folder)
  return existsSync(path) ? [] : [path, ...findMissingFolders(dirname(path))]
}

export function removeEmptyFolders(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      rmdirSync(path)
    } catch {
      // The folder is not empty, or does not exist.
    }
  }
}
