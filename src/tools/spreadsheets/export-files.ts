// The text of exported files.
import type { ExecuteOperation } from '../operations.ts'
import type { SheetKind } from './columns.ts'
import { formatCsvRow } from './csv.ts'
import { type ExportOptions, exportColumns, exportRecords, jsonValue } from './export-rows.ts'

/** A part of the file, with the number of its records. */
interface Part {
  readonly text: string
  readonly rows: number
}

export async function* csvRows(
  kind: SheetKind,
  execute: ExecuteOperation,
  options: ExportOptions,
  { delimiter, bom }: { readonly delimiter: string; readonly bom?: true },
): AsyncGenerator<Part> {
  const columns = await exportColumns(kind, execute, options)
  const headings = columns.map(({ name }) => name)
  yield { text: `${bom ? '\uFEFF' : ''}${formatCsvRow(headings, delimiter)}`, rows: 0 }
  for await (const record of exportRecords(kind, execute, options)) {
    const cells = columns.map(({ type, read }) => (type === 'number' ? { number: read(record) } : read(record)))
    yield { text: formatCsvRow(cells, delimiter), rows: 1 }
  }
}

export async function* jsonRows(
  kind: SheetKind,
  execute: ExecuteOperation,
  options: ExportOptions,
  { ndjson }: { readonly ndjson?: true },
): AsyncGenerator<Part> {
  const columns = await exportColumns(kind, execute, options)
  const [start, separator, end] = ndjson ? ['', '\n', '\n'] : ['[\n', ',\n', '\n]\n']
  let isFirst = true
  for await (const record of exportRecords(kind, execute, options)) {
    const row = Object.fromEntries(columns.map(({ name, type, read }) => [name, jsonValue(read(record), type)]))
    yield { text: `${isFirst ? start : separator}${JSON.stringify(row)}`, rows: 1 }
    isFirst = false
  }
  yield { text: isFirst ? (ndjson ? '' : '[]\n') : end, rows: 0 }
}
