// Opens the file of an import: CSV, a JSON array of objects, or one object per line (NDJSON).
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readBytesUpTo } from '../fetch-url.ts'
import { readLines } from '../lines.ts'
import { joinItems } from './cells.ts'
import { type CsvOptions, readCsv } from './csv.ts'
import { decodeText } from './encoding.ts'

const maxFileBytes = 1_000_000_000

/** Runs `work` with the path and size of a file. For `-`, copies stdin to a temporary file, because imports read it twice. */
export async function withImportFile<Result>(
  file: string,
  stdin: Readable,
  work: (file: string, size: number) => Promise<Result>,
): Promise<Result> {
  if (file !== '-') return work(file, await sizeOf(file))
  const folder = await mkdtemp(join(tmpdir(), 'calendar-import-'))
  try {
    const copy = join(folder, 'stdin')
    const limited = counted(stdin, (bytes) => {
      if (bytes > maxFileBytes) throw tooLarge()
    })
    await pipeline(limited, createWriteStream(copy, { mode: 0o600 }))
    return await work(copy, await sizeOf(copy))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const tooLarge = () => new Error('The file is larger than 1 GB. Split it into smaller files.')

async function sizeOf(file: string): Promise<number> {
  const stats = await stat(file).catch(() => undefined)
  if (!stats) throw new Error(`The file ${file} does not exist.`)
  if (!stats.isFile()) throw new Error(`${file} is not a file.`)
  if (stats.size > maxFileBytes) throw tooLarge()
  return stats.size
}

/** Yields the chunks of a stream. `onBytes` is called with the number of bytes up to the end of each chunk. */
async function* counted(stream: Readable, onBytes: (bytes: number) => void): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    onBytes(bytes)
    yield chunk
  }
}

export interface ImportSource {
  readonly size: number
  /** Yields the rows. `onProgress` gets the number of bytes read; `checkHeadings` gets the first row of a CSV file. */
  rows(
    onProgress: (bytes: number) => void,
    checkHeadings: (headings: readonly string[]) => void,
  ): AsyncIterable<SourceRow>
}

export const createJsonSource = (file: string, size: number, path: string | undefined): ImportSource => ({
  size,
  rows: (onProgress) => readJsonRows(() => counted(createReadStream(file), onProgress), path),
})

export const createCsvSource = (file: string, size: number, options: CsvOptions): ImportSource => ({
  size,
  rows: async function* (onProgress, checkHeadings) {
    let names: readonly string[] | undefined
    for await (const { number, cells } of readCsv(counted(createReadStream(file), onProgress), options)) {
      if (!names) {
        names = namesOf(cells)
        checkHeadings(names)
        continue
      }
      const width = names.length
      if (cells.length < width || cells.slice(width).some((cell) => cell !== '')) {
        throw new Error(
          `Row ${number} has ${cells.length} cells, but the first row has ${width}. Check its quotes and delimiters.`,
        )
      }
      const named = names.map((name, index) => [name, cells[index] ?? ''] as const)
      yield { number, cells: new Map(named.filter(([name]) => name !== '')) }
    }
    if (!names) throw new Error('The file is empty. Its first row must contain the names of the columns.')
  },
})

/** Removes empty names at the end of the first row: some programs write delimiters after the last column. */
function namesOf(cells: readonly string[]): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  return names.slice(0, names.findLastIndex((name) => name !== '') + 1)
}

/** A row of a file, with its number in the file. */
export interface SourceRow {
  readonly number: number
  readonly cells: ReadonlyMap<string, string>
}

/** Maximum size of a JSON document, which is read as a whole. NDJSON has no such limit. */
const maxDocumentBytes = 64_000_000

const maxLine = 4_000_000
/** Maximum number of fields of a row, counting the fields of nested objects and lists. */
const maxFields = 5000
const maxDepth = 6

type Bytes = AsyncIterable<Uint8Array>

/** Yields the objects of a JSON document or NDJSON. `path`: the path of the array in the document, such as `events`. */
async function* readJsonRows(open: () => Bytes, path: string | undefined): AsyncGenerator<SourceRow> {
  const isDocument = path !== undefined || (await firstCharacter(open())) === '['
  yield* isDocument ? readDocument(open(), path) : readObjects(open())
}

const decode = (bytes: Bytes) => decodeText(bytes, undefined, () => 'Save it as UTF-8.')

async function firstCharacter(bytes: Bytes): Promise<string> {
  for await (const part of decode(bytes)) if (part.trim() !== '') return part.trimStart().charAt(0)
  return ''
}

async function* readDocument(bytes: Bytes, path: string | undefined): AsyncGenerator<SourceRow> {
  const content = await readBytesUpTo(bytes, maxDocumentBytes)
  if (!content) throw new Error('The JSON document is larger than 64 MB. Write one object per line instead.')
  const parts = await Array.fromAsync(decode(Readable.from([content])))
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

/** Adds the fields of an object as cells. Nested fields get names such as `title.fr`; a list of texts becomes one cell. */
function addCells(cells: Map<string, string>, value: object, prefix: string, depth: number): void {
  for (const [key, field] of Object.entries(value)) {
    if (cells.size > maxFields) return
    const name = `${prefix}${key}`
    const isObject = typeof field === 'object' && field !== null
    const isList = Array.isArray(field) && field.every((item) => typeof item !== 'object')
    if (isObject && !isList && depth < maxDepth) addCells(cells, field, `${name}.`, depth + 1)
    else if (isList) cells.set(name, joinItems(field.map(String)))
    else cells.set(name, isObject ? JSON.stringify(field) : String(field ?? ''))
  }
}
