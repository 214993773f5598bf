// The commands that export content to spreadsheets and import it from them.
import { type Command, Option } from 'commander'
import { type Settings, settings } from '../../env.ts'
import { type Operations, withOperations } from '../operations.ts'
import { json, type Output, print } from '../print.ts'
import { createProgress } from '../progress.ts'
import { writeToFile, writeToStream } from '../write-text.ts'
import type { SheetKind } from './columns.ts'
import { checkDelimiter } from './csv.ts'
import { csvRows, jsonRows } from './export-files.ts'
import type { ExportOptions } from './export-rows.ts'
import { type ImportReport, type ImportSource, importRows } from './import-rows.ts'
import { type SheetKindName, sheetKinds } from './kinds.ts'
import { readMapping } from './mapping.ts'
import { csvSource, jsonSource, withFile } from './source.ts'

export function addSpreadsheetCommands(program: Command): void {
  addExportOptions(program.command('export-csv').description('export records to a CSV file for spreadsheet programs'))
    .option('--delimiter <character>', 'character between cells, or the word tab', checkDelimiter, ',')
    .option('--bom', 'start with a byte order mark, so that Excel recognizes UTF-8')
    .action((options: ExportFlags & { delimiter: string; bom?: true }) =>
      runExport(options, (kind, operations, selection) => csvRows(kind, operations.execute, selection, options)),
    )

  addExportOptions(program.command('export-json').description('export records to a JSON file with the same columns'))
    .option('--ndjson', 'write one object per line instead of an array')
    .action((options: ExportFlags & { ndjson?: true }) =>
      runExport(options, (kind, operations, selection) => jsonRows(kind, operations.execute, selection, options)),
    )

  addImportOptions(program.command('import-csv').description('create and update records from a CSV file'))
    .option('--delimiter <character>', 'character between cells, or the word tab (default: detected)', checkDelimiter)
    .addOption(
      new Option('--encoding <name>', 'encoding of the file (default: by its byte order mark, else utf-8)').choices([
        'utf-8',
        'utf-16le',
        'latin1',
      ]),
    )
    .action((file: string, options: ImportFlags & { delimiter?: string; encoding?: string }) =>
      runImport(file, options, (path, size) => csvSource(path, size, options)),
    )

  addImportOptions(
    program.command('import-json').description('create and update records from a JSON array or from NDJSON'),
  ).action((file: string, options: ImportFlags) =>
    runImport(file, options, (path, size, rows) => jsonSource(path, size, rows)),
  )
}

interface KindFlags extends Output {
  readonly kind: SheetKindName
  readonly language?: string
}

const kindOption = () =>
  new Option('--kind <kind>', 'kind of the records').choices(Object.keys(sheetKinds)).default('events')

interface ExportFlags extends KindFlags {
  readonly file: string
  readonly from?: string
  readonly to?: string
  readonly search?: string
  readonly category?: string
  readonly tag?: string
  readonly venue?: string
  readonly organizer?: string
}

const addExportOptions = (command: Command): Command =>
  command
    .addOption(kindOption())
    .option('--language <languages>', 'languages of the texts, separated by commas (default: all of the site)')
    .option('--from <day>', 'only events that take place on this day or later, such as 2027-01-31 or today')
    .option('--to <day>', 'only events that take place on this day or earlier')
    .option('--search <text>', 'only records with these words')
    .option('--category <category>', 'only events in this category or below it: slug, name or ID')
    .option('--tag <tag>', 'only events with this tag: slug, name or ID')
    .option('--venue <id>', 'only events at this venue')
    .option('--organizer <id>', 'only events of this organizer')
    .option('--file <file>', 'new file to write; - writes to stdout', '-')
    .option(...json)

interface ImportFlags extends KindFlags {
  readonly mapping?: string
  readonly as?: string
  readonly dryRun?: true
  readonly continue?: true
  readonly createMissing?: true
}

const addImportOptions = (command: Command): Command =>
  command
    .argument('<file>', 'file to read; - reads stdin')
    .addOption(kindOption())
    .option('--language <language>', 'language of texts whose columns name none (default: that of the site)')
    .option('--mapping <file>', 'JSON file that maps the columns and values of the file')
    .option('--as <login>', 'user who writes, with their rights (default: the oldest administrator)')
    .option('--create-missing', 'create venues, organizers, categories and tags of events that do not exist')
    .option('--dry-run', 'only list the changes')
    .option('--continue', 'write the valid rows if others have errors')
    .option(...json)

type WriteRows = (
  kind: SheetKind,
  operations: Operations,
  selection: ExportOptions,
) => AsyncIterable<{ readonly text: string; readonly rows: number }>

async function runExport(flags: ExportFlags, rowsOf: WriteRows): Promise<void> {
  const { kind, file } = flags
  const current = settings()
  const languages = flags.language?.split(',').map((language) => checkLanguage(language, current)) ?? current.languages
  const selection = { languages: [...new Set(languages)], filter: filterOf(flags) }
  const toStdout = file === '-'
  const rows = await withOperations(current, {}, (operations) => {
    const writeRows = async (write: (text: string) => Promise<unknown>) => {
      let count = 0
      for await (const { text, rows } of rowsOf(sheetKinds[kind], operations, selection)) {
        await write(text)
        count += rows
      }
      return count
    }
    return toStdout ? writeToStream(process.stdout, writeRows) : writeToFile(file, writeRows)
  })
  print(flags, { file, kind, rows }, [`${toStdout ? 'stdout' : file}: ${rows} ${kind}`], toStdout)
}

/** Throws for a filter that the kind does not have. */
function filterOf({ kind, from, to, search, category, tag, venue, organizer }: ExportFlags): ExportOptions['filter'] {
  const byEvent = { from, to, category, tag, venue, organizer }
  const [unusable] = Object.entries(byEvent).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  if (kind !== 'events' && unusable !== undefined)
    throw new Error(`--${unusable} selects events. Remove it, or --kind ${kind}.`)
  return {
    ...(search !== undefined && { search }),
    ...(kind === 'events' && {
      ...((from ?? to) !== undefined && { between: { from, to, match: 'OVERLAPPING' } }),
      ...(category !== undefined && { categories: [category], mustExist: true }),
      ...(tag !== undefined && { tags: [tag], mustExist: true }),
      ...(venue !== undefined && { venues: [venue], mustExist: true }),
      ...(organizer !== undefined && { organizers: [organizer], mustExist: true }),
    }),
  }
}

function checkLanguage(text: string, { languages }: Settings): string {
  const language = text.trim().toLowerCase()
  if (languages.includes(language)) return language
  throw new Error(`"${text}" is not one of the languages ${languages.join(', ')} (setting LANGUAGES).`)
}

type OpenSource = (file: string, size: number, rows: string | undefined) => ImportSource

async function runImport(file: string, flags: ImportFlags, open: OpenSource): Promise<void> {
  const current = settings()
  const language = flags.language === undefined ? current.defaultLanguage : checkLanguage(flags.language, current)
  const mapping = await readMapping(flags.mapping)
  const progress = createProgress()
  const { as: login, dryRun = false, continue: continueAfterErrors = false, createMissing = false } = flags
  const options = { language, mapping, dryRun, continueAfterErrors, createMissing, onProgress: progress.show }
  const report = await withFile(file, process.stdin, (path, size) =>
    withOperations(current, { author: { login } }, (operations) =>
      importRows(open(path, size, mapping.rows), sheetKinds[flags.kind], operations, options),
    ),
  ).finally(() => progress.end())
  const { lines, errors } = linesOf(report, flags)
  print(flags, report, lines)
  if (report.errors.length > 0) process.exitCode = 1
  if (!flags.json) for (const line of errors) console.error(line)
}

function linesOf(report: ImportReport, { continue: continueAfterErrors }: ImportFlags) {
  const { created, updated, unchanged, failed, dryRun, ignoredColumns } = report
  const isWritten = !dryRun && (failed === 0 || continueAfterErrors === true)
  const changes = isWritten
    ? []
    : report.changes.map(({ row, action, id, columns }) =>
        [`Row ${row}: ${action}`, ...(id === undefined ? [] : [id]), `(${columns.join(', ')})`].join(' '),
      )
  const notes = report.notes.map(({ row, rows, column, message }) => {
    return `Column ${column} of ${rows === 1 ? `row ${row}` : `${rows} rows, first row ${row},`} is not imported. ${message}`
  })
  const ignored = ignoredColumns.length === 0 ? [] : [`Columns that are not imported: ${ignoredColumns.join(', ')}`]
  const verb = isWritten ? '' : 'would be '
  const counts = `${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} unchanged`
  const errors = report.errors.map(({ row, column, message }) =>
    column === undefined ? `Row ${row}: ${message}` : `Row ${row}, column ${column}: ${message}`,
  )
  if (failed > 0) {
    const advice = isWritten ? '' : ' Nothing was written. Correct them, or add --continue to write the other rows.'
    errors.push(`${failed} of ${report.rows} rows have errors.${dryRun ? '' : advice}`)
  }
  return { lines: [...(dryRun ? changes : []), ...notes, ...ignored, counts], errors }
}
