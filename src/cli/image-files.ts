// Image files that an export takes along and an import puts in their place.
import { constants } from 'node:fs'
import { access, copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type pg from 'pg'
import { imageName, imagePath, imagesRoot, saveImage } from '../content/image/files.ts'
import { removeEmptyFolders } from './folders.ts'

/** Names of the files that records of images refer to. */
export async function storedNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ url: string }>(
    `SELECT url FROM (SELECT url FROM image UNION SELECT size->>'url' FROM image, jsonb_array_elements(sizes) AS size) AS all_urls
     WHERE url LIKE $1 || '/%' ORDER BY url COLLATE "C"`,
    [imagesRoot],
  )
  return rows.map(({ url }) => url.slice(imagesRoot.length + 1))
}

/** Copies them into a new `folder`. */
export async function copyImages(store: string, names: readonly string[], folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  if (names.length > 0) await mkdir(folder)
  for (const name of names) {
    await copyFile(imagePath(store, name) ?? name, join(folder, name), constants.COPYFILE_FICLONE)
  }
}

/** Those of the names that have no file in `store`. */
export async function missingIn(store: string, names: readonly string[]): Promise<string[]> {
  const missing: string[] = []
  for (const name of names) {
    const path = imagePath(store, name)
    if (path === undefined || !(await isThere(path))) missing.push(name)
  }
  return missing
}

/** Stores them, and answers the paths of those that were not there before; `place` puts back what it began. */
export async function placeImages(folder: string, names: readonly string[], store: string): Promise<string[]> {
  const placed: string[] = []
  try {
    for (const name of names) {
      const source = join(folder, name)
      const isFile = (await lstat(source).catch(() => undefined))?.isFile()
      if (!isFile) throw new Error(`The image ${source} is missing.`)
      placed.push(...(await placeImage(store, name, await readFile(source))))
    }
    return placed
  } catch (error) {
    await removeImages(placed)
    throw error
  }
}

/** Stores one, and answers its path, or nothing if it was there before. */
export async function placeImage(store: string, name: string, bytes: Buffer): Promise<string[]> {
  const path = imagePath(store, name)
  if (path === undefined) {
    throw new Error(`No image is named ${name.slice(0, 100)}: the file was not written by export.`)
  }
  // The name is the hash of the bytes.
  if (imageName(bytes, extname(name).slice(1)) !== name) {
    throw new Error(`The image ${name} is not what it was when it was exported.`)
  }
  if (await isThere(path)) return []
  await saveImage(store, bytes, extname(name).slice(1))
  return [path]
}

/** Removes files that were placed, and the folders that they leave empty in the store. */
export async function removeImages(paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await rm(path, { force: true })
    removeEmptyFolders([dirname(path), dirname(dirname(path))])
  }
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
