// Reads the start and end of an event, which may be in several columns: in ISO 8601, in the formats of a mapping file, or as
// people write them.
import type { Settings } from '../../basics/env.ts'
import {
  addDays,
  dateToWallClock,
  endOfDay,
  isZone,
  startOfDay,
  toExactWallClock,
  toInstant,
} from '../../basics/time.ts'
import type { SheetEventFragment } from '../../generated/graphql/graphql.ts'
import { CellError, parseBoolean, shorten } from './cells.ts'
import { instantOf, scheduleColumnNames } from './event-columns.ts'
import { addCellProblem, type Problem, type SheetRow } from './rows.ts'
import { findDate, findTime, formatClock, normalizeCell, parseMonth, splitDateTime } from './written-dates.ts'

const iso =
  /^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)(?:[T ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:\.\d+)?)?)?(?<offset>Z|[+-]\d\d:?\d\d)?$/

export type DateReader = ReturnType<typeof createDateReader>

/** Returns a function that parses dates and times. `formats`: formats of a mapping file, such as `dd/mm/yyyy hh:mm`. */
export function createDateReader(formats: readonly string[]) {
  const patterns = [...formats.map(patternOf), iso]
  return (cell: string, zone: string) => {
    const byPattern = (text: string) => {
      const groups = patterns.map((pattern) => pattern.exec(text)?.groups).find((found) => found !== undefined)
      return groups && existing(cell, groups, zone)
    }
    const text = cell.trim().replace(/^['’]/, '')
    const local = byPattern(text) ?? serialTime(text)
    if (local) return local
    const plain = normalizeCell(cell.slice(0, 100))
    const { date = plain, time } = splitDateTime(plain) ?? {}
    const clock = time === undefined ? undefined : findTime(time)
    if (time !== undefined && clock === undefined)
      throw new CellError(`"${shorten(cell)}" has a time that does not exist. Write it like 18:00.`)
    const written = byPattern(date) ?? dateOf(cell, date)
    if (!written || (written.time !== undefined && clock !== undefined)) throw unreadable(cell, formats)
    return { date: written.date, time: written.time ?? clock }
  }
}

/** Parses the number of days since 30 December 1899, as which spreadsheet programs store dates. Only from 1982 to 2119. */
function serialTime(text: string) {
  if (!/^[3-7]\d{4}(?:[.,]\d+)?$/.test(text)) return undefined
  const seconds = Math.round(Number(text.replace(',', '.')) * 86_400)
  const [date = '', time] = dateToWallClock(new Date(Date.UTC(1899, 11, 30) + seconds * 1000)).split('T')
  return { date, time: /[.,]/.test(text) ? time : undefined }
}

function dateOf(cell: string, text: string) {
  const date = findDate(text)
  if (date === 'ambiguous') {
    throw new CellError(`"${shorten(cell)}" can mean different days. Write 2027-01-31T18:00, ${advice}.`)
  }
  if (!date) return undefined
  const { year, month, day, weekday } = date
  const local = existing(cell, { year, month, day })
  if (weekday === undefined || new Date(`${local.date}T00:00:00Z`).getUTCDay() === weekday) return local
  throw new CellError(`"${shorten(cell)}" names another day of the week than that of its date.`)
}

const advice = 'or set "dates" in a mapping file, for example to "dd/mm/yyyy hh:mm"'

const unreadable = (cell: string, formats: readonly string[]): CellError =>
  new CellError(
    formats.length > 0
      ? `"${shorten(cell)}" is not a date in the format ${formats.join(' or ')}.`
      : `"${shorten(cell)}" is not a date such as 2027-01-31T18:00. Write it like this, ${advice}.`,
  )

/** Returns `HH:MM:SS` for a time of day such as 18:00, 6:30 p.m. or 20h30, or for a fraction of a day such as 0.75. */
function parseTime(cell: string): string {
  const text = normalizeCell(cell)
  const isPart = /^0?[.,]\d+$/.test(text)
  if (isPart && /^\d[.]([0-5]\d)$/.test(text)) {
    throw new CellError(`"${shorten(cell)}" can mean a time or a part of a day. Write it like 18:00.`)
  }
  const part = isPart ? serialTime(`46000${text.replace(/^0/, '')}`)?.time : undefined
  const time = part ?? findTime(text)
  if (time !== undefined) return time
  throw new CellError(`"${shorten(cell)}" is not a time such as 18:00.`)
}

/** Returns the minutes of a duration such as 90 or 1:30. */
function parseDuration(cell: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4}):)?(\d{1,5})$/.exec(normalizeCell(cell)) ?? []
  if (minutes !== undefined) return Number(hours ?? 0) * 60 + Number(minutes)
  throw new CellError(`"${shorten(cell)}" is not a duration in minutes such as 90, or as hours:minutes such as 1:30.`)
}

/**
 * Returns date and time from the groups of a match. Converts a time with a UTC offset to local time in `zone`, and keeps an offset
 * if the local time occurs twice.
 */
function existing(cell: string, groups: Readonly<Record<string, string | undefined>>, zone = 'UTC') {
  const { year = `20${groups.shortYear}`, monthName, day, hour, offset } = groups
  const month = monthName === undefined ? groups.month : parseMonth(monthName)
  const date = [year, month, day].map((part = '') => part.padStart(2, '0')).join('-')
  const time = hour === undefined ? undefined : formatClock(groups)
  const midnight = new Date(`${date}T00:00:00Z`)
  const instant = new Date(`${date}T${time ?? '00:00:00'}${offset ?? 'Z'}`)
  // Date moves days such as 31 February to the next month.
  const isDate = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date) && year !== '0000'
  if (!isDate || Number.isNaN(instant.getTime()) || (hour !== undefined && time === undefined)) {
    throw new CellError(`"${shorten(cell)}" is not a date that exists.`)
  }
  if (offset === undefined) return { date, time }
  const [localDate = '', localTime] = toExactWallClock(instant, zone).split('T')
  return { date: localDate, time: localTime }
}

const tokens: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<shortYear>\\d{2})',
  mmm: '(?<monthName>\\p{L}+\\.?)',
  mm: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  hh: '(?<hour>\\d{1,2})',
  ss: '(?<second>\\d{2})',
  am: '(?<half>[AaPp])\\.?\\s?[Mm]\\.?',
}

/** Converts a format to a pattern. `mm` after the hour means minutes. Throws if year, month or day is missing. */
function patternOf(format: string): RegExp {
  let last = ''
  const source = format.toLowerCase().replace(/yyyy|yy|m{1,4}|dd?|hh?|ss|am|[\^$.*+?()[\]{}|/]|\s+/g, (token) => {
    const isMinute = token === 'mm' && last.startsWith('h')
    if (/[a-z]/.test(token)) last = token
    if (isMinute) return '(?<minute>\\d{2})'
    const usual = /^[mdh]$/.test(token) ? token.repeat(2) : token.replace('mmmm', 'mmm')
    return tokens[usual] ?? (/\s/.test(token) ? '\\s+' : `\\${token}`)
  })
  const countOf = (names: string) => source.match(new RegExp(`<(?:${names})>`, 'g'))?.length ?? 0
  if (
    ['year|shortYear', 'month|monthName', 'day'].some((names) => countOf(names) !== 1) ||
    ['hour', 'minute', 'second', 'half'].some((name) => countOf(name) > 1)
  ) {
    const parts = 'yyyy, mm and dd, and of hh, mm and ss for a time'
    throw new Error(`The date format "${shorten(format)}" must consist of ${parts}.`)
  }
  return new RegExp(`^${source}$`, 'iu')
}

/** Whether the problem is about a column with the start or end of an event. */
export const isScheduleProblem = ({ column = '' }: Problem): boolean =>
  scheduleColumnNames.has(column) || column === 'start' || column === 'end'

interface ScheduleSettings extends Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff'> {
  readonly readDate: DateReader
}

/** Sets `start` and `end` of the row to local times, computed from separate dates and times if the row has them. */
export function computeStartAndEnd(
  row: SheetRow,
  stored: Pick<SheetEventFragment, 'timeZone' | 'allDay'> | undefined,
  { siteTimeZone, endOfDayCutoff, readDate }: ScheduleSettings,
): void {
  const { cells, problems } = row
  const text = (column: string) => cells.get(column)?.trim() || undefined
  const attempt = <Result>(column: string, work: () => Result): Result | undefined => {
    try {
      return work()
    } catch (error) {
      return void addCellProblem(row, column, error)
    }
  }
  const written = cells.has('time_zone') ? text('time_zone') : stored?.timeZone
  const zone = written !== undefined && isZone(written) ? written : siteTimeZone
  const allDayCell = cells.get('all_day')
  const allDay =
    allDayCell === undefined ? stored?.allDay === true : attempt('all_day', () => parseBoolean(allDayCell)) === true
  const edge = (name: 'start' | 'end', fallbackDate?: string): string | undefined => {
    const [dateTime, date, time] = [text(name), text(`${name}_date`), text(`${name}_time`)]
    return attempt(dateTime === undefined && date !== undefined ? `${name}_date` : name, () => {
      const cell = dateTime ?? date ?? (time === undefined ? undefined : fallbackDate)
      if (cell === undefined) return undefined
      const read = cell === fallbackDate ? { date: cell, time: undefined } : readDate(cell, zone)
      const timeOfDay =
        dateTime === undefined && time !== undefined ? attempt(`${name}_time`, () => parseTime(time)) : undefined
      const clock = timeOfDay ?? read.time
      if (clock !== undefined) return `${read.date}T${clock}`
      if (allDay) return name === 'start' ? startOfDay(read.date, endOfDayCutoff) : endOfDay(read.date, endOfDayCutoff)
      if (time !== undefined) return undefined
      throw new CellError(`"${shorten(cell)}" has no time. Write 2027-01-31T18:00, or set all_day to true.`)
    })
  }
  const hadProblems = problems.length
  const start = edge('start')
  const end = edge('end', start?.slice(0, 10))
  const isFailed = problems.length > hadProblems
  const computed = end ?? attempt('duration', () => endAfter(start, text('duration'), zone))
  const onlyDay = allDay && start !== undefined ? endOfDay(start.slice(0, 10), endOfDayCutoff) : undefined
  const last = computed ?? (stored === undefined ? onlyDay : undefined)
  // An end time without a date that is before the start time is on the next day.
  const isTimeAlone = text('end') === undefined && text('end_date') === undefined && text('end_time') !== undefined
  const isNextDay = isTimeAlone && start !== undefined && last !== undefined && last < start
  if (start !== undefined) cells.set('start', start)
  if (last !== undefined) cells.set('end', isNextDay ? addDays(last, 1) : last)
  for (const column of [...(isFailed ? ['start', 'end'] : []), ...scheduleColumnNames]) cells.delete(column)
}

function endAfter(start: string | undefined, duration: string | undefined, zone: string): string | undefined {
  const minutes = duration === undefined ? undefined : parseDuration(duration)
  if (start === undefined || minutes === undefined) return undefined
  const instant = instantOf(start) ?? toInstant(start, zone)
  return toExactWallClock(new Date(instant.getTime() + minutes * 60_000), zone)
}
