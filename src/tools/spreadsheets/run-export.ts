// Runs the commands that export spreadsheets.
import { settings } from '../../basics/env.ts'
import { DomainError } from '../../basics/errors.ts'
import { withOperations } from '../operations.ts'
import { type Output, print } from '../print.ts'
import { writeToFile, writeToStream } from '../write-text.ts'
import { csvRows, type ExportOptions, jsonRows } from './export-rows.ts'
import { type SheetKindName, sheetKinds } from './kinds.ts'
import { checkLanguage } from './rows.ts'

/** The fields of the filter by the options that set them. */
const linkFilters = { category: 'categories', tag: 'tags', venue: 'venues', organizer: 'organizers' } as const

export interface ExportFlags extends Output, Readonly<Partial<Record<keyof typeof linkFilters, string>>> {
  readonly kind: SheetKindName
  readonly language?: string
  readonly file: string
  readonly from?: string
  readonly to?: string
  readonly search?: string
}

type CsvFlags = ExportFlags & { readonly delimiter: string; readonly bom?: true }
type JsonFlags = ExportFlags & { readonly ndjson?: true }

export async function runExport(flags: CsvFlags | JsonFlags): Promise<void> {
  const { kind, file } = flags
  const current = settings()
  const languages = flags.language?.split(',').map((language) => checkLanguage(language, current)) ?? current.languages
  const selection = { languages: [...new Set(languages)], filter: filterOf(flags) }
  const toStdout = file === '-'
  const rows = await withOperations(current, {}, ({ execute }) => {
    const writeRows = async (write: (text: string) => Promise<unknown>) => {
      const parts =
        'delimiter' in flags
          ? csvRows(sheetKinds[kind], execute, selection, flags)
          : jsonRows(sheetKinds[kind], execute, selection, flags)
      let count = 0
      for await (const { text, rows } of parts) {
        await write(text)
        count += rows
      }
      return count
    }
    return (toStdout ? writeToStream(process.stdout, writeRows) : writeToFile(file, writeRows)).catch(withOption)
  })
  const summary = `${toStdout ? 'stdout' : file}: ${rows} ${rows === 1 ? sheetKinds[kind].record : kind}`
  print(flags, { file, kind, rows }, [summary], toStdout)
}

/** Throws the error again, with the option that it is about. */
function withOption(error: unknown): never {
  if (!(error instanceof DomainError)) throw error
  const fields = error.problems.flatMap(({ path }) => path)
  const [link] = Object.entries(linkFilters).filter(([, field]) => fields.includes(field))
  const option = fields.includes('between') ? '--from and --to' : link && `--${link[0]}`
  throw option === undefined ? error : new Error(`${option}: ${error.message}`, { cause: error })
}

/** Throws for a filter that the kind does not have. */
function filterOf(flags: ExportFlags): ExportOptions['filter'] {
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
