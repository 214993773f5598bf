import { readFile, rename, rm } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { imagePath } from '../../calendar/image/storage/files.ts'
import { postKinds } from '../../kinds.ts'
import type { Session } from '../session.ts'
import { requireNewFile, type WriteText, writeToFile, writeToStream } from '../write-text.ts'
import { type ExportHeader, formatHeader, formatImageLine, imageFolderOf } from './format.ts'
import { copyImageFiles, findMissingFiles, readImageFileNames } from './image-files.ts'
import { exportedSequences, type Queryable, quoteName, readColumns, tables } from './tables.ts'

/** `accounts`: whether the export contains logins, e-mail addresses and hashes of credentials. */
type ExportOptions = Pick<ExportHeader, 'accounts'>

/** Writes a consistent snapshot to `file`, and the images to the folder `<file>.images`. Removes both after an error. */
export async function exportToFile(file: string, session: Session, { accounts }: ExportOptions) {
  const folder = imageFolderOf(file)
  await requireNewFile(file, [folder])
  // An interrupted export may have left this folder.
  const partialFolder = imageFolderOf(`${file}.partial`)
  try {
    return await writeToFile(file, async (write) => {
      // Copies image files before writing rows, which takes long: meanwhile users may delete images with their files.
      const copy = (names: readonly string[]) => copyImageFiles(session.settings.imagesDir, names, partialFolder)
      const { images, ...report } = await writeSnapshot(write, session, { accounts, imagesInside: false }, copy)
      if (images.length > 0) await rename(partialFolder, folder)
      return { file, ...report, images: images.length }
    })
  } catch (error) {
    for (const path of [partialFolder, folder]) await rm(path, { recursive: true, force: true })
    throw error
  }
}

/** Writes a consistent snapshot to a stream such as stdout. Image files are lines at its end. */
export const exportToStream = (stream: Writable, session: Session, { accounts }: ExportOptions) =>
  writeToStream(stream, async (write) => {
    const { images, ...report } = await writeSnapshot(write, session, { accounts, imagesInside: true })
    const { imagesDir } = session.settings
    for (const name of images) await write(formatImageLine(name, await readFile(imagePath(imagesDir, name) ?? name)))
    return { file: '-', ...report, images: images.length }
  })

/** Writes the header and all rows in one transaction. Returns the names of the image files that exist. */
async function writeSnapshot(
  write: WriteText,
  { database, settings: { imagesDir }, now }: Session,
  { accounts, imagesInside }: Pick<ExportHeader, 'accounts' | 'imagesInside'>,
  copyFiles: (names: readonly string[]) => Promise<void> = async () => {},
) {
  const client = await database.pool.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    await client.query('SET LOCAL statement_timeout = 0')
    const names = await readImageFileNames(client)
    const missingImages = findMissingFiles(imagesDir, names)
    const missing = new Set(missingImages)
    const images = names.filter((name) => !missing.has(name))
    await copyFiles(images)
    const layout = await readLayout(client, accounts)
    const rows = await countRows(client, layout)
    const header = {
      ...{ accounts, createdAt: now().toISOString(), images: images.length, imagesInside, missingImages },
      ...(await readSite(client)),
      tables: layout.map(({ name, columns }) => ({ name, columns, rows: rows[name] ?? 0 })),
      sequences: await readSequences(client),
    }
    await write(formatHeader(header))
    for (const table of layout) await writeTable(write, client, table)
    return { rows, images, missingImages }
  } finally {
    await client.query('ROLLBACK').catch(() => {})
    client.release()
  }
}

interface TableSource {
  readonly name: string
  readonly columns: string[]
  /** SELECT statement for the columns of all rows, in the order of the key. */
  readonly sql: string
}

async function readLayout(client: Queryable, accounts: boolean): Promise<TableSource[]> {
  const columns = await readColumns(client)
  return tables.flatMap(({ name, key }) => {
    if (!accounts && name === 'credential') return []
    if (!accounts && name === 'user') return [authors]
    const own = columns.get(name) ?? []
    const order = key.map((column) => `${quoteName(column)}${column === 'slug' ? ' COLLATE "C"' : ''}`)
    return [{ name, columns: own, sql: `SELECT ${own.map(quoteName)} FROM ${quoteName(name)} ORDER BY ${order}` }]
  })
}

/** Without accounts, only the ID and name of authors are exported, which are public. */
const authors: TableSource = {
  name: 'user',
  columns: ['id', 'login', 'name', 'role'],
  sql: `SELECT id, 'author-' || id AS login, name, 'subscriber' AS role FROM "user" WHERE id IN (
    ${[...postKinds, 'image'].map((table) => `SELECT author_id FROM ${table}`).join(' UNION ')}) ORDER BY id`,
}

async function countRows(client: Queryable, layout: readonly TableSource[]): Promise<Record<string, number>> {
  const counts = layout.map(({ name, sql }) => `'${name}', (SELECT count(*) FROM (${sql}) AS r)`)
  const { rows } = await client.query<{ counts: Record<string, number> }>(
    `SELECT json_build_object(${counts}) AS counts`,
  )
  return rows[0]?.counts ?? {}
}

async function readSite(client: Queryable) {
  const { rows } = await client.query<{ site: Pick<ExportHeader, 'languages' | 'defaultLanguage' | 'textRules'> }>(
    `SELECT json_build_object('languages', languages, 'defaultLanguage', default_language, 'textRules', text_rules) AS site
     FROM site`,
  )
  if (rows[0]) return rows[0].site
  throw new Error('The database is not set up, so there is nothing to export. Start the service once.')
}

async function readSequences(client: Queryable): Promise<ExportHeader['sequences']> {
  const values = exportedSequences.map(
    (name) => `SELECT '${name}' AS name, last_value::int AS last, is_called AS called FROM ${name}`,
  )
  const { rows } = await client.query<{ name: string; last: number; called: boolean }>(values.join(' UNION ALL '))
  return Object.fromEntries(rows.map(({ name, ...value }) => [name, value]))
}

/** Number of rows per FETCH from the cursor, to limit memory. */
const batch = 1000

/** Writes the rows of a table as JSON. PostgreSQL converts the values, so that no precision is lost. */
async function writeTable(write: WriteText, client: Queryable, { name, sql }: TableSource): Promise<void> {
  await client.query(`DECLARE export_rows NO SCROLL CURSOR FOR SELECT row_to_json(r)::text AS text FROM (${sql}) AS r`)
  for (;;) {
    const { rows } = await client.query<{ text: string }>(`FETCH ${batch} FROM export_rows`)
    if (rows.length > 0) await write(rows.map(({ text }) => `{"${name}":${text}}\n`).join(''))
    if (rows.length < batch) break
  }
  await client.query('CLOSE export_rows')
}
