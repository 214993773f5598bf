// Image files that an export takes along and an import puts in their place.
import { constants } from 'node:fs'
import { access, copyFile, lstat, mkdir, readFile, rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type pg from 'pg'
import { imagePath, imagesRoot, saveImage } from '../content/image/store.ts'

/** Names of the files that records of images refer to. */
export async function storedNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ url: string }>(
    `SELECT url FROM (SELECT url FROM image UNION SELECT size->>'url' FROM image, jsonb_array_elements(sizes) AS size) AS all_urls
     WHERE url LIKE $1 || '/%' ORDER BY url COLLATE "C"`,
    [imagesRoot],
  )
  return rows.map(({ url }) => url.slice(imagesRoot.length + 1))
}

/** Copies them into `folder`, and answers those that are not there. */
export async function takeImages(store: string, names: readonly string[], folder: string): Promise<string[]> {
  const missing: string[] = []
  await rm(folder, { recursive: true, force: true })
  if (names.length > 0) await mkdir(folder, { recursive: true })
  for (const name of names) {
    const path = imagePath(store, name)
    if (path === undefined || !(await isThere(path))) missing.push(name)
    else await copyFile(path, join(folder, name), constants.COPYFILE_FICLONE)
  }
  return missing
}

/** Stores them, and answers the paths of those that were not there before; `place` puts back what it began. */
export async function placeImages(folder: string, names: readonly string[], store: string): Promise<string[]> {
  const placed: string[] = []
  try {
    for (const name of names) {
      const path = imagePath(store, name)
      if (path === undefined)
        throw new Error(`No image is named ${name.slice(0, 100)}: the file was not written by export.`)
      const source = join(folder, name)
      const isFile = (await lstat(source).catch(() => undefined))?.isFile()
      if (!isFile) throw new Error(`The image ${source} is missing.`)
      const bytes = await readFile(source)
      const known = await isThere(path)
      // The name says what is in it.
      const stored = await saveImage(store, bytes, extname(name).slice(1))
      if (!known) placed.push(imagePath(store, stored) ?? path)
      if (stored !== name) throw new Error(`The image ${join(folder, name)} is not what it was when it was exported.`)
    }
    return placed
  } catch (error) {
    await removeImages(placed)
    throw error
  }
}

export async function removeImages(paths: readonly string[]): Promise<void> {
  for (const path of paths) await rm(path, { force: true })
}

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
