// Writes records as rows of a spreadsheet, and runs the export commands.
import { settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import { SheetCustomFieldsDocument } from '../../generated/graphql/graphql.ts'
import { logExport } from '../command-source.ts'
import { type ExecuteOperation, type MutationInput, readAllNodes, withOperations } from '../operations.ts'
import { type OutputOptions, print } from '../print.ts'
import { type WriteText, writeOutput } from '../write-text.ts'
import { type Column, type SheetRecord, textOf } from './columns.ts'
import { formatCsvRow } from './csv.ts'
import { customFieldColumn } from './event-columns.ts'
import { type SheetKind, type SheetKindName, sheetKinds } from './kinds.ts'
import { parseSiteLanguage } from './rows.ts'

type ExportedColumn = Pick<Column<SheetRecord>, 'name' | 'type' | 'read'>

interface Selection {
  /** The languages of the texts. If there are several, columns are named like `title:fr`. */
  readonly languages: readonly string[]
  readonly filter: MutationInput
}

type CsvFormat = { readonly delimiter: string; readonly bom?: true }
type Format = CsvFormat | { readonly ndjson?: true }

/** Number of records per GraphQL request, whose texts must fit into one response. */
const pageSize = 40

/** Writes the records of one kind. Returns their number. */
export async function exportRows(
  kind: SheetKind,
  execute: ExecuteOperation,
  selection: Selection,
  format: Format,
  write: WriteText,
): Promise<number> {
  const columns = await exportColumns(kind, execute, selection)
  const { start, separator, end, empty, rowOf } = writerOf(columns, format)
  let count = 0
  const { filter, languages } = selection
  // Names of linked records are in the only language of the file, or else in the default language.
  const [language] = languages.length === 1 ? languages : []
  const options = { forEditing: true, ...(language !== undefined && { language }) }
  for await (const record of readAllNodes((after) => kind.page(execute, { first: pageSize, after, filter }, options))) {
    await write(`${count === 0 ? start : separator}${rowOf(record)}`)
    count += 1
  }
  await write(count === 0 ? empty : end)
  return count
}

/** Returns the text before, between and after the rows, the text of an export without rows, and a function for a row. */
function writerOf(columns: readonly ExportedColumn[], format: Format) {
  if ('delimiter' in format) {
    const { delimiter, bom } = format
    const cells = columns.map(({ name }) => name)
    const headings = `${bom ? '\uFEFF' : ''}${formatCsvRow(cells, delimiter)}`
    const cellOf = (record: SheetRecord) => (column: ExportedColumn) =>
      column.type === 'number' ? { number: column.read(record) } : column.read(record)
    const rowOf = (record: SheetRecord) => formatCsvRow(columns.map(cellOf(record)), delimiter)
    return { start: headings, separator: '', end: '', empty: headings, rowOf }
  }
  const rowOf = (record: SheetRecord) =>
    JSON.stringify(Object.fromEntries(columns.map(({ name, type, read }) => [name, jsonValue(read(record), type)])))
  return format.ndjson
    ? { start: '', separator: '\n', end: '\n', empty: '', rowOf }
    : { start: '[\n', separator: ',\n', end: '\n]\n', empty: '[]\n', rowOf }
}

function jsonValue(text: string, type: ExportedColumn['type']): string | number | boolean | null {
  if (type === 'boolean') return text === 'true'
  if (type === 'number') return text === '' ? null : Number(text)
  return text
}

/** Returns the columns. For events, reads which custom fields the selected events have. */
async function exportColumns(
  kind: SheetKind,
  execute: ExecuteOperation,
  { languages, filter }: Selection,
): Promise<ExportedColumn[]> {
  const [only] = languages.length === 1 ? languages : []
  const texts = [...kind.texts].flatMap(([name, field]) =>
    languages.map((language) => ({
      name: only === undefined ? `${name}:${language}` : name,
      read: (record: SheetRecord) => textOf(record, language, field),
    })),
  )
  const keys = new Set<string>()
  if (kind.record === 'event') {
    const pageOf = async (after: string | null) =>
      (await execute(SheetCustomFieldsDocument, { first: pageSize, filter, after }, { forEditing: true })).page
    for await (const { customFields } of readAllNodes(pageOf)) for (const { key } of customFields) keys.add(key)
  }
  return [
    { name: 'id', type: 'number', read: ({ id }) => String(id) },
    ...(only === undefined ? [] : [{ name: 'language', read: () => only }]),
    ...texts,
    ...kind.columns,
    ...[...keys].sort().map((key) => customFieldColumn(key) as ExportedColumn),
    { name: 'modified', read: ({ modifiedAt }) => modifiedAt.toISOString() },
  ]
}

/** Filter fields by command line option. */
const linkFilters = { category: 'categories', tag: 'tags', venue: 'venues', organizer: 'organizers' } as const

export interface ExportFlags extends OutputOptions, Readonly<Partial<Record<keyof typeof linkFilters, string>>> {
  readonly kind: SheetKindName
  readonly language?: string
  readonly file: string
  readonly from?: string
  readonly to?: string
  readonly search?: string
}

export async function runExportCommand(flags: ExportFlags & Format): Promise<void> {
  const { kind, file } = flags
  const current = settings()
  const languages =
    flags.language?.split(',').map((language) => parseSiteLanguage(language, current)) ?? current.languages
  const selection = { languages: [...new Set(languages)], filter: filterOf(flags) }
  const toStdout = file === '-'
  const rows = await withOperations(current, {}, async ({ execute, session }) => {
    await logExport(session, { kind, ...selection })
    const writeRows = (write: WriteText) => exportRows(sheetKinds[kind], execute, selection, flags, write)
    return writeOutput(file, writeRows).catch(withOption)
  })
  const summary = `${toStdout ? 'stdout' : file}: ${rows} ${rows === 1 ? sheetKinds[kind].record : kind}`
  print(flags, { file, kind, rows }, [summary], toStdout)
}

/** Rethrows an error about a filter field with the command line option in its message. */
function withOption(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const fields = error.problems.flatMap(({ path }) => path)
  const [link] = Object.entries(linkFilters).filter(([, field]) => fields.includes(field))
  const option = fields.includes('between') ? '--from and --to' : link && `--${link[0]}`
  throw option === undefined ? error : new Error(`${option}: ${error.message}`, { cause: error })
}

/** Returns the filter for the options. Throws if an option does not apply to the kind. */
function filterOf(flags: ExportFlags): MutationInput {
  const { kind, from, to, search } = flags
  const links = Object.entries(linkFilters).flatMap(([option, field]) => {
    const value = flags[option as keyof typeof linkFilters]
    return value === undefined ? [] : [{ option, filter: { [field]: [value], mustExist: true } }]
  })
  const [unusable] = [from && 'from', to && 'to', ...links.map(({ option }) => option)].filter((option) => option)
  if (kind !== 'events' && unusable) throw new Error(`--${unusable} selects events. Remove it, or --kind ${kind}.`)
  return {
    ...(search !== undefined && { search }),
    ...((from ?? to) !== undefined && { between: { from, to, match: 'OVERLAPPING' } }),
    ...Object.assign({}, ...links.map(({ filter }) => filter)),
  }
}
