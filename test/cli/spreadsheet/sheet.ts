// Exports and imports spreadsheets of a test database in process.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createOperations, type Operations } from '../../../src/tools/operations.ts'
import { type CsvOptions, formatCsvRow } from '../../../src/tools/spreadsheets/csv.ts'
import { exportRows } from '../../../src/tools/spreadsheets/export-rows.ts'
import { importRows, type RowImportOptions, type RowImportReport } from '../../../src/tools/spreadsheets/import-rows.ts'
import { type SheetKindName, sheetKinds } from '../../../src/tools/spreadsheets/kinds.ts'
import { createColumnMapping } from '../../../src/tools/spreadsheets/mapping.ts'
import { createCsvSource, createJsonSource, withImportFile } from '../../../src/tools/spreadsheets/source.ts'
import { now, type TestApp } from '../../helpers/app.ts'
import { makeUser } from '../../helpers/users.ts'

type Mapping = Parameters<typeof createColumnMapping>[0]

interface SheetOptions extends Partial<Omit<RowImportOptions, 'mapping'>> {
  readonly kind?: SheetKindName
  readonly mapping?: Mapping
  readonly csv?: CsvOptions
  readonly login?: string
}

interface Selection {
  readonly languages?: readonly string[]
  readonly filter?: Readonly<Record<string, unknown>>
}

export interface Sheets {
  readonly operations: Operations
  exportCsv(kind?: SheetKindName, selection?: Selection, delimiter?: string): Promise<string>
  exportJson(kind?: SheetKindName, selection?: Selection, ndjson?: true): Promise<string>
  importCsv(content: string | Uint8Array, options?: SheetOptions): Promise<RowImportReport>
  importJson(content: string | Uint8Array, options?: SheetOptions): Promise<RowImportReport>
  close(): void
}

/** The commands of spreadsheets, run by an administrator. */
export async function openSheets(app: TestApp): Promise<Sheets> {
  const { login } = await makeUser(app.db, 'administrator')
  const session = { ...app, now: () => now }
  const operations = await createOperations(session, { author: { login } })
  const { execute } = operations
  const folder = mkdtempSync(join(tmpdir(), 'calendar-sheets-'))
  const file = join(folder, 'rows')
  const exported = async (kind: SheetKindName, selection: Selection, format: Parameters<typeof exportRows>[3]) => {
    const texts: string[] = []
    const all = { languages: app.settings.languages, filter: {}, ...selection }
    await exportRows(sheetKinds[kind], execute, all, format, async (text) => texts.push(text))
    return texts.join('')
  }
  const run = async (content: string | Uint8Array, options: SheetOptions, isCsv: boolean) => {
    const { kind = 'events', mapping, csv = {}, login: other, ...rest } = options
    writeFileSync(file, content)
    const source = (path: string, size: number) =>
      isCsv ? createCsvSource(path, size, csv) : createJsonSource(path, size, mapping?.rows)
    const all: RowImportOptions = {
      language: app.settings.defaultLanguage,
      mapping: createColumnMapping(mapping ?? {}, mapping !== undefined),
      dryRun: false,
      continueAfterErrors: false,
      createMissing: false,
      onProgress: () => {},
      ...rest,
    }
    const actor = other === undefined ? operations : await createOperations(session, { author: { login: other } })
    return withImportFile(file, process.stdin, (path, size) =>
      importRows(source(path, size), sheetKinds[kind], actor, all),
    )
  }
  return {
    operations,
    exportCsv: (kind = 'events', selection = {}, delimiter = ',') => exported(kind, selection, { delimiter }),
    exportJson: (kind = 'events', selection = {}, ndjson = undefined) =>
      exported(kind, selection, { ...(ndjson && { ndjson }) }),
    importCsv: (content, options = {}) => run(content, options, true),
    importJson: (content, options = {}) => run(content, options, false),
    close: () => rmSync(folder, { recursive: true }),
  }
}

/** A CSV file of these rows, the headings first. */
export const csvOf = (...rows: readonly (readonly string[])[]): string =>
  rows.map((row) => formatCsvRow(row, ',')).join('')
