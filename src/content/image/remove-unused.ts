// Image files that no record names: of uploads that were not finished, and of images that are gone.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../db/client.ts'
import { imagePath, imagesRoot } from './files.ts'

interface RemovedFiles {
  readonly files: readonly string[]
  readonly bytes: number
}

interface Options {
  readonly now: Date
  /** Only says what would be removed. */
  readonly dryRun?: boolean
  /** Leaves files of images, which may be those of another database. */
  readonly onlyDrafts?: boolean
  readonly signal?: AbortSignal
}

/** Milliseconds after which nobody is about to finish a file, or to name it, any more; other instances write here, too. */
const age = 3_600_000

const draft = /^\.[\da-f-]{36}\.tmp$/

/** Removes files of this service that are older than an hour and that no image has. Other files stay. */
export async function cleanImages(
  folder: string,
  db: Db,
  { now, dryRun = false, onlyDrafts = false, signal }: Options,
) {
  const old = async (path: string): Promise<number | undefined> => {
    const found = await stat(path).catch(() => undefined)
    return found?.isFile() && now.getTime() - found.mtimeMs > age ? found.size : undefined
  }
  const candidates: { readonly name: string; readonly path: string }[] = []
  for await (const { name, path } of filesIn(folder)) {
    signal?.throwIfAborted()
    const isOurs = draft.test(name) || (!onlyDrafts && imagePath(folder, name) === path)
    if (isOurs && (await old(path)) !== undefined) candidates.push({ name, path })
  }
  const files: string[] = []
  let bytes = 0
  // Asked after the files were found: whoever names one of them later has made it new again.
  const named = candidates.length > 0 ? await namedFiles(db) : new Set<string>()
  for (const { name, path } of candidates) {
    signal?.throwIfAborted()
    const size = named.has(name) ? undefined : await old(path)
    if (size === undefined) continue
    if (!dryRun) await rm(path, { force: true })
    files.push(name)
    bytes += size
  }
  return { files, bytes } satisfies RemovedFiles
}

/** Files lie two folders deep. */
async function* filesIn(folder: string, depth = 0): AsyncGenerator<{ name: string; path: string }> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (depth < 2 && entry.isDirectory()) yield* filesIn(path, depth + 1)
    else if (depth === 2 && entry.isFile()) yield { name: entry.name, path }
  }
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

async function namedFiles(db: Db): Promise<ReadonlySet<string>> {
  const rows = await db.$queryRaw<{ url: string }[]>`
    SELECT url FROM image UNION SELECT size->>'url' FROM image, jsonb_array_elements(sizes) AS size`
  const start = `${imagesRoot}/`
  return new Set(rows.flatMap(({ url }) => (url?.startsWith(start) ? [url.slice(start.length)] : [])))
}
