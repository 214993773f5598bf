// Removes image files that no image uses: of interrupted uploads and of deleted images.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../engine/postgres/client.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { imagePath, imagesPath, imageUrlsSql } from './files.ts'

interface Options {
  readonly now: Date
  readonly dryRun?: boolean
  /** Removes only files of interrupted uploads: image files may belong to another database. */
  readonly onlyDrafts?: boolean
  readonly signal?: AbortSignal
}

/** Milliseconds. Newer files may belong to an upload of another instance that is not committed yet. */
const minAge = 3_600_000

const draftPattern = /^\.[\da-f-]{36}\.tmp$/

/** Removes unused files that are older than an hour. Leaves files that this service did not write. */
export async function removeUnusedFiles(
  folder: string,
  db: Db,
  { now, dryRun = false, onlyDrafts = false, signal }: Options,
) {
  const sizeIfOld = async (path: string): Promise<number | undefined> => {
    const stats = await stat(path).catch(() => undefined)
    return stats?.isFile() && now.getTime() - stats.mtimeMs > minAge ? stats.size : undefined
  }
  const candidates: { readonly name: string; readonly path: string }[] = []
  for await (const { name, path } of filesIn(folder)) {
    signal?.throwIfAborted()
    const isOurs = draftPattern.test(name) || (!onlyDrafts && imagePath(folder, name) === path)
    if (isOurs && (await sizeIfOld(path)) !== undefined) candidates.push({ name, path })
  }
  const files: string[] = []
  let bytes = 0
  // Queried after listing the files: storing an image again renews the modification time of its file.
  const usedNames = candidates.length > 0 ? await usedFileNames(db) : new Set<string>()
  for (const { name, path } of candidates) {
    signal?.throwIfAborted()
    const size = usedNames.has(name) ? undefined : await sizeIfOld(path)
    if (size === undefined) continue
    if (!dryRun) await rm(path, { force: true })
    files.push(name)
    bytes += size
  }
  return { files, bytes }
}

/** All files, which are two folders deep. */
async function* filesIn(folder: string, depth = 0): AsyncGenerator<{ name: string; path: string }> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (depth < 2 && entry.isDirectory()) yield* filesIn(path, depth + 1)
    else if (depth === 2 && entry.isFile()) yield { name: entry.name, path }
  }
}

async function usedFileNames(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ url: string | null }[]>`${Prisma.raw(imageUrlsSql)}`
  const start = `${imagesPath}/`
  return new Set(rows.flatMap(({ url }) => (url?.startsWith(start) ? [url.slice(start.length)] : [])))
}
