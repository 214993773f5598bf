// Mapping files: how the columns and values of a foreign file correspond to the columns of the import.
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { joinList, splitList } from './cells.ts'

const texts = z.union([z.string(), z.array(z.string())])

const schema = z.strictObject({
  columns: z.record(z.string(), texts.nullable()).optional(),
  constants: z.record(z.string(), z.string()).optional(),
  values: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  dates: texts.optional(),
  lists: z.record(z.string(), z.string().min(1).max(10)).optional(),
  rows: z.string().min(1).optional(),
})

type MappingFile = z.infer<typeof schema>

export interface Mapping {
  /** The columns that a column of the file is imported as. Empty for one that is ignored, undefined for an unknown one. */
  targets(column: string): readonly string[] | undefined
  /** The columns that the mapping sets for every row. */
  readonly constants: ReadonlyMap<string, string>
  /** Replaces foreign values by those of the import. */
  translate(column: string, cell: string): string
  readonly dateFormats: readonly string[]
  /** Where the rows are in a JSON document, such as `events`. */
  readonly rows: string | undefined
  /** Whether columns that it does not mention may be unknown. */
  readonly isForeign: boolean
}

const maxBytes = 1_000_000

/** Reads a mapping file. Throws an error that says what is wrong with it. */
export async function readMapping(file: string | undefined): Promise<Mapping> {
  if (file === undefined) return createMapping({}, false)
  const stats = await stat(file).catch(() => undefined)
  if (!stats?.isFile()) throw new Error(`The mapping file ${file} does not exist.`)
  if (stats.size > maxBytes) throw new Error(`The mapping file ${file} is larger than 1 MB.`)
  return createMapping(parseMapping(file, await readFile(file, 'utf8')), true)
}

function parseMapping(file: string, text: string): MappingFile {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new Error(`The mapping file ${file} is not JSON: ${(cause as Error).message}`, { cause })
  }
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues.map(({ path, message }) => `${path.join('.') || 'document'}: ${message}`)
  throw new Error(
    `The mapping file ${file} is invalid. ${problems.join('; ')}. It can have columns, constants, values, dates, lists and rows.`,
  )
}

/** Columns whose cells are lists. */
const listColumns: ReadonlySet<string> = new Set(['venues', 'organizers', 'categories', 'tags', 'cost'])

export function createMapping(file: MappingFile, isForeign: boolean): Mapping {
  const columns = new Map(Object.entries(file.columns ?? {}).map(([name, to]) => [name.trim(), toList(to)]))
  const values = new Map(
    Object.entries(file.values ?? {}).map(([column, pairs]) => [column, new Map(Object.entries(pairs))]),
  )
  const separators = new Map(Object.entries(file.lists ?? {}))
  for (const column of separators.keys()) {
    if (listColumns.has(column)) continue
    throw new Error(`"lists" of the mapping file names ${column}. Lists are ${[...listColumns].join(', ')}.`)
  }
  const translate = (column: string, cell: string): string => {
    const replacements = values.get(column)
    const replace = (text: string) => replacements?.get(text) ?? text
    if (!listColumns.has(column)) return replace(cell.trim()) === cell.trim() ? cell : replace(cell.trim())
    const separator = separators.get(column)
    if (!replacements && separator === undefined) return cell
    const items = separator === undefined ? splitList(cell) : cell.split(separator).map((item) => item.trim())
    // A value can be replaced by several.
    const replaced = items.flatMap((item) => (replacements?.has(item) ? splitList(replace(item)) : [item]))
    return joinList(replaced.filter((item) => item !== ''))
  }
  return {
    targets: (column) => columns.get(column),
    constants: new Map(Object.entries(file.constants ?? {})),
    translate,
    dateFormats: toList(file.dates ?? null),
    rows: file.rows,
    isForeign,
  }
}

const toList = (texts: string | readonly string[] | null): readonly string[] =>
  texts === null ? [] : typeof texts === 'string' ? [texts] : texts
