import { parse } from 'csv-parse/browser/esm/sync'

export interface Row {
  /** Number of the row in the file, the headings being row 1. */
  readonly number: number
  readonly cells: readonly string[]
}

export interface Sheet {
  readonly headings: readonly string[]
  readonly rows: readonly Row[]
}

/** Each row is a request. Larger files are for the command. */
const maxRows = 2000
const maxBytes = 5_000_000

/** Why a file cannot be read: a key of the messages. */
export type SheetProblem = 'workbook' | 'noRows' | 'tooLarge' | 'unreadable'

/** Reads a file as UTF-8 or UTF-16; if it is neither, as Windows-1252, which Excel writes. */
export function decode(bytes: Uint8Array): string | SheetProblem {
  if (bytes.length > maxBytes) return 'tooLarge'
  const [first, second] = bytes
  // .xlsx and .ods files are archives (PK), .xls files begin with D0 CF.
  if ((first === 0x50 && second === 0x4b) || (first === 0xd0 && second === 0xcf)) return 'workbook'
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Reads the table in a text: a CSV file, or cells that were copied in a spreadsheet, which tabs separate. */
export function readSheet(text: string): Sheet | SheetProblem {
  const [firstLine = ''] = text.split('\n')
  const counts = [';', ',', '\t'].map((delimiter) => ({ delimiter, count: firstLine.split(delimiter).length }))
  const { delimiter } = counts.reduce((best, next) => (next.count > best.count ? next : best))
  const options = { delimiter, bom: true, relax_column_count: true, relax_quotes: true }
  let records: string[][]
  try {
    records = parse(text, options)
  } catch {
    return 'unreadable'
  }
  const [headings, ...others] = records
  const rows = others
    .map((cells, index) => ({ number: index + 2, cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (!headings || rows.length === 0) return 'noRows'
  return rows.length > maxRows ? 'tooLarge' : { headings: headings.map((heading) => heading.trim()), rows }
}
