// Turns the rows of a file into rows with the columns of the import.
import { addDays, dateWallClock, endOfDay, startOfDay, wallClockDate } from '../../basics/time.ts'
import { CellError, isFormulaError, parseBoolean, short } from './cells.ts'
import type { SheetKind, TextField } from './columns.ts'
import { type createDateReader, parseDuration, parseTime } from './dates.ts'
import { customKeyOf } from './event-columns.ts'
import type { Mapping } from './mapping.ts'

/** What is wrong with a cell, or with the row if `column` is undefined. */
export interface Problem {
  readonly column: string | undefined
  readonly message: string
}

/** A row whose cells have names of columns of the import; texts have their language, as in `title:fr`. */
export interface SheetRow {
  readonly number: number
  readonly cells: Map<string, string>
  /** The language of texts without one. */
  readonly language: string
  readonly problems: Problem[]
}

interface Languages {
  readonly languages: readonly string[]
  /** Of texts without a language. */
  readonly language: string
}

/** Columns that are no field of a record, or that other columns are computed from. */
const specialColumns: ReadonlySet<string> = new Set(['id', 'language', 'modified'])
const scheduleParts: ReadonlySet<string> = new Set(['start_date', 'start_time', 'end_date', 'end_time', 'duration'])

/** The text fields by their columns. The name of an event is its title. */
export const textColumnsOf = ({ texts, name }: SheetKind): ReadonlyMap<string, TextField> =>
  new Map(texts.map((field) => [field === 'name' ? name : field, field]))

export interface RowReader {
  /** Names of columns of the file that are not imported. */
  readonly ignored: ReadonlySet<string>
  /** Throws for a file with unknown columns, unless it has a mapping. */
  checkHeadings(headings: readonly string[]): void
  read(number: number, source: ReadonlyMap<string, string>): SheetRow
}

export function createRowReader(kind: SheetKind, mapping: Mapping, languages: Languages): RowReader {
  const texts = textColumnsOf(kind)
  const columnNames = new Set(kind.columns.map(({ name }) => name))
  const ignored = new Set<string>()
  const isKnown = (column: string): boolean => {
    if (columnNames.has(column) || specialColumns.has(column)) return true
    if (kind.record === 'event' && (scheduleParts.has(column) || customKeyOf(column))) return true
    const [text = '', language, ...rest] = column.split(':')
    return texts.has(text) && rest.length === 0 && (language === undefined || languages.languages.includes(language))
  }
  const checkTarget = (column: string, place: string): string => {
    if (isKnown(column)) return column
    throw new Error(`${place} names the unknown column ${short(column)}. ${advice(column, kind, languages)}`)
  }
  const targetsOf = (column: string): readonly string[] => {
    const mapped = mapping.targets(column)
    if (mapped) return mapped.map((target) => checkTarget(target, 'The mapping file'))
    if (isKnown(column)) return [column]
    if (column !== '') ignored.add(column)
    return []
  }
  for (const column of mapping.constants.keys()) checkTarget(column, 'The mapping file')
  const checkHeadings = (headings: readonly string[]) => {
    const unknown = headings.filter((column) => column !== '' && targetsOf(column).length === 0)
    const [first] = unknown.filter((column) => mapping.targets(column) === undefined)
    if (first !== undefined && !mapping.isForeign) {
      throw new Error(`The file has the unknown column ${short(first)}. ${advice(first, kind, languages)}`)
    }
    const targets = headings.flatMap(targetsOf)
    const twice = headings.find((column, index) => column !== '' && headings.indexOf(column) !== index)
    if (twice !== undefined) throw new Error(`The file has the column ${short(twice)} twice. Remove one of them.`)
    if (targets.length === 0) throw new Error('The file has none of the columns of the import in its first row.')
  }
  const read = (number: number, source: ReadonlyMap<string, string>): SheetRow => {
    const joined = new Map<string, string>()
    const problems: Problem[] = []
    for (const [column, cell] of source) {
      if (isFormulaError(cell) && targetsOf(column).length > 0) {
        problems.push({
          column,
          message: `"${cell.trim()}" is the error of a formula. Correct the formula, or write a value.`,
        })
      }
      if (!mapping.isForeign && !isKnown(column)) {
        problems.push({ column, message: `The import has no such column. ${advice(column, kind, languages)}` })
      }
      for (const target of targetsOf(column)) {
        const before = joined.get(target)
        joined.set(target, before === undefined ? cell : [before, cell].filter((part) => part.trim() !== '').join(' '))
      }
    }
    const cells = new Map([...joined].map(([column, cell]) => [column, mapping.translate(column, cell)]))
    for (const [column, value] of mapping.constants) cells.set(column, value)
    return withLanguage(number, cells, texts, languages, problems)
  }
  return { ignored, checkHeadings, read }
}

function advice(column: string, kind: SheetKind, { languages }: Languages): string {
  const [text = '', language] = column.split(':')
  if (textColumnsOf(kind).has(text) && language !== undefined) return `The languages are ${languages.join(', ')}.`
  const names = ['id', ...textColumnsOf(kind).keys(), ...kind.columns.map(({ name }) => name)]
  return `The columns are ${names.join(', ')}. Rename it, remove it, or map it with --mapping.`
}

/** Adds the language of the row to the columns of its texts. */
function withLanguage(
  number: number,
  source: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, TextField>,
  { languages, language: byDefault }: Languages,
  problems: Problem[],
): SheetRow {
  const own = source.get('language')?.trim().toLowerCase() || byDefault
  const isKnown = languages.includes(own)
  if (!isKnown) {
    problems.push({
      column: 'language',
      message: `"${short(own)}" is not one of the languages ${languages.join(', ')}.`,
    })
  }
  const language = isKnown ? own : byDefault
  const cells = new Map<string, string>()
  for (const [column, cell] of source) {
    if (column === 'language') continue
    const target = texts.has(column) ? `${column}:${language}` : column
    if (target !== column && source.has(target)) {
      problems.push({ column, message: `The row has the column ${target}, too. Remove one of them.` })
    }
    cells.set(target, cell)
  }
  return { number, cells, language, problems }
}

/** Whether the problem is about the start or the end of an event. */
export const isAboutSchedule = ({ column = '' }: Problem): boolean =>
  scheduleParts.has(column) || column === 'start' || column === 'end'

interface Schedule {
  readonly zone: string
  /** Whether the stored event takes whole days. */
  readonly wasAllDay: boolean | undefined
  readonly endOfDayCutoff: string
  readonly readDate: ReturnType<typeof createDateReader>
}

/** Replaces the start and end of the row by local times, computed from separate dates and times if it has them. */
export function completeSchedule(row: SheetRow, { zone, wasAllDay, endOfDayCutoff, readDate }: Schedule): void {
  const { cells, problems } = row
  const text = (column: string) => cells.get(column)?.trim() || undefined
  const attempt = <Result>(column: string, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof CellError)) throw error
      problems.push({ column, message: error.message })
      return undefined
    }
  }
  const allDayCell = text('all_day')
  const allDay =
    allDayCell === undefined
      ? !cells.has('all_day') && wasAllDay === true
      : attempt('all_day', () => parseBoolean(allDayCell)) === 'true'
  const edge = (name: 'start' | 'end', fallbackDate?: string): string | undefined => {
    const [column, dateColumn, timeColumn] = [name, `${name}_date`, `${name}_time`] as const
    const [dateTime, date, time] = [text(column), text(dateColumn), text(timeColumn)]
    const used = dateTime === undefined && date !== undefined ? dateColumn : column
    return attempt(used, () => {
      const cell = dateTime ?? date ?? (time === undefined ? undefined : fallbackDate)
      if (cell === undefined) return undefined
      const read = cell === fallbackDate ? { date: fallbackDate, time: undefined } : readDate(cell, zone)
      const timeOfDay =
        dateTime === undefined && time !== undefined ? attempt(timeColumn, () => parseTime(time)) : undefined
      const clock = timeOfDay ?? read.time
      if (clock !== undefined) return `${read.date}T${clock}`
      if (allDay) return name === 'start' ? startOfDay(read.date, endOfDayCutoff) : endOfDay(read.date, endOfDayCutoff)
      if (time !== undefined) return undefined
      throw new CellError(`"${short(cell)}" has no time. Write 2027-01-31T18:00, or set all_day to true.`)
    })
  }
  const hadProblems = problems.length
  const start = edge('start')
  const end = edge('end', start?.slice(0, 10))
  const isFailed = problems.length > hadProblems
  if (start !== undefined) cells.set('start', start)
  const computed = end ?? attempt('duration', () => endAfter(start, text('duration')))
  const onlyDay = allDay && start !== undefined ? endOfDay(start.slice(0, 10), endOfDayCutoff) : undefined
  const last = computed ?? (wasAllDay === undefined ? onlyDay : undefined)
  // A time alone that is before the start is on the next day.
  const isTimeAlone = text('end') === undefined && text('end_date') === undefined && text('end_time') !== undefined
  const isNextDay = isTimeAlone && start !== undefined && last !== undefined && last < start
  if (last !== undefined) cells.set('end', isNextDay ? addDays(last, 1) : last)
  if (isFailed) for (const column of ['start', 'end']) cells.delete(column)
  for (const column of scheduleParts) cells.delete(column)
}

function endAfter(start: string | undefined, duration: string | undefined): string | undefined {
  const minutes = duration === undefined ? undefined : parseDuration(duration)
  if (start === undefined || minutes === undefined) return undefined
  return dateWallClock(new Date(wallClockDate(start).getTime() + minutes * 60_000))
}

/** A language of the site. Throws for another. */
export function checkLanguage(text: string, { languages }: Pick<Languages, 'languages'>): string {
  const language = text.trim().toLowerCase()
  if (languages.includes(language)) return language
  throw new Error(`"${short(text)}" is not one of the languages ${languages.join(', ')} (setting LANGUAGES).`)
}
