import { constants, existsSync } from 'node:fs'
import { copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import { imageFileName, imagePath, imagesPath, imageUrlsSql, saveImage } from '../../calendar/image/storage/files.ts'
import { removeEmptyFolders } from '../session.ts'
import type { Queryable } from './tables.ts'

/** Reads the names of the image files that records refer to. */
export async function readImageFileNames(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ url: string }>(
    `SELECT url FROM (${imageUrlsSql}) AS all_urls
     WHERE url LIKE $1 || '/%' ORDER BY url COLLATE "C"`,
    [imagesPath],
  )
  return rows.map(({ url }) => url.slice(imagesPath.length + 1))
}

export async function copyImageFiles(store: string, names: readonly string[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  if (names.length > 0) await mkdir(folder)
  for (const name of names) {
    await copyFile(imagePath(store, name) ?? name, join(folder, name), constants.COPYFILE_FICLONE)
  }
}

/** Returns the names for which there is no file in the folder `store`. */
export const findMissingFiles = (store: string, names: readonly string[]): string[] =>
  names.filter((name) => !existsSync(imagePath(store, name) ?? ''))

export async function readImageFile(folder: string, name: string): Promise<Buffer> {
  const path = join(folder, name)
  const isFile = (await lstat(path).catch(() => undefined))?.isFile()
  if (!isFile) throw new Error(`The image ${path} is missing.`)
  return readFile(path)
}

/** Stores one image file. Returns the path of a new file; an empty list if the file exists. */
export async function storeImageFile(store: string, name: string, bytes: Buffer): Promise<string[]> {
  const path = imagePath(store, name)
  if (path === undefined) {
    throw new Error(`${name.slice(0, 100)} is not the name of an image: the file was not written by export.`)
  }
  // The name of an image file is the hash of its content.
  if (imageFileName(bytes, extname(name).slice(1)) !== name) {
    throw new Error(`The image ${name} was changed after the export.`)
  }
  if (existsSync(path)) return []
  await saveImage(store, bytes, extname(name).slice(1))
  return [path]
}

/** Removes image files, and folders that are empty then. */
export async function removeImageFiles(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(path, { force: true })
    removeEmptyFolders([dirname(path), dirname(dirname(path))])
  }
}
