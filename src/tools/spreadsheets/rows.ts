// Converts the rows of a file to rows with the columns of the import.
import { CellError, isFormulaError, shorten } from './cells.ts'
import { customFieldKeyOf, scheduleColumnNames } from './event-columns.ts'
import type { SheetKind } from './kinds.ts'
import type { ColumnMapping } from './mapping.ts'
import type { SourceRow } from './source.ts'

/** What is wrong with a cell, or with the row if `column` is undefined. */
export interface Problem {
  readonly column: string | undefined
  readonly message: string
}

/** A row with cells by import column. Names of text columns include the language, as in `title:fr`. */
export interface SheetRow {
  readonly number: number
  readonly cells: Map<string, string>
  /** The language of text columns without a language in their names. */
  readonly language: string
  readonly problems: Problem[]
}

/** Adds a CellError to the problems of the row. Rethrows any other error. */
export function addCellProblem(
  { problems }: Pick<SheetRow, 'problems'>,
  column: string | undefined,
  error: unknown,
): void {
  if (!(error instanceof CellError)) throw error
  problems.push({ column, message: error.message })
}

interface Languages {
  readonly languages: readonly string[]
  readonly language: string
}

/** Columns that set no field: they identify the record, its language, or its expected modification time. */
const specialColumns: ReadonlySet<string> = new Set(['id', 'language', 'modified'])

export function createRowReader(kind: SheetKind, mapping: ColumnMapping, languages: Languages) {
  const columnNames = new Set([...specialColumns, ...kind.columns.map(({ name }) => name)])
  /** Columns of the file that are not imported. */
  const ignored = new Set<string>()
  const isKnown = (column: string): boolean => {
    if (columnNames.has(column)) return true
    if (kind.record === 'event' && (scheduleColumnNames.has(column) || customFieldKeyOf(column))) return true
    const [text = '', language = languages.language, ...rest] = column.split(':')
    return kind.texts.has(text) && rest.length === 0 && languages.languages.includes(language)
  }
  const checkTarget = (column: string): string => {
    if (isKnown(column)) return column
    throw new Error(`The mapping file names the unknown column ${shorten(column)}. ${advice(column, kind, languages)}`)
  }
  const targetsOf = (column: string): readonly string[] => {
    const mapped = mapping.targets(column)
    if (mapped) return mapped.map(checkTarget)
    if (isKnown(column)) return [column]
    if (column !== '') ignored.add(column)
    return []
  }
  for (const column of mapping.constants.keys()) checkTarget(column)
  return {
    ignored,
    /** Throws if the file has unknown columns and no mapping file is given. */
    checkHeadings: (headings: readonly string[]): void => {
      const targets = headings.flatMap(targetsOf)
      const unknown = mapping.isForeign ? undefined : headings.find((column) => ignored.has(column))
      if (unknown !== undefined) {
        throw new Error(`The file has the unknown column ${shorten(unknown)}. ${advice(unknown, kind, languages)}`)
      }
      const twice = headings.find((column, index) => column !== '' && headings.indexOf(column) !== index)
      if (twice !== undefined) throw new Error(`The file has the column ${shorten(twice)} twice. Remove one of them.`)
      if (targets.length === 0) throw new Error('The file has none of the columns of the import in its first row.')
    },
    read: ({ number, cells: source }: SourceRow): SheetRow => {
      const joined = new Map<string, string>()
      const problems: Problem[] = []
      for (const [column, cell] of source) {
        const targets = targetsOf(column)
        if (isFormulaError(cell) && targets.length > 0) {
          const message = `"${cell.trim()}" is the error of a formula. Correct the formula, or write a value.`
          problems.push({ column, message })
        }
        if (!mapping.isForeign && !isKnown(column)) {
          problems.push({ column, message: `The import has no such column. ${advice(column, kind, languages)}` })
        }
        for (const target of targets) {
          const parts = [joined.get(target) ?? '', cell].filter((part) => part.trim() !== '')
          joined.set(target, joined.has(target) ? parts.join(' ') : cell)
        }
      }
      const translated = new Map([...joined].map(([column, cell]) => [column, mapping.translate(column, cell)]))
      for (const [column, value] of mapping.constants) translated.set(column, value)
      const own = translated.get('language')?.trim().toLowerCase() || languages.language
      const isKnownLanguage = languages.languages.includes(own)
      if (!isKnownLanguage) {
        const message = `"${shorten(own)}" is not one of the languages ${languages.languages.join(', ')}.`
        problems.push({ column: 'language', message })
      }
      const language = isKnownLanguage ? own : languages.language
      translated.delete('language')
      const cells = new Map<string, string>()
      for (const [column, cell] of translated) {
        const target = kind.texts.has(column) ? `${column}:${language}` : column
        if (target !== column && translated.has(target)) {
          problems.push({ column, message: `The row has the column ${target}, too. Remove one of them.` })
        }
        cells.set(target, cell)
      }
      return { number, cells, language, problems }
    },
  }
}

function advice(column: string, kind: SheetKind, { languages }: Languages): string {
  const [text = '', language] = column.split(':')
  if (kind.texts.has(text) && language !== undefined) return `The languages are ${languages.join(', ')}.`
  const names = ['id', ...kind.texts.keys(), ...kind.columns.map(({ name }) => name)]
  return `The columns are ${names.join(', ')}. Rename it, remove it, or map it with --mapping.`
}

/** Parses a language code. Throws if it is not a language of the site. */
export function parseSiteLanguage(text: string, { languages }: Pick<Languages, 'languages'>): string {
  const language = text.trim().toLowerCase()
  if (languages.includes(language)) return language
  throw new Error(`"${shorten(text)}" is not one of the languages ${languages.join(', ')} (setting LANGUAGES).`)
}
