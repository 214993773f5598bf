import { readFile, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { imagePath } from '../../calendar/image/storage/files.ts'
import { postKinds } from '../../kinds.ts'
import type { Session } from '../session.ts'
import { checkNewFile, type WriteText, writeToFile, writeToStream } from '../write-text.ts'
import { type Header, headerLine, imageFolderOf, imageLine } from './format.ts'
import { copyImages, missingFiles, storedNames } from './image-files.ts'
import { columnsOf, type Queryable, quote, sequences, tables } from './tables.ts'

export interface ExportOptions {
  /** Whether to export logins, e-mail addresses and hashes of credentials. */
  readonly accounts: boolean
}

export interface ExportReport {
  readonly file: string
  readonly rows: Readonly<Record<string, number>>
  readonly images: number
  readonly missingImages: readonly string[]
}

/** Rows per fetch, to bound memory. */
const batch = 1000

interface Content {
  readonly header: Header
  /** Names of the image files that exist. */
  readonly images: readonly string[]
  readonly imagesDir: string
  writeRows(write: WriteText): Promise<void>
}

/** Writes a consistent snapshot to `file` and the images to the folder `file`.images. On failure it leaves neither. */
export async function exportTo(file: string, session: Session, options: ExportOptions): Promise<ExportReport> {
  const folder = imageFolderOf(file)
  await checkNewFile(file, [folder])
  // Leftovers of an interrupted export are overwritten.
  const partialFolder = imageFolderOf(`${file}.partial`)
  try {
    return await writeToFile(file, (write) =>
      withContent(session, { ...options, imagesInside: false }, async ({ header, images, imagesDir, writeRows }) => {
        await copyImages(imagesDir, images, partialFolder)
        await write(headerLine(header))
        await writeRows(write)
        if (images.length > 0) await rename(partialFolder, folder)
        return createReport(file, header)
      }),
    )
  } catch (error) {
    for (const path of [partialFolder, folder]) await rm(path, { recursive: true, force: true })
    throw error
  }
}

/** Writes the snapshot to a stream such as stdout, with the images as the last lines. */
export const exportToStream = (stream: Writable, session: Session, options: ExportOptions): Promise<ExportReport> =>
  writeToStream(stream, (write) =>
    withContent(session, { ...options, imagesInside: true }, async ({ header, images, imagesDir, writeRows }) => {
      await write(headerLine(header))
      await writeRows(write)
      for (const name of images) await write(imageLine(name, await readFile(imagePath(imagesDir, name) ?? name)))
      return createReport('-', header)
    }),
  )

const createReport = (file: string, { tables, images, missingImages }: Header): ExportReport => ({
  file,
  rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  ...{ images, missingImages },
})

type Options = ExportOptions & Pick<Header, 'imagesInside'>

/** Runs `work` on the snapshot of one transaction. */
async function withContent<Result>(
  { database, settings: { imagesDir }, now }: Session,
  { accounts, imagesInside }: Options,
  work: (content: Content) => Promise<Result>,
): Promise<Result> {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const layout = await readLayout(client, accounts)
    const names = await storedNames(client)
    const missingImages = missingFiles(imagesDir, names)
    const missing = new Set(missingImages)
    const images = names.filter((name) => !missing.has(name))
    const createdAt = now().toISOString()
    const facts = { accounts, createdAt, images: images.length, imagesInside, missingImages }
    const header = await createHeader(client, layout, facts)
    const writeRows = async (write: WriteText) => {
      for (const table of layout) await writeTable(write, client, table)
    }
    return await work({ header, images, imagesDir, writeRows })
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}

interface TableSource {
  readonly name: string
  readonly columns: readonly string[]
  /** Selects the columns of all rows, in order. */
  readonly sql: string
}

async function readLayout(client: Queryable, accounts: boolean): Promise<TableSource[]> {
  const columns = await columnsOf(client)
  return tables.flatMap(({ name, key }) => {
    if (!accounts && name === 'credential') return []
    if (!accounts && name === 'user') return [authors]
    const own = columns.get(name) ?? []
    const order = key.map((column) => `${quote(column)}${column === 'slug' ? ' COLLATE "C"' : ''}`)
    return [{ name, columns: own, sql: `SELECT ${own.map(quote)} FROM ${quote(name)} ORDER BY ${order}` }]
  })
}

/** Without accounts, only ID and name of authors are exported: APIs show these. */
const authors: TableSource = {
  name: 'user',
  columns: ['id', 'login', 'name', 'role'],
  sql: `SELECT id, 'author-' || id AS login, name, 'subscriber' AS role FROM "user" WHERE id IN (
    ${[...postKinds, 'image'].map((table) => `SELECT author_id FROM ${table}`).join(' UNION ')}) ORDER BY id`,
}

type Facts = Pick<Header, 'accounts' | 'createdAt' | 'images' | 'imagesInside' | 'missingImages'>

async function createHeader(client: Queryable, layout: readonly TableSource[], facts: Facts): Promise<Header> {
  const { rows: sites } = await client.query<{ site: Pick<Header, 'languages' | 'defaultLanguage' | 'textRules'> }>(
    `SELECT json_build_object('languages', languages, 'defaultLanguage', default_language, 'textRules', text_rules) AS site
     FROM site`,
  )
  const site = sites[0]?.site
  if (!site) throw new Error('The database is not set up, so there is nothing to export. Start the service once.')
  const tableCounts: Header['tables'] = []
  for (const { name, columns, sql } of layout) {
    const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM (${sql}) AS r`)
    tableCounts.push({ name, columns: [...columns], rows: rows[0]?.rows ?? 0 })
  }
  const sequenceValues: Header['sequences'] = {}
  for (const sequence of sequences) {
    const { rows } = await client.query<{ last: number; called: boolean }>(
      `SELECT last_value::int AS last, is_called AS called FROM ${sequence}`,
    )
    if (rows[0]) sequenceValues[sequence] = rows[0]
  }
  return { ...facts, ...site, tables: tableCounts, sequences: sequenceValues }
}

/** PostgreSQL produces the JSON, so that every value is exact. */
async function writeTable(write: WriteText, client: Queryable, { name, sql }: TableSource): Promise<void> {
  await client.query(`DECLARE export_rows NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS text FROM (${sql}) AS r`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${batch} FROM export_rows`)
    if (rows.length > 0) await write(rows.map(({ text }) => `{"${name}":${text}}\n`).join(''))
    if (rows.length < batch) break
  }
  await client.query('CLOSE export_rows')
}
