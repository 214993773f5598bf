import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { prepareSite } from '../calendar/site/site.ts'
import { type Header, imageFolderOf, type Line, readHeader, readImageLine, readLines } from './export-format.ts'
import { missingFolders, removeEmptyFolders } from './folders.ts'
import { missingFiles, removeImages, storedNames, storeImage, storeImages } from './image-files.ts'
import { createLoader } from './row-loader.ts'
import type { Session } from './session.ts'
import { columnsOf, notExported, quote, records, sequences, tables } from './tables.ts'

/** An opened export with a valid header. */
export interface ImportSource {
  readonly header: Header
  readonly headerSize: number
  /** The lines after the header. */
  readonly lines: AsyncGenerator<Line, undefined>
  /** Bytes, unless unknown as for a stream. */
  readonly size: number | undefined
  /** Folder of the images, unless they are in the file. */
  readonly imageFolder: string | undefined
  close(): void
}

interface ImportReport {
  readonly rows: Readonly<Record<string, number>>
  readonly images: number
}

/** Called with the bytes that were processed. */
export type OnProgress = (done: number, total: number) => void

/** Opens an exported file with its folder of images. */
export async function openFile(file: string): Promise<ImportSource> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new Error(`The file ${file} does not exist.`)
  if (stats.isDirectory()) throw new Error(`${file} is a folder. Give a file that export wrote.`)
  const stream = createReadStream(file, { highWaterMark: 2 ** 20 })
  return openSource(stream, { size: stats.size, folder: imageFolderOf(file) })
}

/** Opens an export from a stream such as stdin. */
export const openStream = (stream: Readable): Promise<ImportSource> => openSource(stream, {})

async function openSource(
  stream: Readable,
  { size, folder }: { size?: number; folder?: string },
): Promise<ImportSource> {
  const lines = readLines(stream)
  const close = () => void stream.destroy()
  try {
    const first = await lines.next()
    const header = readHeader(first.value?.text)
    const imageFolder = header.imagesInside ? undefined : folder
    if (header.images > 0 && !header.imagesInside) {
      if (imageFolder === undefined) {
        throw new Error(
          'The images of this export are in a folder next to its file. Give the path of the file instead of stdin.',
        )
      }
      const stats = await stat(imageFolder).catch(() => undefined)
      if (!stats?.isDirectory()) throw new Error(`The image folder ${imageFolder} is missing.`)
    }
    return { header, headerSize: first.value?.size ?? 0, lines, size, imageFolder, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Imports an export into an empty database. On failure it leaves the database and the image folder unchanged. */
export async function importFrom(source: ImportSource, session: Session, onProgress: OnProgress = () => {}) {
  const { database, db, settings } = session
  const newFolders = missingFolders(settings.imagesDir)
  const client = await database.pool.connect()
  const storedImages: string[] = []
  let report: ImportReport
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    // A service that starts at the same time waits for this lock, and then finds a complete database.
    await client.query('LOCK TABLE site IN ACCESS EXCLUSIVE MODE')
    await requireEmpty(client)
    const indexes = await dropSearchIndexes(client)
    const rows = await load(client, source, {
      onBytes: (done) => {
        if (source.size !== undefined) onProgress(done, source.size)
      },
      onImage: async (name, bytes) => {
        storedImages.push(...(await storeImage(settings.imagesDir, name, bytes)))
      },
    })
    for (const { definition } of indexes) await client.query(definition)
    const names = (await storedNames(client)).filter((name) => !source.header.missingImages.includes(name))
    // Last, so that an invalid file leaves no images behind.
    if (source.imageFolder) storedImages.push(...(await storeImages(source.imageFolder, names, settings.imagesDir)))
    else await requireImages(settings.imagesDir, names)
    for (const [name, { last, called }] of Object.entries(source.header.sequences)) {
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, called])
    }
    await client.query('COMMIT')
    report = { rows, images: names.length }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    await removeImages(storedImages)
    removeEmptyFolders(newFolders)
    throw error
  } finally {
    client.release()
    source.close()
  }
  await database.pool.query(`ANALYZE ${[...tables.map(({ name }) => name), ...notExported].map(quote)}`)
  // The configured languages may differ from those of the export.
  await prepareSite(db, settings)
  return report
}

interface Index {
  readonly name: string
  readonly definition: string
}

/** Creating the indexes after all rows takes half as long as updating them row by row. */
async function dropSearchIndexes(client: pg.ClientBase): Promise<readonly Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = ANY($1) AND indexdef LIKE '% USING gin %'`,
    [tables.map(({ name }) => name)],
  )
  if (rows.length > 0) await client.query(`DROP INDEX ${rows.map(({ name }) => quote(name))}`)
  return rows
}

/** Throws if the database contains records. A database without our tables contains none. */
export async function requireEmpty(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const counts: string[] = []
  const columns = await columnsOf(client)
  for (const [table, plural] of Object.entries(records)) {
    if (columns.get(table)?.length === 0) continue
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${quote(table)}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) counts.push(`${count} ${count === 1 ? table : plural}`)
  }
  if (counts.length === 0) return
  throw new Error(`The database is not empty, it contains ${counts.join(', ')}. Import into a new database.`)
}

async function requireImages(store: string, names: readonly string[]): Promise<void> {
  const [missing] = await missingFiles(store, names)
  if (missing !== undefined) throw new Error(`The file is incomplete: the image ${missing} is missing.`)
}

interface LoadHandlers {
  onBytes(done: number): void
  onImage(name: string, bytes: Buffer): Promise<void>
}

async function load(
  client: pg.ClientBase,
  { header, headerSize, lines }: ImportSource,
  { onBytes, onImage }: LoadHandlers,
) {
  checkSequences(header)
  const loader = await createLoader(client, header)
  // The salt and the languages come from the file.
  await client.query('DELETE FROM site')
  let done = headerSize
  try {
    for await (const line of lines) {
      done += line.size
      const image = header.imagesInside ? readImageLine(line) : undefined
      if (image) await onImage(image.name, image.bytes)
      else if (await loader.add(line)) onBytes(done)
    }
  } finally {
    // A pending insert must finish before the rollback, and its error takes precedence over that of a later line.
    await loader.idle()
  }
  const rows = await loader.finish()
  onBytes(done)
  for (const { name, rows: expected } of header.tables) {
    if (rows[name] === expected) continue
    throw new Error(`The file is incomplete: it has ${rows[name] ?? 0} of ${expected} rows of ${name}.`)
  }
  if (rows.site !== 1) throw new Error('The file has no row of the table site.')
  return rows
}

function checkSequences(header: Header): void {
  const missing = sequences.filter((name) => !Object.hasOwn(header.sequences, name))
  const unknown = Object.keys(header.sequences).filter(
    (name) => !sequences.includes(name as (typeof sequences)[number]),
  )
  if (missing.length + unknown.length > 0) {
    throw new Error(`Line 1: the sequences must be ${sequences.join(', ')}.`)
  }
}
