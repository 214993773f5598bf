import { open, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import type pg from 'pg'
import { imagePath } from '../content/image/files.ts'
import { postKinds } from '../content/kinds.ts'
import { type Header, headerLine, imageLine, imagesBeside } from './format.ts'
import { copyImages, missingIn, storedNames } from './image-files.ts'
import type { Session } from './session.ts'
import { columnsOf, quote, sequences, tables } from './tables.ts'

export interface ExportOptions {
  /** With logins, addresses and what credentials are stored as. */
  readonly accounts: boolean
}

export interface ExportReport {
  readonly file: string
  readonly rows: Readonly<Record<string, number>>
  readonly images: number
  readonly missingImages: readonly string[]
}

/** Rows that are held in memory at a time. */
const batch = 1000

/** Writes text to where the export goes. */
type Write = (text: string) => Promise<unknown>

interface Content {
  readonly header: Header
  /** Names of the files of images that are there. */
  readonly images: readonly string[]
  readonly imagesDir: string
  writeRows(write: Write): Promise<void>
}

/** Writes everything, as it is at one moment, to `file` and the images beside it: both or neither. */
export async function exportTo(file: string, session: Session, options: ExportOptions): Promise<ExportReport> {
  for (const place of [file, imagesBeside(file)]) {
    const found = await stat(place).catch(() => undefined)
    if (found?.isDirectory() && place === file) throw new Error(`${file} is a folder: name a file in it.`)
    if (found) throw new Error(`${place} exists: remove it, or name another file.`)
  }
  const folder = await stat(dirname(file)).catch(() => undefined)
  if (!folder?.isDirectory()) throw new Error(`There is no folder ${dirname(file)}: create it, or name another file.`)
  // What an attempt that was killed left is overwritten by the next one.
  const [draft, draftImages] = [`${file}.partial`, imagesBeside(`${file}.partial`)]
  try {
    return await withContent(session, { ...options, imagesInside: false }, async (content) => {
      await copyImages(content.imagesDir, content.images, draftImages)
      await rm(draft, { force: true })
      // Its rows are nobody else's business.
      const handle = await open(draft, 'wx', 0o600)
      try {
        await handle.appendFile(headerLine(content.header))
        await content.writeRows((text) => handle.appendFile(text))
        await handle.sync()
      } finally {
        await handle.close()
      }
      if (content.images.length > 0) await rename(draftImages, imagesBeside(file))
      await rename(draft, file)
      return reportOf(file, content.header)
    })
  } finally {
    await rm(draft, { force: true })
    await rm(draftImages, { recursive: true, force: true })
  }
}

/** Writes the same to a stream such as stdout, with the images as its last lines. */
export async function exportToStream(
  stream: Writable,
  session: Session,
  options: ExportOptions,
): Promise<ExportReport> {
  // The callback of a write receives the same error; without a listener it would end the process.
  stream.on('error', () => {})
  const write: Write = (text) =>
    new Promise<void>((resolve, reject) => {
      stream.write(text, (error) => (error ? reject(error) : resolve()))
    })
  try {
    return await withContent(session, { ...options, imagesInside: true }, async (content) => {
      await write(headerLine(content.header))
      await content.writeRows(write)
      for (const name of content.images) {
        await write(imageLine(name, await readFile(imagePath(content.imagesDir, name) ?? name)))
      }
      return reportOf('-', content.header)
    })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') throw cause
    throw new Error('The reader of stdout ended before the export was complete.', { cause })
  }
}

const reportOf = (file: string, { tables, images, missingImages }: Header): ExportReport => ({
  file,
  rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  ...{ images, missingImages },
})

type Options = ExportOptions & Pick<Header, 'imagesInside'>

/** Runs `work` on what one transaction sees. */
async function withContent<Done>(
  { database, settings: { imagesDir }, now }: Session,
  { accounts, imagesInside }: Options,
  work: (content: Content) => Promise<Done>,
): Promise<Done> {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const layout = await readLayout(client, accounts)
    const names = await storedNames(client)
    const missingImages = await missingIn(imagesDir, names)
    const missing = new Set(missingImages)
    const images = names.filter((name) => !missing.has(name))
    const createdAt = now().toISOString()
    const facts = { accounts, createdAt, images: images.length, imagesInside, missingImages }
    const header = await makeHeader(client, layout, facts)
    const writeRows = async (write: Write) => {
      for (const table of layout) await writeTable(write, client, table)
    }
    return await work({ header, images, imagesDir, writeRows })
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}

interface Source {
  readonly name: string
  readonly columns: readonly string[]
  /** A query that gives them, in order. */
  readonly sql: string
}

async function readLayout(client: pg.ClientBase, accounts: boolean): Promise<Source[]> {
  const columns = await columnsOf(client)
  return tables.flatMap(({ name, key }) => {
    if (!accounts && name === 'credential') return []
    if (!accounts && name === 'user') return [authors]
    const own = columns.get(name) ?? []
    const order = key.map((column) => `${quote(column)}${column === 'slug' ? ' COLLATE "C"' : ''}`)
    return [{ name, columns: own, sql: `SELECT ${own.map(quote)} FROM ${quote(name)} ORDER BY ${order}` }]
  })
}

/** Answers name who wrote a record: the number and the name stay, all else of the account does not. */
const authors: Source = {
  name: 'user',
  columns: ['id', 'login', 'name', 'role'],
  sql: `SELECT id, 'author-' || id AS login, name, 'subscriber' AS role FROM "user" WHERE id IN (
    ${[...postKinds, 'image'].map((table) => `SELECT author_id FROM ${table}`).join(' UNION ')}) ORDER BY id`,
}

type Facts = Pick<Header, 'accounts' | 'createdAt' | 'images' | 'imagesInside' | 'missingImages'>

async function makeHeader(client: pg.ClientBase, layout: readonly Source[], facts: Facts): Promise<Header> {
  const { rows: sites } = await client.query<{ site: Pick<Header, 'languages' | 'defaultLanguage' | 'textRules'> }>(
    `SELECT json_build_object('languages', languages, 'defaultLanguage', default_language, 'textRules', text_rules) AS site
     FROM site`,
  )
  const site = sites[0]?.site
  if (!site) throw new Error('This database was never set up: there is nothing to export.')
  const counted: Header['tables'] = []
  for (const { name, columns, sql } of layout) {
    const { rows } = await client.query<{ rows: number }>(`SELECT count(*)::int AS rows FROM (${sql}) AS r`)
    counted.push({ name, columns: [...columns], rows: rows[0]?.rows ?? 0 })
  }
  const numbers: Header['sequences'] = {}
  for (const sequence of sequences) {
    const { rows } = await client.query<{ last: number; called: boolean }>(
      `SELECT last_value::int AS last, is_called AS called FROM ${sequence}`,
    )
    if (rows[0]) numbers[sequence] = rows[0]
  }
  return { ...facts, ...site, tables: counted, sequences: numbers }
}

/** The database writes the JSON: every value as exact as it is stored. */
async function writeTable(write: Write, client: pg.ClientBase, { name, sql }: Source): Promise<void> {
  await client.query(`DECLARE exported NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS text FROM (${sql}) AS r`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${batch} FROM exported`)
    if (rows.length > 0) await write(rows.map(({ text }) => `{"${name}":${text}}\n`).join(''))
    if (rows.length < batch) break
  }
  await client.query('CLOSE exported')
}
