import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import type pg from 'pg'
import { type Header, headerLine, imagesBeside } from './format.ts'
import { storedNames, takeImages } from './image-files.ts'
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

/** Writes everything, as it is at one moment, to `file` and the images beside it: both or neither. */
export async function exportTo(
  file: string,
  { database, settings, now }: Session,
  { accounts }: ExportOptions,
): Promise<ExportReport> {
  for (const place of [file, imagesBeside(file)]) {
    if (await stat(place).catch(() => undefined)) throw new Error(`${place} exists: remove it, or name another file.`)
  }
  // What an attempt that was killed left is overwritten by the next one.
  const [draft, draftImages] = [`${file}.partial`, imagesBeside(`${file}.partial`)]
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const layout = await readLayout(client, accounts)
    const names = await storedNames(client)
    const missingImages = await takeImages(settings.imagesDir, names, draftImages)
    const images = names.length - missingImages.length
    const header = await makeHeader(client, layout, { accounts, createdAt: now().toISOString(), images, missingImages })
    await rm(draft, { force: true })
    // Its rows are nobody else's business.
    const handle = await open(draft, 'wx', 0o600)
    try {
      await handle.appendFile(headerLine(header))
      for (const table of layout) await writeRows(handle, client, table)
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (images > 0) await rename(draftImages, imagesBeside(file))
    await rename(draft, file)
    const rows = Object.fromEntries(header.tables.map((table) => [table.name, table.rows]))
    return { file, rows, images, missingImages }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
    await rm(draft, { force: true })
    await rm(draftImages, { recursive: true, force: true })
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
    SELECT author_id FROM event UNION SELECT author_id FROM venue UNION SELECT author_id FROM organizer
    UNION SELECT author_id FROM image) ORDER BY id`,
}

type Told = Pick<Header, 'accounts' | 'createdAt' | 'images' | 'missingImages'>

async function makeHeader(client: pg.ClientBase, layout: readonly Source[], told: Told): Promise<Header> {
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
  return { ...told, ...site, tables: counted, sequences: numbers }
}

/** The database writes the JSON: every value as exact as it is stored. */
async function writeRows(handle: FileHandle, client: pg.ClientBase, { name, sql }: Source): Promise<void> {
  await client.query(`DECLARE exported NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS text FROM (${sql}) AS r`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${batch} FROM exported`)
    if (rows.length > 0) await handle.appendFile(rows.map(({ text }) => `{"${name}":${text}}\n`).join(''))
    if (rows.length < batch) break
  }
  await client.query('CLOSE exported')
}
