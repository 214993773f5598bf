// Inserts rows in batches. Error messages of the database get the number of the line.
import { type ExportHeader, type ExportLine, parseJsonObject } from './format.ts'
import { type Queryable, quoteName, readColumns, tables } from './tables.ts'

/** Maximum size of one INSERT statement. */
const batchLimits = { rows: 500, characters: 1_000_000 }

type Targets = Awaited<ReturnType<typeof targetsOf>>
type Target = NonNullable<ReturnType<Targets['get']>>

/** Inserts the rows. Returns the number of rows by table. Throws if a table or column is unknown to this version. */
export async function insertRows(
  client: Queryable,
  header: ExportHeader,
  lines: AsyncIterable<ExportLine>,
  onBatch: () => void,
): Promise<Readonly<Record<string, number>>> {
  const targets = await targetsOf(client, header)
  const counts: Record<string, number> = Object.fromEntries(header.tables.map(({ name }) => [name, 0]))
  for await (const { target, batch } of batchesOf(lines, targets)) {
    await insert(client, target, batch)
    counts[target.name] = (counts[target.name] ?? 0) + batch.length
    onBatch()
  }
  return counts
}

async function* batchesOf(lines: AsyncIterable<ExportLine>, targets: Targets) {
  let target: Target | undefined
  let batch: ExportLine[] = []
  let characters = 0
  for await (const line of lines) {
    const next = targetOf(line, targets)
    const isFull = batch.length === batchLimits.rows || characters >= batchLimits.characters
    if (target && (isFull || target !== next)) {
      yield { target, batch }
      batch = []
      characters = 0
    }
    target = next
    batch.push(line)
    characters += line.text.length
  }
  if (target) yield { target, batch }
}

async function targetsOf(client: Queryable, header: ExportHeader) {
  const knownColumns = await readColumns(client)
  return new Map(
    header.tables.map(({ name, columns }) => {
      const unknown = columns.find((column) => !knownColumns.get(name)?.includes(column))
      const isKnown = tables.some((table) => table.name === name) && columns.length > 0
      if (unknown !== undefined) throw new Error(`Line 1: unknown column ${unknown} of ${name.slice(0, 100)}.`)
      if (!isKnown) throw new Error(`Line 1: unknown table ${name.slice(0, 100)}.`)
      const values = columns.map((column) => `r.${quoteName(column)}`)
      const insert = `INSERT INTO ${quoteName(name)} (${columns.map(quoteName)})
        SELECT ${values} FROM jsonb_array_elements($1::jsonb) AS line, jsonb_populate_record(NULL::${quoteName(name)}, line->'${name}') AS r`
      return [name, { name, columns, insert }] as const
    }),
  )
}

/** Returns the table of a row. Throws if the row has other columns than the header lists. */
function targetOf({ number, text }: ExportLine, targets: Targets): Target {
  const value = parseJsonObject(text) ?? {}
  const [name = '', ...others] = Object.keys(value)
  const row = value[name]
  const target = targets.get(name)
  if (!target || others.length > 0 || typeof row !== 'object' || row === null) {
    throw new Error(`Line ${number} is not a row of a table that the header lists: ${text.slice(0, 60)}`)
  }
  const lacking = target.columns.find((column) => !Object.hasOwn(row, column))
  const unknown = Object.keys(row).find((column) => !target.columns.includes(column))
  if (lacking === undefined && unknown === undefined) return target
  const problem =
    lacking === undefined ? `has the unknown column ${unknown?.slice(0, 60)}` : `lacks the column ${lacking}`
  throw new Error(`Line ${number}: the row of ${name} ${problem}.`)
}

async function insert(client: Queryable, { name, insert: sql }: Target, lines: readonly ExportLine[]): Promise<void> {
  const insertLines = (batch: readonly ExportLine[]) =>
    client.query(sql, [`[${batch.map(({ text }) => text).join(',')}]`])
  await client.query('SAVEPOINT rows')
  try {
    await insertLines(lines)
  } catch (cause) {
    await client.query('ROLLBACK TO SAVEPOINT rows')
    // Repeats the failed batch row by row, to name the invalid line in the error.
    for (const line of lines) {
      await insertLines([line]).catch((error: unknown) => {
        throw new Error(`Line ${line.number}, ${name}: ${describeDatabaseError(error)}`, { cause: error })
      })
    }
    throw cause
  }
  await client.query('RELEASE SAVEPOINT rows')
}

export function describeDatabaseError(error: unknown): string {
  const { message, detail } = error as { message: string; detail?: string }
  return detail === undefined ? `${message}.` : `${message}. ${detail}`
}
