// Reads mapping files, which map the columns and values of a foreign file to the columns of the import.
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { joinItems, splitItems } from './cells.ts'
import { parseJson } from './source.ts'

const texts = z.union([z.string(), z.array(z.string())])

const schema = z.strictObject({
  columns: z.record(z.string(), texts.nullable()).optional(),
  constants: z.record(z.string(), z.string()).optional(),
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  dates: texts.optional(),
  lists: z.record(z.string(), z.string().min(1).max(10)).optional(),
  rows: z.string().min(1).optional(),
})

export type ColumnMapping = ReturnType<typeof createColumnMapping>

const maxBytes = 1_000_000

export async function readColumnMapping(file: string | undefined): Promise<ColumnMapping> {
  if (file === undefined) return createColumnMapping({}, false)
  const name = `The mapping file ${file}`
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile()) throw new Error(`${name} does not exist.`)
  if (stats.size > maxBytes) throw new Error(`${name} is larger than 1 MB, the limit for mapping files.`)
  const text = await readFile(file, 'utf8')
  const result = schema.safeParse(parseJson(text.replace(/^\uFEFF/, ''), name))
  if (result.success) return createColumnMapping(result.data, true)
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  throw new Error(
    `${name} is invalid. ${problems.join('; ')}. It can have columns, constants, values, dates, lists and rows.`,
  )
}

/** Columns whose cells are lists. */
const listColumns: ReadonlySet<string> = new Set(['venues', 'organizers', 'categories', 'tags', 'cost'])

/** `isForeign`: whether the import ignores unknown columns, because the file comes from another program. */
export function createColumnMapping(file: z.infer<typeof schema>, isForeign: boolean) {
  const columns = new Map(Object.entries(file.columns ?? {}).map(([name, to]) => [name.trim(), toList(to)]))
  const values = new Map(
    Object.entries(file.values ?? {}).map(([name, pairs]) => [name, new Map(Object.entries(pairs))]),
  )
  const separators = new Map(Object.entries(file.lists ?? {}))
  for (const column of separators.keys()) {
    if (listColumns.has(column)) continue
    throw new Error(`"lists" of the mapping file names ${column}. Lists are ${[...listColumns].join(', ')}.`)
  }
  /** Replaces the values of a cell by the values that the mapping file gives for them. */
  const translate = (column: string, cell: string): string => {
    const replacements = values.get(column)
    const replace = (text: string) => replacements?.get(text) ?? text
    if (!listColumns.has(column)) return replace(cell.trim()) === cell.trim() ? cell : replace(cell.trim())
    const separator = separators.get(column)
    if (!replacements && separator === undefined) return cell
    const items = separator === undefined ? splitItems(cell) : cell.split(separator).map((item) => item.trim())
    // One value can be replaced by several values.
    const replaced = items.flatMap((item) => (replacements?.has(item) ? splitItems(replace(item)) : [item]))
    return joinItems(replaced.filter((item) => item !== ''))
  }
  return {
    /** Returns the import columns for a column of the file: none if it is ignored, undefined if it is not mapped. */
    targets: (column: string) => columns.get(column),
    /** Import columns with the same value in every row. */
    constants: new Map(Object.entries(file.constants ?? {})),
    translate,
    dateFormats: toList(file.dates ?? null),
    /** The path of the array of rows in a JSON document, such as `events`. */
    rows: file.rows,
    isForeign,
  }
}

const toList = (texts: string | readonly string[] | null): readonly string[] =>
  texts === null ? [] : typeof texts === 'string' ? [texts] : texts
