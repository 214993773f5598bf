// Local dates and times in cells: ISO 8601, or the formats of a mapping.
import { toWallClock } from '../../time.ts'
import { CellError, short } from './cells.ts'

const iso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?(Z|[+-]\d\d:?\d\d)?$/

interface LocalTime {
  /** `YYYY-MM-DD` */
  readonly date: string
  /** `HH:MM:SS`; undefined for a date alone. */
  readonly time: string | undefined
}

/** Reads local dates and times, in `formats` such as `dd/mm/yyyy hh:mm` or by default in ISO 8601. */
export function createDateReader(formats: readonly string[]): (cell: string, zone: string) => LocalTime {
  const patterns = formats.map(patternOf)
  return (cell, zone) => {
    const text = cell.trim()
    for (const pattern of patterns) {
      const found = pattern.exec(text)?.groups
      if (found) return checked(cell, partsOf(found))
    }
    const found = iso.exec(text)
    if (!found) throw unreadable(cell, formats)
    const [, year = '', month = '', day = '', hour, minute = '00', second = '00', offset] = found
    const local = checked(cell, { year, month, day, hour, minute, second })
    if (offset === undefined) return local
    const instant = new Date(`${local.date}T${local.time}${offset}`)
    if (Number.isNaN(instant.getTime())) throw unreadable(cell, formats)
    const [date = '', time] = toWallClock(instant, zone).split('T')
    return { date, time }
  }
}

function unreadable(cell: string, formats: readonly string[]): CellError {
  const text = short(cell)
  if (formats.length > 0) return new CellError(`"${text}" is not a date in the format ${formats.join(' or ')}.`)
  const advice = 'or set "dates" in a mapping file, for example to "dd/mm/yyyy hh:mm"'
  return /^\d{1,2}[./-]\d{1,2}[./-]\d{2,4}/.test(cell.trim())
    ? new CellError(`"${text}" can mean different days. Write 2027-01-31T18:00, ${advice}.`)
    : new CellError(`"${text}" is not a date such as 2027-01-31T18:00. Write it like this, ${advice}.`)
}

/** A time of day such as 18:00 or 6:30 pm, as `HH:MM:SS`. */
export function parseTime(cell: string): string {
  const [, hour, minute = '00', second = '00', half] =
    /^(\d{1,2})(?:[:.hH](\d\d)?)?(?::(\d\d))?\s*([ap]m)?$/i.exec(cell.trim()) ?? []
  const hours = hour === undefined ? Number.NaN : hourOf(hour, half)
  if (hours <= 23 && Number(minute) <= 59 && Number(second) <= 59) return `${two(hours)}:${minute}:${second}`
  throw new CellError(`"${short(cell)}" is not a time such as 18:00.`)
}

/** Minutes of a duration such as 90 or 1:30. */
export function parseDuration(cell: string): number {
  const [, hours, minutes] = /^(?:(\d{1,4}):)?(\d{1,5})$/.exec(cell.trim()) ?? []
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
  const { year = '', shortYear, month = '', day = '', hour, minute = '00', second = '00', half } = groups
  return {
    year: shortYear === undefined ? year : `20${shortYear}`,
    month: two(Number(month)),
    day: two(Number(day)),
    hour: hour === undefined ? undefined : two(hourOf(hour, half)),
    minute,
    second,
  }
}

const hourOf = (hour: string, half: string | undefined): number =>
  half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)

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
  mm: '(?<month>\\d{1,2})',
  m: '(?<month>\\d{1,2})',
  dd: '(?<day>\\d{1,2})',
  d: '(?<day>\\d{1,2})',
  hh: '(?<hour>\\d{1,2})',
  h: '(?<hour>\\d{1,2})',
  ss: '(?<second>\\d{2})',
  am: '(?<half>[AaPp][Mm])',
}

/** `mm` after the hour stands for minutes. Throws for a format without year, month or day. */
function patternOf(format: string): RegExp {
  let hasHour = false
  const source = format.toLowerCase().replace(/yyyy|yy|mm?|dd?|hh?|ss|am|[\\^$.*+?()[\]{}|]|\s+/g, (token) => {
    if (token.startsWith('h')) hasHour = true
    if (token === 'mm' && hasHour) return '(?<minute>\\d{2})'
    return tokens[token] ?? (/\s/.test(token) ? '\\s+' : `\\${token}`)
  })
  const parts = [/<(year|shortYear)>/, /<month>/, /<day>/]
  const counts = parts.map((part) => source.match(new RegExp(part, 'g'))?.length ?? 0)
  if (counts.some((count) => count !== 1) || (source.match(/<hour>/g)?.length ?? 0) > 1) {
    throw new Error(
      `The date format "${short(format)}" must consist of yyyy, mm and dd, and of hh, mm and ss for a time.`,
    )
  }
  return new RegExp(`^${source}$`)
}
