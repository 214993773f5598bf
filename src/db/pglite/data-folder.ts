// The folder of the embedded database on the disk: only its owner may read it, and a new database is flushed before use.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/** Modes of what only its owner may use. */
export const [privateFolder, privateFile] = [0o700, 0o600]

/** What the service itself puts into its data folder. */
const serviceFiles = ['pg', 'pg.new', 'lock', 'lock-journal']

/** Folders above it are made with the usual rights. */
export function makeFolder(folder: string): void {
  mkdirSync(dirname(resolve(folder)), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: privateFolder })
}

/**
 * Takes the rights of other users from a data folder that an earlier version made, and from the images in it. A folder
 * that holds other things too keeps its mode, and they theirs.
 */
export function restrictFolder(folder: string, imagesDir: string): void {
  if (!existsSync(folder)) return
  const images = relative(folder, imagesDir)
  const holdsImages = images !== '' && !images.startsWith('..') && !isAbsolute(images)
  for (const name of serviceFiles) restrict(join(folder, name))
  // Images may be many; their own folder is the last that is changed, and new ones are made with these modes.
  if (holdsImages && (lstatSync(imagesDir, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) restrict(imagesDir)
  const isOurs = readdirSync(folder).every((name) => serviceFiles.includes(name) || (holdsImages && name === images))
  if (isOurs && lstatSync(folder).mode & 0o077) chmodSync(folder, privateFolder)
}

function restrict(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink()) return
  if (stats.isDirectory()) for (const name of readdirSync(path)) restrict(join(path, name))
  const mode = stats.isDirectory() ? privateFolder : privateFile
  if ((stats.mode & 0o777) !== mode) chmodSync(path, mode)
}

/** Resolves when the folder and all that is in it are on the disk. */
export async function flushFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  // Side by side, since a journal writes what comes at once in one go.
  while (files.length > 0) await Promise.all(files.splice(0, 64).map(flush))
  for (const path of [...folders, folder]) await flush(path)
}

/** A file, or the names that a folder holds. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
