import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findDiskShortage, flushFolder, flushToDisk } from './pglite/data-folder.ts'
import type { Durability } from './pglite/embedded-database.ts'
import { lockFolder } from './pglite/folder-lock.ts'
import { type Database, openEmbeddedDatabase, openServerDatabase } from './pool.ts'

/**
 * Opens DATABASE_URL: `pglite:<folder>`, `pglite::memory:` or `postgresql://…`; `connections` is the size of a server's pool.
 * `directUrl` is the address of the server if DATABASE_URL is the address of a pooler.
 */
export async function openDatabase(
  url: string,
  connections: number,
  durability: Durability = 'full',
  directUrl?: string,
): Promise<Database> {
  if (!url.startsWith('pglite:')) return openServerDatabase(url, connections, directUrl)
  const folder = databaseFolderOf(url)
  if (folder === undefined) return openEmbeddedDatabase(undefined)
  const unlock = lockFolder(folder)
  try {
    const database = await openFolder(folder, durability)
    const shortage = () => findDiskShortage(folder)
    return { ...database, shortage, close: () => database.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Returns the folder of the PGlite database at DATABASE_URL; undefined for a database in memory and for a server. */
export function databaseFolderOf(url: string): string | undefined {
  return url.startsWith('pglite:') && url !== 'pglite::memory:' ? url.slice('pglite:'.length) : undefined
}

/** Whether the folder has a PGlite database. */
export const hasDatabase = (folder: string): boolean => existsSync(join(folder, 'pg'))

/** Creates a new database in a temporary folder and renames it, so that a killed process leaves no incomplete database. */
async function openFolder(folder: string, durability: Durability): Promise<Database> {
  const finalFolder = join(folder, 'pg')
  if (!hasDatabase(folder)) {
    const newFolder = join(folder, 'pg.new')
    rmSync(newFolder, { recursive: true, force: true })
    const database = openEmbeddedDatabase(newFolder, { durability })
    await database.pool.query('SELECT')
    await database.close()
    if (durability === 'full') await flushFolder(newFolder)
    renameSync(newFolder, finalFolder)
    if (durability === 'full') await flushToDisk(folder)
  }
  return openEmbeddedDatabase(finalFolder, { durability })
}
