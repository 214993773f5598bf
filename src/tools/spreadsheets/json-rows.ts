// Reads rows from JSON: an array of objects, or one object per line (NDJSON).

import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { joinList } from './cells.ts'
import { decodeText } from './encoding.ts'

/** A row with its position in the file, from 1. */
export interface JsonRow {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
}

/** Characters of a JSON document, which is read as a whole. NDJSON has no such limit. */
const maxDocument = 64_000_000

const maxLine = 4_000_000
/** Of a row: nested lists have many. */
const maxFields = 5000
const maxDepth = 6

/** Yields the objects of a document. `path` is where they are in the document, such as `events`. */
export async function* readJsonRows(open: () => Readable, path: string | undefined): AsyncGenerator<JsonRow> {
  const isDocument = path !== undefined || (await firstCharacter(open())) === '['
  yield* isDocument ? readDocument(open(), path) : readLines(open())
}

const decode = (stream: Readable) => decodeText(stream, undefined, () => 'Save it as UTF-8.')

async function firstCharacter(stream: Readable): Promise<string> {
  for await (const part of decode(stream)) {
    const text = part.trimStart()
    if (text !== '') return text.charAt(0)
  }
  return ''
}

async function* readDocument(stream: Readable, path: string | undefined): AsyncGenerator<JsonRow> {
  const parts: string[] = []
  let size = 0
  for await (const part of decode(stream)) {
    size += part.length
    if (size > maxDocument)
      throw new Error('The JSON document is larger than 64 MB. Write one object per line instead.')
    parts.push(part)
  }
  const document = parseJson(parts.join(''), 'The file')
  const rows = (path?.split('.') ?? []).reduce<unknown>((value, key) => fieldOf(value, key), document)
  if (!Array.isArray(rows)) {
    throw new Error(
      path === undefined
        ? 'The JSON document is not an array of objects.'
        : `The JSON document has no array at ${path}.`,
    )
  }
  for (const [index, row] of rows.entries()) yield { number: index + 1, cells: cellsOf(row, index + 1) }
}

async function* readLines(stream: Readable): AsyncGenerator<JsonRow> {
  let number = 0
  const input = Readable.from(decode(stream))
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1
    if (line.length > maxLine) throw new Error(`Line ${number} is longer than 4 MB.`)
    const text = line.trim()
    if (text !== '') yield { number, cells: cellsOf(parseJson(text, `Line ${number}`), number) }
  }
}

function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error(`${place} is not JSON: ${(cause as Error).message}`, { cause })
  }
}

const fieldOf = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null ? Object.entries(value).find(([name]) => name === key)?.[1] : undefined

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
    if (Array.isArray(field) && field.every((item) => typeof item !== 'object'))
      cells.set(name, joinList(field.map(String)))
    else if (typeof field === 'object' && field !== null && depth < maxDepth)
      addCells(cells, field, `${name}.`, depth + 1)
    else if (typeof field === 'object' && field !== null) cells.set(name, JSON.stringify(field))
    else cells.set(name, field === null || field === undefined ? '' : String(field))
  }
}
