import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class FolderInUse extends Error {
  readonly folder: string

  constructor(folder: string, cause: unknown) {
    const message =
      `The database folder ${folder} is in use by another process, and the embedded database serves one: ` +
      'stop it, or set DATABASE_URL to another, such as a PostgreSQL server'
    super(message, { cause })
    this.name = 'FolderInUse'
    this.folder = folder
  }
}

/**
 * Holds a database folder for this process until the returned function is called or the process ends, however it ends:
 * the kernel keeps this lock, not a timer, which work would delay. Throws FolderInUse when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true })
  const file = new DatabaseSync(join(folder, 'lock'))
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive; create table if not exists owner (pid int); commit')
  } catch (cause) {
    file.close()
    throw new FolderInUse(folder, cause)
  }
  return () => file.close()
}
