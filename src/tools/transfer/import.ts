import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { initializeSite } from '../../calendar/site/site.ts'
import { readLines } from '../lines.ts'
import { findMissingFolders, removeEmptyFolders, type Session } from '../session.ts'
import { type ExportHeader, type ExportLine, imageFolderOf, parseHeader, parseImageLine } from './format.ts'
import { findMissingFiles, readImageFile, readImageFileNames, removeImageFiles, storeImageFile } from './image-files.ts'
import { describeDatabaseError, insertRows } from './load-rows.ts'
import {
  contentTables,
  exportedSequences,
  omittedTables,
  type Queryable,
  quoteName,
  readColumns,
  tables,
} from './tables.ts'

type ImportSource = Awaited<ReturnType<typeof openSource>>

export async function openExportFile(file: string) {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new Error(`The file ${file} does not exist.`)
  if (stats.isDirectory()) throw new Error(`${file} is a folder. Give a file that export wrote.`)
  const stream = createReadStream(file, { highWaterMark: 2 ** 20 })
  return openSource(stream, { size: stats.size, folder: imageFolderOf(file) })
}

export const openExportStream = (stream: Readable) => openSource(stream, {})

/** Opens an export for reading. Of a stream, size and image folder are unknown. */
async function openSource(stream: Readable, { size, folder }: { size?: number; folder?: string }) {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let bytesRead = 0
  let number = 0
  const decode = (chunk?: Buffer): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch (cause) {
      throw new Error(`The file is not UTF-8 after line ${number}. Export the data again.`, { cause })
    }
  }
  const texts = readLines(
    (async function* () {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        bytesRead += chunk.length
        yield decode(chunk)
      }
      yield decode()
    })(),
  )
  const lines = (async function* (): AsyncGenerator<ExportLine, undefined> {
    for await (const text of texts) yield { number: ++number, text }
  })()
  const close = () => void stream.destroy()
  try {
    const header = parseHeader((await lines.next()).value?.text)
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
    return { header, lines, bytesRead: () => bytesRead, size, imageFolder, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Imports an exported file into an empty database. After an error, database and image folder are unchanged. */
export async function importExportedRows(
  source: ImportSource,
  { database, db, settings }: Session,
  /** Called with the number of bytes that were read. */
  onProgress: (done: number, total: number) => void = () => {},
) {
  const { header, imageFolder } = source
  const newFolders = findMissingFolders(settings.imagesDir)
  const client = await database.pool.connect()
  const storedImages: string[] = []
  const store = async (name: string, bytes: Buffer) =>
    void storedImages.push(...(await storeImageFile(settings.imagesDir, name, bytes)))
  let report: { readonly rows: Readonly<Record<string, number>>; readonly images: number }
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    // A service that starts during the import waits for this lock, and then finds a complete database.
    await client.query('LOCK TABLE site IN ACCESS EXCLUSIVE MODE')
    await requireEmptyDatabase(client)
    checkSequences(header)
    const restore = await suspendChecks(client)
    // The exported row of the table site replaces the row of the new database.
    await client.query('DELETE FROM site')
    const onBatch = () => void (source.size !== undefined && onProgress(source.bytesRead(), source.size))
    const rows = await insertRows(client, header, withoutImages(source, store), onBatch)
    requireAllRows(header, rows)
    await restore()
    const names = (await readImageFileNames(client)).filter((name) => !header.missingImages.includes(name))
    // Images are copied last, so that an invalid file leaves none behind.
    if (imageFolder) for (const name of names) await store(name, await readImageFile(imageFolder, name))
    const [missing] = findMissingFiles(settings.imagesDir, names)
    if (missing !== undefined) throw new Error(`The file is incomplete: the image ${missing} is missing.`)
    for (const [name, { last, called }] of Object.entries(header.sequences)) {
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, called])
    }
    await client.query('COMMIT')
    report = { rows, images: names.length }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    await removeImageFiles(storedImages)
    removeEmptyFolders(newFolders)
    throw error
  } finally {
    client.release()
    source.close()
  }
  await database.pool.query(`ANALYZE ${[...tables.map(({ name }) => name), ...omittedTables].map(quoteName)}`)
  // Adapts texts to LANGUAGES, which can differ from the languages of the exporting site.
  await initializeSite(db, settings)
  return report
}

/** Yields the lines with rows, and stores the image files of the other lines. */
async function* withoutImages(
  { header, lines }: ImportSource,
  store: (name: string, bytes: Buffer) => Promise<void>,
): AsyncGenerator<ExportLine> {
  for await (const line of lines) {
    const image = header.imagesInside ? parseImageLine(line) : undefined
    if (image) await store(image.name, image.bytes)
    else yield line
  }
}

/**
 * Drops the search indexes, because creating them after the import takes half as long as updating them with each row, and
 * foreign keys within a table, because a row may come before its parent. Returns a function that creates both again.
 */
async function suspendChecks(client: Queryable): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; drop: string; create: string }>(
    `SELECT tablename AS "table", format('DROP INDEX %I', indexname) AS drop, indexdef AS create FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = ANY($1) AND indexdef LIKE '% USING gin %'
     UNION ALL
     SELECT conrelid::regclass::text, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint
     WHERE connamespace = current_schema()::regnamespace AND contype = 'f' AND conrelid = confrelid`,
    [tables.map(({ name }) => name)],
  )
  for (const { drop } of rows) await client.query(drop)
  return async () => {
    for (const { table, create } of rows) {
      await client.query(create).catch((error: unknown) => {
        throw new Error(`Parents of ${table}: ${describeDatabaseError(error)}`, { cause: error })
      })
    }
  }
}

/** Throws if the database contains records. A database without tables is empty. */
export async function requireEmptyDatabase(client: Queryable): Promise<void> {
  const counts: string[] = []
  const columns = await readColumns(client)
  for (const [table, plural] of Object.entries(contentTables)) {
    if (columns.get(table)?.length === 0) continue
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${quoteName(table)}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) counts.push(`${count} ${count === 1 ? table : plural}`)
  }
  if (counts.length === 0) return
  throw new Error(`The database is not empty, it contains ${counts.join(', ')}. Import into a new database.`)
}

function requireAllRows(header: ExportHeader, rows: Readonly<Record<string, number>>): void {
  for (const { name, rows: expected } of header.tables) {
    if (rows[name] === expected) continue
    throw new Error(`The file is incomplete: it has ${rows[name] ?? 0} of ${expected} rows of ${name}.`)
  }
  if (rows.site !== 1) throw new Error('The file has no row of the table site.')
}

function checkSequences(header: ExportHeader): void {
  if (Object.keys(header.sequences).sort().join() === [...exportedSequences].sort().join()) return
  throw new Error(`Line 1: the sequences must be ${exportedSequences.join(', ')}.`)
}
