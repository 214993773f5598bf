import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { lockFolder } from './lock.ts'
import { type Database, openLite, openServer } from './pool.ts'

/** Opens DATABASE_URL: `pglite:<folder>`, `pglite::memory:` or `postgresql://…`; `connections` is the size of a server's pool. */
export async function openDatabase(url: string, connections: number): Promise<Database> {
  if (!url.startsWith('pglite:')) return openServer(url, connections)
  const folder = url.slice('pglite:'.length)
  if (folder === ':memory:') return openLite(undefined)
  const unlock = lockFolder(folder)
  try {
    const database = await openFolder(folder)
    return { ...database, close: () => database.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}

/** A new database is made beside its place and moved there whole: a process killed meanwhile leaves nothing half-made. */
async function openFolder(folder: string): Promise<Database> {
  const place = join(folder, 'pg')
  if (!existsSync(place)) {
    const fresh = join(folder, 'pg.new')
    rmSync(fresh, { recursive: true, force: true })
    const database = openLite(fresh)
    await database.pool.query('SELECT')
    await database.close()
    renameSync(fresh, place)
  }
  return openLite(place)
}
