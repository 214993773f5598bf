// Rows into tables, many at a time; what the database refuses is told by the number of its line.
import type pg from 'pg'
import type { Header, Line } from './format.ts'
import { columnsOf, quote, type Table, tables } from './tables.ts'

/** What one statement stores at most. */
const most = { rows: 500, characters: 1_000_000 }

type Row = Readonly<Record<string, unknown>>

interface Target extends Table {
  readonly columns: readonly string[]
  readonly insert: string
}

export interface Loader {
  /** Whether it has sent what came so far. */
  add(line: Line): Promise<boolean>
  /** Resolves once nothing is being stored. Throws what the database refused. */
  idle(): Promise<void>
  /** How many rows each table got. */
  finish(): Promise<Readonly<Record<string, number>>>
}

/** Throws when the header names what this version does not have. */
export async function createLoader(client: pg.ClientBase, header: Header): Promise<Loader> {
  const targets = await targetsOf(client, header)
  const counts: Record<string, number> = Object.fromEntries(header.tables.map(({ name }) => [name, 0]))
  let target: Target | undefined
  let waiting: Line[] = []
  /** While this goes on the next lines are read. */
  let storing = Promise.resolve()
  let characters = 0
  let parents: { id: unknown; parent: unknown }[] = []

  const flush = async () => {
    await storing
    if (target && waiting.length > 0) {
      storing = insert(client, target, waiting)
      // Whoever asks next is told.
      storing.catch(() => {})
    }
    waiting = []
    characters = 0
  }
  const leave = async () => {
    await flush()
    if (target?.parent && parents.length > 0) {
      await storing
      await setParents(client, target.name, target.parent, parents)
    }
    parents = []
  }
  return {
    add: async (line) => {
      const { name, row } = readRow(line, targets)
      if (name !== target?.name) {
        await leave()
        target = targets.get(name)
      }
      const parent = target?.parent && row[target.parent]
      if (parent != null) parents.push({ id: row.id, parent })
      counts[name] = (counts[name] ?? 0) + 1
      waiting.push(line)
      characters += line.text.length
      if (waiting.length < most.rows && characters < most.characters) return false
      await flush()
      return true
    },
    idle: () => storing,
    finish: async () => {
      await leave()
      await storing
      return counts
    },
  }
}

async function targetsOf(client: pg.ClientBase, header: Header): Promise<ReadonlyMap<string, Target>> {
  const known = await columnsOf(client)
  return new Map(
    header.tables.map(({ name, columns }) => {
      const table = tables.find((candidate) => candidate.name === name)
      const strange = columns.find((column) => !known.get(name)?.includes(column))
      if (!table || columns.length === 0 || strange !== undefined) {
        throw new Error(`Line 1: this version knows no ${strange ?? 'rows'} of ${name.slice(0, 100)}.`)
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
    throw new Error(`Line ${number} is not a row of a table that the header names: ${text.slice(0, 60)}`)
  }
  const wrong =
    target.columns.find((column) => !Object.hasOwn(row, column)) ??
    Object.keys(row).find((column) => !target.columns.includes(column))
  if (wrong === undefined) return { name, row }
  const verb = target.columns.includes(wrong) ? 'lacks' : 'has an unknown'
  throw new Error(`Line ${number}: the row of ${name} ${verb} ${wrong.slice(0, 60)}.`)
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
  const store = (some: readonly Line[]) => client.query(sql, [`[${some.map(({ text }) => text).join(',')}]`])
  await client.query('SAVEPOINT rows')
  try {
    await store(lines)
  } catch (cause) {
    await client.query('ROLLBACK TO SAVEPOINT rows')
    // One by one, to find which it is.
    for (const line of lines) {
      await store([line]).catch((error: unknown) => {
        throw new Error(`Line ${line.number}, ${name}: ${explain(error)}`, { cause: error })
      })
    }
    throw cause
  }
  await client.query('RELEASE SAVEPOINT rows')
}

/** Parents may come after their children. */
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
