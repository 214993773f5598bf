// Runs the commands that import spreadsheets.
import { settings } from '../../basics/env.ts'
import { withOperations } from '../operations.ts'
import { print, printError } from '../print.ts'
import { createProgress } from '../progress.ts'
import type { ImportFlags } from './flags.ts'
import { type ImportReport, type ImportSource, importRows } from './import-rows.ts'
import { sheetKinds } from './kinds.ts'
import { readMapping } from './mapping.ts'
import { checkLanguage } from './rows.ts'
import { csvSource, jsonSource, withFile } from './source.ts'

export const importCsv = (
  file: string,
  options: ImportFlags & { readonly delimiter?: string; readonly encoding?: string },
) => runImport(file, options, (path, size) => csvSource(path, size, options))

export const importJson = (file: string, options: ImportFlags) =>
  runImport(file, options, (path, size, rows) => jsonSource(path, size, rows))

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
  const { lines, errors } = linesOf(report)
  print(flags, report, lines)
  if (report.errors.length > 0) process.exitCode = 1
  if (!flags.json) for (const line of errors) printError(line)
}

function linesOf(report: ImportReport) {
  const { created, updated, unchanged, failed, dryRun, written, ignoredColumns } = report
  const changes = report.changes.map(({ row, action, id, columns }) =>
    [`Row ${row}: ${action}`, ...(id === undefined ? [] : [id]), `(${columns.join(', ')})`].join(' '),
  )
  const notes = report.notes.map(({ row, rows, column, message }) => {
    return `Column ${column} of ${rows === 1 ? `row ${row}` : `${rows} rows, first row ${row},`} is not imported. ${message}`
  })
  const ignored = ignoredColumns.length === 0 ? [] : [`Columns that are not imported: ${ignoredColumns.join(', ')}`]
  const verb = written ? '' : 'would be '
  const counts = `${created} ${verb}created, ${updated} ${verb}updated, ${unchanged} unchanged`
  const errors = report.errors.map(({ row, column, message }) =>
    column === undefined ? `Row ${row}: ${message}` : `Row ${row}, column ${column}: ${message}`,
  )
  if (failed > 0) {
    const advice = written
      ? ' The others were imported.'
      : ' Nothing was written. Correct them, or add --continue to import the other rows.'
    errors.push(`${failed} of ${report.rows} rows have errors.${dryRun ? '' : advice}`)
  }
  return { lines: [...(dryRun ? changes : []), ...notes, ...ignored, counts], errors }
}
