// Runs the commands that import spreadsheets.
import { settings } from '../../basics/env.ts'
import { withOperations } from '../operations.ts'
import { type OutputOptions, print, printError } from '../print.ts'
import { createProgressBar } from '../progress.ts'
import { importRows, type RowImportReport } from './import-rows.ts'
import { type SheetKindName, sheetKinds } from './kinds.ts'
import { readColumnMapping } from './mapping.ts'
import { parseSiteLanguage } from './rows.ts'
import { createCsvSource, createJsonSource, withImportFile } from './source.ts'

export interface ImportFlags extends OutputOptions {
  readonly kind: SheetKindName
  readonly language?: string
  readonly mapping?: string
  readonly as?: string
  readonly dryRun?: true
  readonly continue?: true
  readonly createMissing?: true
  readonly delimiter?: string
  readonly encoding?: string
}

export async function runImportCommand(format: 'csv' | 'json', file: string, flags: ImportFlags): Promise<void> {
  const current = settings()
  const { as: login, dryRun = false, continue: continueAfterErrors = false, createMissing = false } = flags
  const language = flags.language === undefined ? current.defaultLanguage : parseSiteLanguage(flags.language, current)
  const mapping = await readColumnMapping(flags.mapping)
  const progress = createProgressBar()
  const options = { language, mapping, dryRun, continueAfterErrors, createMissing, onProgress: progress.show }
  const report = await withImportFile(file, process.stdin, (path, size) =>
    withOperations(current, { author: { login } }, (operations) => {
      const source = format === 'csv' ? createCsvSource(path, size, flags) : createJsonSource(path, size, mapping.rows)
      return importRows(source, sheetKinds[flags.kind], operations, options)
    }),
  ).finally(() => progress.end())
  const { lines, errors } = describeReport(report)
  print(flags, report, lines)
  if (report.errors.length > 0) process.exitCode = 1
  if (!flags.json) for (const line of errors) printError(line)
}

function describeReport(report: RowImportReport) {
  const { created, updated, unchanged, failed, dryRun, written, ignoredColumns } = report
  const changes = report.changes.map(({ row, action, id, columns }) =>
    [`Row ${row}: ${action}`, ...(id === undefined ? [] : [id]), `(${columns.join(', ')})`].join(' '),
  )
  const notes = report.notes.map(({ row, rows, column, message }) => {
    const where = rows === 1 ? `row ${row}` : `${rows} rows, first row ${row},`
    return `Column ${column} of ${where} is not imported. ${message}`
  })
  const ignored = ignoredColumns.length === 0 ? [] : [`Columns that are not imported: ${ignoredColumns.join(', ')}`]
  const verb = written ? '' : 'would be '
  const counts = `${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} unchanged`
  const errors = report.errors.map(
    ({ row, column, message }) => `Row ${row}${column === undefined ? '' : `, column ${column}`}: ${message}`,
  )
  if (failed > 0) {
    const advice = written
      ? ' The others were imported.'
      : ' Nothing was written. Correct them, or add --continue to import the other rows.'
    errors.push(`${failed} of ${report.rows} rows have errors.${dryRun ? '' : advice}`)
  }
  return { lines: [...(dryRun ? changes : []), ...notes, ...ignored, counts], errors }
}
