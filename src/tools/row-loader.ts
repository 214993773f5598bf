// Inserts rows in batches. Errors of the database name the line number.
import type pg from 'pg'
import type { Header, Line } from './export-format.ts'
import { columnsOf, quote, type Table, tables } from './tables.ts'

/** Limits of one INSERT statement. */
const batchLimits = { rows: 500, characters: 1_000_000 }

type Row = Readonly<Record<string, unknown>>

interface Target extends Table {
  readonly columns: readonly string[]
  readonly insert: string
}

export interface Loader {
  /** Adds a row. Returns whether this sent a batch. */
  add(line: Line): Promise<boolean>
  /** Waits for the pending insert, and throws its error. */
  idle(): Promise<void>
  /** Inserts the rest, and returns the number of rows of each table. */
  finish(): Promise<Readonly<Record<string, number>>>
}

/** Throws if the header has tables or columns that this version does not have. */
export async function createLoader(client: pg.ClientBase, header: Header): Promise<Loader> {
  const targets = await targetsOf(client, header)
  const counts: Record<string, number> = Object.fromEntries(header.tables.map(({ name }) => [name, 0]))
  let target: Target | undefined
  let batch: Line[] = []
  /** The next lines are read while this insert runs. */
  let pendingInsert = Promise.resolve()
  let characters = 0
  let parents: { id: unknown; parent: unknown }[] = []

  const flush = async () => {
    await pendingInsert
    if (target && batch.length > 0) {
      pendingInsert = insert(client, target, batch)
      // Prevents unhandledRejection. The next await of this promise throws the error.
      pendingInsert.catch(() => {})
    }
    batch = []
    characters = 0
  }
  const finishTable = async () => {
    await flush()
    if (target?.parent && parents.length > 0) {
      await pendingInsert
      await setParents(client, target.name, target.parent, parents)
    }
    parents = []
  }
  return {
    add: async (line) => {
      const { name, row } = readRow(line, targets)
      if (name !== target?.name) {
        await finishTable()
        target = targets.get(name)
      }
      const parent = target?.parent && row[target.parent]
      if (parent != null) parents.push({ id: row.id, parent })
      counts[name] = (counts[name] ?? 0) + 1
      batch.push(line)
      characters += line.text.length
      if (batch.length < batchLimits.rows && characters < batchLimits.characters) return false
      await flush()
      return true
    },
    idle: () => pendingInsert,
    finish: async () => {
      await finishTable()
      await pendingInsert
      return counts
    },
  }
}

async function targetsOf(client: pg.ClientBase, header: Header): Promise<ReadonlyMap<string, Target>> {
  const knownColumns = await columnsOf(client)
  return new Map(
    header.tables.map(({ name, columns }) => {
      const table = tables.find((candidate) => candidate.name === name)
      const unknown = columns.find((column) => !knownColumns.get(name)?.includes(column))
      if (!table || columns.length === 0 || unknown !== undefined) {
        throw new Error(
          unknown === undefined
            ? `Line 1: unknown table ${name.slice(0, 100)}.`
            : `Line 1: unknown column ${unknown} of ${name.slice(0, 100)}.`,
        )
      }
      const values = columns.map((column) => (column === table.parent ? 'NULL' : `r.${quote(column)}`))
      const insert = `INSERT INTO ${quote(name)} (${columns.map(quote)})
        SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS line, jsonb_populate_record(NULL::${quote(name)}, line->'${name}') AS r`
      return [name, { ...table, columns, insert }]
    }),
  )
}

function readRow({ number, text }: Line, targets: ReadonlyMap<string, Target>): { name: string; row: Row } {
  const value = parse(text)
  const [name = ''] = Object.keys(value ?? {})
  const row = value?.[name] as Row | undefined
  const target = targets.get(name)
  if (!value || !target || typeof row !== 'object' || row === null || Object.keys(value).length !== 1) {
    throw new Error(`Line ${number} is not a row of a table that the header lists: ${text.slice(0, 60)}`)
  }
  const mismatch =
    target.columns.find((column) => !Object.hasOwn(row, column)) ??
    Object.keys(row).find((column) => !target.columns.includes(column))
  if (mismatch === undefined) return { name, row }
  const verb = target.columns.includes(mismatch) ? 'lacks the column' : 'has the unknown column'
  throw new Error(`Line ${number}: the row of ${name} ${verb} ${mismatch.slice(0, 60)}.`)
}

function parse(text: string): Row | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' ? (value as Row) : undefined
  } catch {
    return undefined
  }
}

async function insert(client: pg.ClientBase, { name, insert: sql }: Target, lines: readonly Line[]): Promise<void> {
  const insertLines = (batch: readonly Line[]) => client.query(sql, [`[${batch.map(({ text }) => text).join(',')}]`])
  await client.query('SAVEPOINT rows')
  try {
    await insertLines(lines)
  } catch (cause) {
    await client.query('ROLLBACK TO SAVEPOINT rows')
    // Repeats the inserts one by one to find the invalid line.
    for (const line of lines) {
      await insertLines([line]).catch((error: unknown) => {
        throw new Error(`Line ${line.number}, ${name}: ${explain(error)}`, { cause: error })
      })
    }
    throw cause
  }
  await client.query('RELEASE SAVEPOINT rows')
}

/** Set after all rows, because a parent may come after its children. */
async function setParents(client: pg.ClientBase, name: string, column: string, pairs: readonly object[]) {
  const sql = `UPDATE ${quote(name)} AS t SET ${quote(column)} = p.parent
    FROM jsonb_to_recordset($1::jsonb) AS p (id int, parent int) WHERE t.id = p.id`
  await client.query(sql, [JSON.stringify(pairs)]).catch((error: unknown) => {
    throw new Error(`Parents of ${name}: ${explain(error)}`, { cause: error })
  })
}

function explain(error: unknown): string {
  const { message, detail } = error as { message: string; detail?: string }
  return detail === undefined ? `${message}.` : `${message}. ${detail}`
}
