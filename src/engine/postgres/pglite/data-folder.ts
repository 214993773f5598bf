// The data folder of PGlite: file permissions for its owner only, flushing to disk, and free disk space.
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, statfsSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, resolve } from 'node:path'

/** File modes that give access only to the owner. */
export const [privateFolder, privateFile] = [0o700, 0o600]

/** Names of the files and folders that the service creates in its data folder. */
const serviceFiles = ['pg', 'pg.new', 'lock', 'lock-journal']

/** Creates the folder with access for its owner only. Parent folders get the default mode. */
export function createPrivateFolder(folder: string): void {
  mkdirSync(dirname(resolve(folder)), { recursive: true })
  mkdirSync(folder, { recursive: true, mode: privateFolder })
}

/**
 * Removes the access of other users to a data folder that an earlier version created, and to the images in the folder. A
 * folder that also has files of other software keeps its mode.
 */
export function restrictFolder(folder: string, imagesDir: string): void {
  if (!existsSync(folder)) return
  const images = relative(folder, imagesDir)
  const holdsImages = images !== '' && !images.startsWith('..') && !isAbsolute(images)
  for (const path of [...serviceFiles.map((name) => join(folder, name)), ...(holdsImages ? [imagesDir] : [])])
    restrict(path)
  if (readdirSync(folder).every((name) => serviceFiles.includes(name) || (holdsImages && name === images)))
    restrict(folder)
}

function restrict(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (!stats || stats.isSymbolicLink() || (stats.mode & 0o077) === 0) return
  chmodSync(path, stats.isDirectory() ? privateFolder : privateFile)
}

/** Resolves when the folder and everything in it is flushed to disk. */
export async function flushFolder(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const folders = entries.filter((entry) => entry.isDirectory()).map((entry) => join(entry.parentPath, entry.name))
  // 64 files at a time, because a journaling file system combines simultaneous flushes.
  while (files.length > 0) await Promise.all(files.splice(0, 64).map(flushToDisk))
  for (const path of [...folders, folder]) await flushToDisk(path)
}

/** Flushes a file, or the directory entries of a folder. */
export async function flushToDisk(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Free space that writes need: for the next 16 MB WAL segment, without which PostgreSQL stops, and for some data. */
const minFreeBytes = 24 * 1024 ** 2

/** Returns the reason why the disk has too little space for the embedded database in `folder`; undefined if there is enough. */
export function findDiskShortage(folder: string): string | undefined {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  if (free >= minFreeBytes) return undefined
  const [has, needs] = [free, minFreeBytes].map((bytes) => Math.floor(bytes / 1024 ** 2))
  return `the disk is full: ${has} MB are free, and the embedded database needs ${needs} MB`
}
