// Reads and writes CSV files as spreadsheet programs do.
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { decodeText } from './encoding.ts'

export interface CsvOptions {
  /** By default that of the first bytes, else UTF-8. */
  readonly encoding?: string | undefined
  /** By default the most frequent of comma, semicolon and tab in the first line. */
  readonly delimiter?: string | undefined
}

const maxRecordLength = 2_000_000
const maxColumns = 500

/** Yields the rows, the headings first, with their numbers in spreadsheet programs. Throws if the file is not CSV. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, options: CsvOptions) {
  const text = decodeText(bytes, options.encoding)
  const start = await firstLine(text)
  const declared = /^sep=(.)\r?\n/i.exec(start)
  const delimiter = options.delimiter ?? declared?.[1] ?? delimiterOf(start.trimStart())
  const content = async function* () {
    yield start.slice(declared?.[0].length ?? 0)
    yield* text
  }
  const parser = parse({ delimiter, relax_column_count: true, max_record_size: maxRecordLength })
  let number = 0
  try {
    for await (const record of pipeline(content, parser, () => {}) as AsyncIterable<string[]>) {
      number += 1
      if (record.length > maxColumns) throw new Error(`Row ${number} has more than ${maxColumns} columns.`)
      if (record.some((cell) => cell !== '')) yield { number, cells: record.map(unescapeFormula) }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    const place = `Row ${number + 1} is not CSV with the delimiter ${JSON.stringify(delimiter)}`
    throw new Error(`${place}: ${cause.message}`, { cause })
  }
}

/** A value of the type that a cell contains; numbers are not formulas. */
export type CellValue = string | { readonly number: string }

export const formatCsvRow = (cells: readonly CellValue[], delimiter: string): string =>
  stringify([cells.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell.number))], {
    delimiter,
    record_delimiter: '\r\n',
    // Spreadsheet programs take these for the end of a line even where the parser does not.
    quoted_match: /[\r\n]|^\s|\s$/,
  })

// Spreadsheet programs run such cells as formulas, which can send data to other sites. An apostrophe makes the cell text.
// Cells that have apostrophes already get one more, so that reading restores every text.
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

const unescapeFormula = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

/** The text up to the end of the first line or more. */
async function firstLine(text: AsyncGenerator<string>): Promise<string> {
  let start = ''
  while (!start.trimStart().includes('\n') && start.length < maxRecordLength) {
    const { value, done } = await text.next()
    if (done) break
    start += value
  }
  return start
}

function delimiterOf(start: string): string {
  const [line = ''] = start.replace(/"(?:[^"]|"")*"/g, '').split(/\r?\n/, 1)
  const delimiters = [',', ';', '\t'] as const
  const countOf = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce<string>((best, next) => (countOf(next) > countOf(best) ? next : best), ',')
}
