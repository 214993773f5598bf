import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { makeFolder, privateFile } from './data-folder.ts'
import { shortageOf } from './disk-space.ts'

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

/** SQLITE_BUSY. */
const busy = 5

/**
 * Holds a database folder for this process until the returned function is called or the process ends, however it ends:
 * the kernel keeps this lock, not a timer, which work would delay. Throws FolderInUse when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  makeFolder(folder)
  const path = join(folder, 'lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('pragma locking_mode = exclusive; begin exclusive; create table if not exists owner (pid int); commit')
    chmodSync(path, privateFile)
  } catch (cause) {
    file?.close()
    if ((cause as { errcode?: unknown }).errcode === busy) throw new FolderInUse(folder, cause)
    const shortage = shortageOf(folder)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`${path} can not be locked: ${reason}${shortage ? ` (${shortage})` : ''}`, { cause })
  }
  return () => file.close()
}
