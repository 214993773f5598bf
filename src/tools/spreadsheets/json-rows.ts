// Reads rows from JSON: an array of objects, or one object per line (NDJSON).

import { readLines } from '../lines.ts'
import { joinList } from './cells.ts'
import { decodeText } from './encoding.ts'

/** A row of a file, with its number there. */
export interface SourceRow {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
}

/** Characters of a JSON document, which is read as a whole. NDJSON has no such limit. */
const maxDocument = 64_000_000

const maxLine = 4_000_000
/** Of a row: nested lists have many. */
const maxFields = 5000
const maxDepth = 6

type Bytes = AsyncIterable<Uint8Array>

/** Yields the objects of a document. `path` is where they are in the document, such as `events`. */
export async function* readJsonRows(open: () => Bytes, path: string | undefined): AsyncGenerator<SourceRow> {
  const isDocument = path !== undefined || (await firstCharacter(open())) === '['
  yield* isDocument ? readDocument(open(), path) : readObjects(open())
}

const decode = (bytes: Bytes) => decodeText(bytes, undefined, () => 'Save it as UTF-8.')

async function firstCharacter(bytes: Bytes): Promise<string> {
  for await (const part of decode(bytes)) if (part.trim() !== '') return part.trimStart().charAt(0)
  return ''
}

async function* readDocument(bytes: Bytes, path: string | undefined): AsyncGenerator<SourceRow> {
  const parts: string[] = []
  let size = 0
  for await (const part of decode(bytes)) {
    size += part.length
    if (size > maxDocument)
      throw new Error('The JSON document is larger than 64 MB. Write one object per line instead.')
    parts.push(part)
  }
  const document = parseJson(parts.join(''), 'The file')
  const rows = (path?.split('.') ?? []).reduce<unknown>((value, key) => fieldOf(value, key), document)
  if (!Array.isArray(rows)) {
    const problem = path === undefined ? 'is not an array of objects' : `has no array at ${path}`
    throw new Error(`The JSON document ${problem}.`)
  }
  for (const [index, row] of rows.entries()) yield { number: index + 1, cells: cellsOf(row, index + 1) }
}

async function* readObjects(bytes: Bytes): AsyncGenerator<SourceRow> {
  let number = 0
  for await (const line of readLines(decode(bytes))) {
    number += 1
    if (line.length > maxLine) throw new Error(`Line ${number} is longer than 4 MB.`)
    if (line.trim() !== '') yield { number, cells: cellsOf(parseJson(line, `Line ${number}`), number) }
  }
}

export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${place} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(key) : undefined

function cellsOf(row: unknown, number: number): ReadonlyMap<string, string> {
  if (typeof row !== 'object' || row === null || Array.isArray(row)) throw new Error(`Row ${number} is not an object.`)
  const cells = new Map<string, string>()
  addCells(cells, row, '', 0)
  if (cells.size <= maxFields) return cells
  throw new Error(`Row ${number} has more than ${maxFields} fields.`)
}

/** Fields of nested objects get names such as `title.fr`. A list of texts becomes one cell. */
function addCells(cells: Map<string, string>, value: object, prefix: string, depth: number): void {
  for (const [key, field] of Object.entries(value)) {
    if (cells.size > maxFields) return
    const name = `${prefix}${key}`
    const isObject = typeof field === 'object' && field !== null
    const isList = Array.isArray(field) && field.every((item) => typeof item !== 'object')
    if (isObject && !isList && depth < maxDepth) addCells(cells, field, `${name}.`, depth + 1)
    else if (isList) cells.set(name, joinList(field.map(String)))
    else cells.set(name, isObject ? JSON.stringify(field) : String(field ?? ''))
  }
}
