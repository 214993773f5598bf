import { stat } from 'node:fs/promises'
import type pg from 'pg'
import { prepareSite } from '../content/site.ts'
import { type Header, imagesBeside, readHeader, readLines } from './format.ts'
import { placeImages, removeImages, storedNames } from './image-files.ts'
import { createLoader } from './load.ts'
import type { Session } from './session.ts'
import { keptByTriggers, quote, records, sequences, tables } from './tables.ts'

export interface ImportReport {
  readonly rows: Readonly<Record<string, number>>
  readonly images: number
}

/** Hears of bytes that are done. */
export type OnProgress = (done: number, total: number) => void

/** Stores what `file` and the images beside it hold in an empty database: all or nothing. */
export async function importFrom(file: string, session: Session, onProgress: OnProgress = () => {}) {
  const { database, db, settings } = session
  const size = (await stat(file).catch(() => undefined))?.size
  if (size === undefined) throw new Error(`There is no file ${file}.`)
  const client = await database.pool.connect()
  let placed: string[] = []
  let report: ImportReport
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL statement_timeout = 0')
    // A service that starts meanwhile waits for this, and then finds everything there.
    await client.query('LOCK TABLE site IN ACCESS EXCLUSIVE MODE')
    await requireEmpty(client)
    const indexes = await dropSearchIndexes(client)
    const { header, rows } = await load(client, file, (done) => onProgress(done, size))
    for (const { definition } of indexes) await client.query(definition)
    await client.query('UPDATE site SET seeded_at = $1 WHERE seeded_at IS NULL', [session.now().toISOString()])
    const names = (await storedNames(client)).filter((name) => !header.missingImages.includes(name))
    // Last, so that nothing of a broken file is left there either.
    placed = await placeImages(imagesBeside(file), names, settings.imagesDir)
    for (const [name, { last, called }] of Object.entries(header.sequences)) {
      await client.query('SELECT setval($1::regclass, $2, $3)', [name, last, called])
    }
    await client.query('COMMIT')
    report = { rows, images: names.length }
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    await removeImages(placed)
    throw error
  } finally {
    client.release()
  }
  await database.pool.query(`ANALYZE ${[...tables.map(({ name }) => name), ...keptByTriggers].map(quote)}`)
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

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const found: string[] = []
  for (const [table, plural] of Object.entries(records)) {
    const { rows } = await client.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${quote(table)}`)
    const count = rows[0]?.count ?? 0
    if (count > 0) found.push(`${count} ${count === 1 ? table : plural}`)
  }
  if (found.length === 0) return
  throw new Error(`The database is not empty, it holds ${found.join(', ')}: import into one that was never used.`)
}

async function load(client: pg.ClientBase, file: string, onBytes: (done: number) => void) {
  const lines = readLines(file)
  const first = await lines.next()
  const header = readHeader(first.value?.text)
  checkSequences(header)
  const loader = await createLoader(client, header)
  // Its salt and languages are those of the file.
  await client.query('DELETE FROM site')
  let done = first.value?.size ?? 0
  try {
    for await (const line of lines) {
      done += line.size
      if (await loader.add(line)) onBytes(done)
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
  return { header, rows }
}

function checkSequences(header: Header): void {
  const wrong = sequences.filter((name) => !Object.hasOwn(header.sequences, name))
  const other = Object.keys(header.sequences).filter((name) => !sequences.includes(name as (typeof sequences)[number]))
  if (wrong.length + other.length > 0) {
    throw new Error(`Line 1: its sequences are not ${sequences.join(', ')}.`)
  }
}
