import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createPrivateFolder, findDiskShortage, privateFile } from './data-folder.ts'

export class FolderInUseError extends Error {
  readonly folder: string

  constructor(folder: string, cause: unknown) {
    const message =
      `The database folder ${folder} is in use by another process; the embedded database supports only one. ` +
      'Stop that process, or set DATABASE_URL to another folder or a PostgreSQL server.'
    super(message, { cause })
    this.name = 'FolderInUse'
    this.folder = folder
  }
}

/** SQLite's error code SQLITE_BUSY: another process holds the lock. */
const busy = 5

/**
 * Locks a database folder for this process until the returned function is called. The kernel releases the lock even if the
 * process is killed. Throws FolderInUseError if another process holds the lock.
 */
export function lockFolder(folder: string): () => void {
  createPrivateFolder(folder)
  const path = join(folder, 'lock')
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(path)
    file.exec('pragma locking_mode = exclusive; begin exclusive; create table if not exists owner (pid int); commit')
    chmodSync(path, privateFile)
  } catch (cause) {
    file?.close()
    if ((cause as { errcode?: unknown }).errcode === busy) throw new FolderInUseError(folder, cause)
    const shortage = findDiskShortage(folder)
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Cannot lock ${path}: ${reason}${shortage ? ` (${shortage})` : ''}`, { cause })
  }
  return () => file.close()
}
