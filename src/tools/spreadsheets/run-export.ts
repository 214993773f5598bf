// Runs the commands that export spreadsheets.
import { settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import { type Operations, withOperations } from '../operations.ts'
import { print } from '../print.ts'
import { writeToFile, writeToStream } from '../write-text.ts'
import type { SheetKind } from './columns.ts'
import { csvRows, jsonRows } from './export-files.ts'
import type { ExportOptions } from './export-rows.ts'
import type { ExportFlags } from './flags.ts'
import { sheetKinds } from './kinds.ts'
import { checkLanguage } from './rows.ts'

export const exportCsv = (options: ExportFlags & { readonly delimiter: string; readonly bom?: true }) =>
  runExport(options, (kind, operations, selection) => csvRows(kind, operations.execute, selection, options))

export const exportJson = (options: ExportFlags & { readonly ndjson?: true }) =>
  runExport(options, (kind, operations, selection) => jsonRows(kind, operations.execute, selection, options))

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
    return (toStdout ? writeToStream(process.stdout, writeRows) : writeToFile(file, writeRows)).catch(withOption)
  })
  print(
    flags,
    { file, kind, rows },
    [`${toStdout ? 'stdout' : file}: ${rows} ${rows === 1 ? sheetKinds[kind].record : kind}`],
    toStdout,
  )
}

const optionsByFilter: Readonly<Record<string, string>> = {
  between: '--from and --to',
  categories: '--category',
  tags: '--tag',
  venues: '--venue',
  organizers: '--organizer',
}

/** Throws the error again, with the option that it is about. */
function withOption(error: unknown): never {
  const names = error instanceof DomainError ? error.problems.flatMap(({ path }) => path) : []
  const option = names.flatMap((name) => optionsByFilter[name] ?? [])[0]
  if (option === undefined || !(error instanceof DomainError)) throw error
  throw new Error(`${option}: ${error.message}`, { cause: error })
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
