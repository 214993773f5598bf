// Runs the commands that import spreadsheets.
import { settings } from '../../basics/env.ts'
import { withOperations } from '../operations.ts'
import { type Output, print, printError } from '../print.ts'
import { createProgress } from '../progress.ts'
import { describeReport } from './import-report.ts'
import { importRows } from './import-rows.ts'
import { type SheetKindName, sheetKinds } from './kinds.ts'
import { readMapping } from './mapping.ts'
import { checkLanguage } from './rows.ts'
import { csvSource, jsonSource, withFile } from './source.ts'

export interface ImportFlags extends Output {
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

export async function runImport(format: 'csv' | 'json', file: string, flags: ImportFlags): Promise<void> {
  const current = settings()
  const { as: login, dryRun = false, continue: continueAfterErrors = false, createMissing = false } = flags
  const language = flags.language === undefined ? current.defaultLanguage : checkLanguage(flags.language, current)
  const mapping = await readMapping(flags.mapping)
  const progress = createProgress()
  const options = { language, mapping, dryRun, continueAfterErrors, createMissing, onProgress: progress.show }
  const report = await withFile(file, process.stdin, (path, size) =>
    withOperations(current, { author: { login } }, (operations) => {
      const source = format === 'csv' ? csvSource(path, size, flags) : jsonSource(path, size, mapping.rows)
      return importRows(source, sheetKinds[flags.kind], operations, options)
    }),
  ).finally(() => progress.end())
  const { lines, errors } = describeReport(report)
  print(flags, report, lines)
  if (report.errors.length > 0) process.exitCode = 1
  if (!flags.json) for (const line of errors) printError(line)
}
