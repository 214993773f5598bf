// Reads and writes CSV files that spreadsheet programs can write and read.
import { pipeline } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { stringify } from 'csv-stringify/sync'
import { decodeText } from './encoding.ts'

export interface CsvOptions {
  /** Default: the encoding of the byte order mark, or else UTF-8. */
  readonly encoding?: string | undefined
  /** Default: the most frequent of comma, semicolon and tab in the first line. */
  readonly delimiter?: string | undefined
}

const maxRecordLength = 2_000_000
const maxColumns = 500

/** Yields the rows with their numbers in spreadsheet programs. The first row has the headings. Throws for invalid CSV. */
export async function* readCsv(bytes: AsyncIterable<Uint8Array>, options: CsvOptions) {
  const text = decodeText(bytes, options.encoding)
  const start = await firstLine(text)
  const declared = /^sep=(.)(?:\r\n?|\n)/i.exec(start)
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

/** A text, which is escaped if a program would run it as a formula, or a number, which is written unchanged. */
export type CsvCell = string | { readonly number: string }

export const formatCsvRow = (cells: readonly CsvCell[], delimiter: string): string =>
  stringify([cells.map((cell) => (typeof cell === 'string' ? escapeFormula(cell) : cell.number))], {
    delimiter,
    record_delimiter: '\r\n',
    // Quotes cells with CR or LF, each of which ends a row in spreadsheet programs.
    quoted_match: /[\r\n]|^\s|\s$/,
  })

// Spreadsheet programs run such cells as formulas, which can send data to other sites. An apostrophe makes a cell text.
// Cells that start with apostrophes already get one more, so that an import restores the original text.
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

const escapeFormula = (cell: string): string => (formula.test(cell) ? `'${cell}` : cell)

const unescapeFormula = (cell: string): string => (cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell)

/** Reads at least the first line. Returns all text that was read. */
async function firstLine(text: AsyncGenerator<string>): Promise<string> {
  let start = ''
  while (!/[\r\n]/.test(start.trimStart()) && start.length < maxRecordLength) {
    const { value, done } = await text.next()
    if (done) break
    start += value
  }
  return start
}

function delimiterOf(start: string): string {
  const [line = ''] = start.replace(/"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)
  const delimiters = [',', ';', '\t'] as const
  const countOf = (delimiter: string) => line.split(delimiter).length
  return delimiters.reduce<string>((best, next) => (countOf(next) > countOf(best) ? next : best), ',')
}
