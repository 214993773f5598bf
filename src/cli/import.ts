import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type pg from 'pg'
import { prepareSite } from '../content/site.ts'
import { missingFolders, removeEmptyFolders } from './folders.ts'
import { type Header, imagesBeside, type Line, readHeader, readImageLine, readLines } from './format.ts'
import { missingIn, placeImage, placeImages, removeImages, storedNames } from './image-files.ts'
import { createLoader } from './load.ts'
import type { Session } from './session.ts'
import { columnsOf, notExported, quote, records, sequences, tables } from './tables.ts'

/** An export that is opened, and whose header makes sense. */
export interface Source {
  readonly header: Header
  readonly headerSize: number
  /** The lines after the header. */
  readonly lines: AsyncGenerator<Line, undefined>
  /** Undefined where it is not known in advance. */
  readonly size: number | undefined
  /** Folder of its images, where they are not inside. */
  readonly imageFolder: string | undefined
  close(): void
}

interface ImportReport {
  readonly rows: Readonly<Record<string, number>>
  readonly images: number
}

/** Hears of bytes that are done. */
export type OnProgress = (done: number, total: number) => void

/** Opens a file that export wrote, and the images beside it. */
export async function openFile(file: string): Promise<Source> {
  const found = await stat(file).catch(() => undefined)
  if (!found) throw new Error(`There is no file ${file}.`)
  if (found.isDirectory()) throw new Error(`${file} is a folder: name a file that export wrote.`)
  const stream = createReadStream(file, { highWaterMark: 2 ** 20 })
  return openSource(stream, { size: found.size, folder: imagesBeside(file) })
}

/** Opens what export wrote to a stream such as stdout. */
export const openStream = (stream: Readable): Promise<Source> => openSource(stream, {})

async function openSource(stream: Readable, { size, folder }: { size?: number; folder?: string }): Promise<Source> {
  const lines = readLines(stream)
  const close = () => void stream.destroy()
  try {
    const first = await lines.next()
    const header = readHeader(first.value?.text)
    const imageFolder = header.imagesInside ? undefined : folder
    if (header.images > 0 && !header.imagesInside) {
      if (imageFolder === undefined) {
        throw new Error('The images of this export lie in a folder beside its file: import the file by its name.')
      }
      const found = await stat(imageFolder).catch(() => undefined)
      if (!found?.isDirectory()) throw new Error(`The image folder ${imageFolder} is missing.`)
    }
    return { header, headerSize: first.value?.size ?? 0, lines, size, imageFolder, close }
  } catch (error) {
    close()
    throw error
  }
}

/** Stores what an export holds in an empty database: all or nothing. */
export async function importFrom(source: Source, session: Session, onProgress: OnProgress = () => {}) {
  const { database, db, settings } = session
  const newFolders = missingFolders(settings.imagesDir)
  const client = await database.pool.connect()
  const placed: string[] = []
  let report: ImportReport
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    // A service that starts meanwhile waits for this, and then finds everything there.
    await client.query('LOCK TABLE site IN ACCESS EXCLUSIVE MODE')
    await requireEmpty(client)
    const indexes = await dropSearchIndexes(client)
    const rows = await load(client, source, {
      onBytes: (done) => {
        if (source.size !== undefined) onProgress(done, source.size)
      },
      onImage: async (name, bytes) => {
        placed.push(...(await placeImage(settings.imagesDir, name, bytes)))
      },
    })
    for (const { definition } of indexes) await client.query(definition)
    await client.query('UPDATE site SET seeded_at = $1 WHERE seeded_at IS NULL', [session.now().toISOString()])
    const names = (await storedNames(client)).filter((name) => !source.header.missingImages.includes(name))
    // Last, so that nothing of a broken file is left there either.
    if (source.imageFolder) placed.push(...(await placeImages(source.imageFolder, names, settings.imagesDir)))
    else await requireImages(settings.imagesDir, names)
    for (const [name, { last, called }] of Object.entries(source.header.sequences)) {
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, called])
    }
    await client.query('COMMIT')
    report = { rows, images: names.length }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    await removeImages(placed)
    removeEmptyFolders(newFolders)
    throw error
  } finally {
    client.release()
    source.close()
  }
  await database.pool.query(`ANALYZE ${[...tables.map(({ name }) => name), ...notExported].map(quote)}`)
  // The languages here may be others than those that the texts were made for.
  await prepareSite(db, settings)
  return report
}

interface Index {
  readonly name: string
  readonly definition: string
}

/** To keep them up to date row by row takes twice as long as to make them of all rows at once. */
async function dropSearchIndexes(client: pg.ClientBase): Promise<readonly Index[]> {
  const { rows } = await client.query<Index>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = ANY($1) AND indexdef LIKE '% USING gin %'`,
    [tables.map(({ name }) => name)],
  )
  if (rows.length > 0) await client.query(`DROP INDEX ${rows.map(({ name }) => quote(name))}`)
  return rows
}

/** Throws when the database holds records; one without our tables holds none. */
export async function requireEmpty(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const found: string[] = []
  const known = await columnsOf(client)
  for (const [table, plural] of Object.entries(records)) {
    if (known.get(table)?.length === 0) continue
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${quote(table)}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) found.push(`${count} ${count === 1 ? table : plural}`)
  }
  if (found.length === 0) return
  throw new Error(`The database is not empty, it holds ${found.join(', ')}: import into one that was never used.`)
}

async function requireImages(store: string, names: readonly string[]): Promise<void> {
  const [missing] = await missingIn(store, names)
  if (missing !== undefined) throw new Error(`The file is not whole: the image ${missing} is missing.`)
}

interface Watcher {
  onBytes(done: number): void
  onImage(name: string, bytes: Buffer): Promise<void>
}

async function load(client: pg.ClientBase, { header, headerSize, lines }: Source, { onBytes, onImage }: Watcher) {
  checkSequences(header)
  const loader = await createLoader(client, header)
  // Its salt and languages are those of the file.
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
    // Nothing may be stored after what is wrong has been undone, and what is wrong with an earlier line goes before.
    await loader.idle()
  }
  const rows = await loader.finish()
  onBytes(done)
  for (const { name, rows: told } of header.tables) {
    if (rows[name] === told) continue
    throw new Error(`The file is not whole: of ${name} it should have ${told} rows, and has ${rows[name] ?? 0}.`)
  }
  if (rows.site !== 1) throw new Error('The file says nothing of its site.')
  return rows
}

function checkSequences(header: Header): void {
  const wrong = sequences.filter((name) => !Object.hasOwn(header.sequences, name))
  const other = Object.keys(header.sequences).filter((name) => !sequences.includes(name as (typeof sequences)[number]))
  if (wrong.length + other.length > 0) {
    throw new Error(`Line 1: its sequences are not ${sequences.join(', ')}.`)
  }
}
