// Writes records as rows of a spreadsheet.

import { languageOfCode } from '../../basics/language.ts'
import { SheetCustomFieldsDocument } from '../../generated/graphql/graphql.ts'
import type { MutationInput } from '../mutations.ts'
import { allNodes, type ExecuteOperation } from '../operations.ts'
import type { Column, SheetKind, SheetRecord } from './columns.ts'
import { formatCsvRow } from './csv.ts'
import { customColumn } from './event-columns.ts'

type ExportedColumn = Pick<Column<SheetRecord>, 'name' | 'type' | 'read'>

export interface ExportOptions {
  /** The languages of the texts. With one, the columns of texts have no language in their names. */
  readonly languages: readonly string[]
  readonly filter: MutationInput
}

/** A part of the file, with the number of its records. */
interface Part {
  readonly text: string
  readonly rows: number
}

/** Records per page: their texts must fit into one response. */
const pageSize = 40

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

/** The value of a cell in JSON: text, or null for an empty number. */
function jsonValue(text: string, type: ExportedColumn['type']): string | number | boolean | null {
  if (type === 'boolean') return text === 'true'
  if (type === 'number') return text === '' ? null : Number(text)
  return text
}

/** The columns of the export. Reads the custom fields of all events that the filter selects. */
async function exportColumns(
  kind: SheetKind,
  execute: ExecuteOperation,
  { languages, filter }: ExportOptions,
): Promise<ExportedColumn[]> {
  const [only] = languages.length === 1 ? languages : []
  const texts = [...kind.texts].flatMap(([name, field]) =>
    languages.map((language) => ({
      name: only === undefined ? `${name}:${language}` : name,
      read: ({ translations }: SheetRecord) =>
        translations.find((text) => languageOfCode(text.language) === language)?.[field] ?? '',
    })),
  )
  const keys = new Set<string>()
  if (kind.record === 'event') {
    const variables = { first: pageSize, filter }
    const events = allNodes(
      async (after) => (await execute(SheetCustomFieldsDocument, { ...variables, after }, { forEditing: true })).page,
    )
    for await (const { customFields } of events) for (const { key } of customFields) keys.add(key)
  }
  return [
    { name: 'id', type: 'number', read: ({ id }) => String(id) },
    ...(only === undefined ? [] : [{ name: 'language', read: () => only }]),
    ...texts,
    ...kind.columns,
    ...[...keys].sort().map((key) => customColumn(key) as ExportedColumn),
    ...(kind.isPost
      ? [{ name: 'modified', read: ({ modifiedAt }: SheetRecord) => modifiedAt?.toISOString() ?? '' }]
      : []),
  ]
}

/** Yields all records that the filter selects. */
const exportRecords = (
  kind: SheetKind,
  execute: ExecuteOperation,
  { languages: [language, ...others], filter }: ExportOptions,
): AsyncGenerator<SheetRecord> =>
  allNodes((after) => {
    // Names of linked records are in the language of the file, or in the default language.
    const options = { forEditing: true, ...(others.length === 0 && language !== undefined && { language }) }
    return kind.page(execute, { first: pageSize, after, filter }, options)
  })
