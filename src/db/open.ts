import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { lockFolder } from './lock.ts'
import { openLite, openServer } from './pool.ts'

/** One way to the database, whatever it is: `pool` is all that the code above needs. */
export interface Database {
  readonly pool: pg.Pool
  /** The embedded database itself, when that is what the pool leads to. */
  readonly lite: PGlite | undefined
  close(): Promise<void>
}

/** Opens DATABASE_URL: `pglite:<folder>`, `pglite::memory:` or `postgresql://…`; `connections` is the size of a server's pool. */
export async function openDatabase(url: string, connections: number): Promise<Database> {
  if (!url.startsWith('pglite:')) return openServer(url, connections)
  const folder = url.slice('pglite:'.length)
  if (folder === ':memory:') return openLite(undefined)
  const unlock = lockFolder(folder)
  try {
    const database = await openLite(`${folder}/pg`)
    return { ...database, close: () => database.close().finally(unlock) }
  } catch (error) {
    unlock()
    throw error
  }
}
