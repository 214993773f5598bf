// Local dates and times in cells: ISO 8601, the formats of a mapping, or as people write them.
import { dateWallClock, toWallClock } from '../../basics/time.ts'
import { CellError, short } from './cells.ts'
import { hourOf, monthOf, plainCell, splitDateTime, writtenDate, writtenTime } from './written-dates.ts'

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/

interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** `HH:MM:SS`; undefined for a date alone. */
  readonly time: string | undefined
}

/** Reads local dates and times, in `formats` such as `dd/mm/yyyy hh:mm`, in ISO 8601, or written out. */
export function createDateReader(formats: readonly string[]): (cell: string, zone: string) => LocalTime {
  const patterns = formats.map(patternOf)
  const byPattern = (cell: string, text: string) => {
    for (const pattern of patterns) {
      const found = pattern.exec(text)?.groups
      if (found) return checked(cell, partsOf(found))
    }
    return undefined
  }
  return (cell, zone) => {
    const text = cell.trim().replace(/^['’]/, '')
    const local = byPattern(cell, text) ?? isoTime(cell, text, zone) ?? serialTime(text)
    if (local) return local
    const plain = plainCell(cell.slice(0, 100))
    const { date = plain, time } = splitDateTime(plain) ?? {}
    const clock = time === undefined ? undefined : writtenTime(time)
    if (time !== undefined && clock === undefined)
      throw new CellError(`"${short(cell)}" has a time that does not exist.`)
    const written = byPattern(cell, date) ?? dateOf(cell, date)
    if (!written || (written.time !== undefined && clock !== undefined)) throw unreadable(cell, formats)
    return { date: written.date, time: written.time ?? clock }
  }
}

function isoTime(cell: string, text: string, zone: string): LocalTime | undefined {
  const found = iso.exec(text)
  if (!found) return undefined
  const [, year = '', month = '', day = '', hour, minute = '00', second = '00', offset] = found
  const local = checked(cell, { year, month, day, hour, minute, second })
  if (offset === undefined) return local
  const instant = new Date(`${local.date}T${local.time}${offset}`)
  if (Number.isNaN(instant.getTime())) return undefined
  const [date = '', time] = toWallClock(instant, zone).split('T')
  return { date, time }
}

/** The days since 30 December 1899, by which spreadsheet programs store dates: of the years 1982 to 2119. */
function serialTime(text: string): LocalTime | undefined {
  if (!/^[3-7]\d{4}(?:[.,]\d+)?$/.test(text)) return undefined
  const seconds = Math.round(Number(text.replace(',', '.')) * 86_400)
  const [date = '', time] = dateWallClock(new Date(Date.UTC(1899, 11, 30) + seconds * 1000)).split('T')
  return { date, time: /[.,]/.test(text) ? time : undefined }
}

function dateOf(cell: string, text: string): LocalTime | undefined {
  const date = writtenDate(text)
  if (date === 'ambiguous') {
    throw new CellError(`"${short(cell)}" can mean different days. Write 2027-01-31T18:00, ${advice}.`)
  }
  if (!date) return undefined
  const { year, month, day, weekday } = date
  const parts = { year, month: two(Number(month)), day: two(Number(day)) }
  const local = checked(cell, { ...parts, hour: undefined, minute: '00', second: '00' })
  const isDay = weekday === undefined || new Date(`${local.date}T00:00:00Z`).getUTCDay() === weekday
  if (!isDay) throw new CellError(`"${short(cell)}" names another day of the week than that of its date.`)
  return local
}

const advice = 'or set "dates" in a mapping file, for example to "dd/mm/yyyy hh:mm"'

function unreadable(cell: string, formats: readonly string[]): CellError {
  const text = short(cell)
  return formats.length > 0
    ? new CellError(`"${text}" is not a date in the format ${formats.join(' or ')}.`)
    : new CellError(`"${text}" is not a date such as 2027-01-31T18:00. Write it like this, ${advice}.`)
}

/** A time of day such as 18:00, 6:30 p.m. or 20h30, or a part of a day such as 0.75, as `HH:MM:SS`. */
export function parseTime(cell: string): string {
  const text = plainCell(cell)
  const isPart = /^0?[.,]\d+$/.test(text)
  if (isPart && /^\d[.]([0-5]\d)$/.test(text)) {
    throw new CellError(`"${short(cell)}" can mean a time or a part of a day. Write it like 18:00.`)
  }
  const part = isPart ? serialTime(`46000${text.replace(/^0/, '')}`)?.time : undefined
  const time = part ?? writtenTime(text)
  if (time !== undefined) return time
  throw new CellError(`"${short(cell)}" is not a time such as 18:00.`)
}

/** Minutes of a duration such as 90 or 1:30. */
export function parseDuration(cell: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4}):)?(\d{1,5})$/.exec(plainCell(cell)) ?? []
  if (minutes !== undefined) return Number(hours ?? 0) * 60 + Number(minutes)
  throw new CellError(`"${short(cell)}" is not a duration in minutes such as 90, or in hours and minutes such as 1:30.`)
}

interface Parts {
  readonly year: string
  readonly month: string
  readonly day: string
  readonly hour: string | undefined
  readonly minute: string
  readonly second: string
}

function partsOf(groups: Readonly<Record<string, string | undefined>>): Parts {
  const { year = '', shortYear, monthName, day = '', hour, minute = '00', second = '00', half } = groups
  const month = monthName === undefined ? groups.month : monthOf(monthName)
  return {
    year: shortYear === undefined ? year : `20${shortYear}`,
    month: two(Number(month)),
    day: two(Number(day)),
    hour: hour === undefined ? undefined : two(hourOf(hour, half)),
    minute,
    second,
  }
}

const two = (number: number): string => String(number).padStart(2, '0')

function checked(cell: string, { year, month, day, hour, minute, second }: Parts): LocalTime {
  const date = `${year}-${month}-${day}`
  const instant = new Date(`${date}T${hour ?? '00'}:${minute}:${second}Z`)
  // The clock of JavaScript moves days such as 31 February to the next month.
  if (Number.isNaN(instant.getTime()) || instant.toISOString().slice(0, 10) !== date || year === '0000') {
    throw new CellError(`"${short(cell)}" is not a date that exists.`)
  }
  return { date, time: hour === undefined ? undefined : `${hour}:${minute}:${second}` }
}

const tokens: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  yy: '(?<shortYear>\\d{2})',
  mmmm: '(?<monthName>\\p{L}+\\.?)',
  mmm: '(?<monthName>\\p{L}+\\.?)',
  mm: '(?<month>\\d{1,2})',
  m: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
  hh: '(?<hour>\\d{1,2})',
  h: '(?<hour>\\d{1,2})',
  ss: '(?<second>\\d{2})',
  am: '(?<half>[AaPp])\\.?\\s?[Mm]\\.?',
}

/** `mm` right after the hour stands for minutes. Throws for a format without year, month or day. */
function patternOf(format: string): RegExp {
  let last = ''
  const source = format.toLowerCase().replace(/yyyy|yy|m{1,4}|dd?|hh?|ss|am|[\^$.*+?()[\]{}|/]|\s+/g, (token) => {
    const isMinute = token === 'mm' && last.startsWith('h')
    if (/[a-z]/.test(token)) last = token
    if (isMinute) return '(?<minute>\\d{2})'
    return tokens[token] ?? (/\s/.test(token) ? '\\s+' : `\\${token}`)
  })
  const parts = [/<(year|shortYear)>/, /<month(Name)?>/, /<day>/]
  const counts = parts.map((part) => source.match(new RegExp(part, 'g'))?.length ?? 0)
  if (
    counts.some((count) => count !== 1) ||
    ['hour', 'minute', 'second', 'half'].some((name) => source.split(`<${name}>`).length > 2)
  ) {
    throw new Error(
      `The date format "${short(format)}" must consist of yyyy, mm and dd, and of hh, mm and ss for a time.`,
    )
  }
  return new RegExp(`^${source}$`, 'iu')
}
