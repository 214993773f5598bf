// The date formats that the REST API accepts (contract b.6), as PHP's strtotime reads them: a pattern for each format, and
// the parts of the date that a match sets.

/** The parts of a date that were found in a text. Missing parts are filled in later from the current time. */
export interface DateParts {
  year?: number | undefined
  month?: number | undefined
  day?: number | undefined
  hour?: number
  minute?: number
  second?: number
  hasDate: boolean
  hasTime: boolean
  zone?: string
  months: number
  days: number
  seconds: number
  /** A weekday to move to: the first one from the date, the first one after the date, or the one in the week of the date. */
  weekday?: { readonly day: number; readonly from: 'day' | 'dayAfter' | 'week' }
  /** Where weekdays are counted from: the first day of the month, or backwards from the first day of the next month. */
  monthEdge?: 'first' | 'last'
  dayOfMonth?: 'first' | 'last'
}

interface DatePattern {
  readonly regExp: RegExp
  /** Whether the match may follow the previous match without white space or a comma. */
  readonly needsNoSeparator: boolean
  /** Adds the matched text to the parts. Returns false if the text contradicts an earlier match. */
  readonly apply: (parts: DateParts, ...groups: string[]) => boolean
}

const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const ordinals = [
  ...['first', 'second', 'third', 'fourth', 'fifth', 'sixth'],
  ...['seventh', 'eighth', 'ninth', 'tenth', 'eleventh', 'twelfth'],
]
const amounts: Readonly<Record<string, number>> = { next: 1, this: 0, last: -1, previous: -1 }
const unitSeconds: Readonly<Record<string, number>> = { sec: 1, second: 1, min: 60, minute: 60, hour: 3600 }
const unitDays: Readonly<Record<string, number>> = { day: 1, week: 7, fortnight: 14 }
const unitMonths: Readonly<Record<string, number>> = { month: 1, year: 12 }

const weekdayName =
  '(?:(?:sun|mon|fri)(?:days?)?|tue(?:s(?:days?)?)?|wed(?:nesdays?)?|thu(?:rs?(?:days?)?)?|sat(?:urdays?)?)(?![a-z])'
const unit = `((?:sec(?:ond)?|min(?:ute)?|hour|day|week|fortnight|month|year)s?(?![a-z])|${weekdayName})`
const monthName =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])'
const month = '(0?[1-9]|1[0-2])'
const day = '(0?[1-9]|[12]\\d|3[01])'
const hour = '([01]?\\d|2[0-4])'
const sixty = '([0-5]\\d)'
/** Negative lookahead: rejects a number that is the start of a time of day. */
const notTime = '(?![\\d:]|\\.\\d|[ \\t]*[ap]\\.?m(?![a-z]))'
const dayText = `${day}(?:st|nd|rd|th)?${notTime}`
const yearText = `(\\d{4}|\\d{2})${notTime}`
const gap = '[ .\\t-]*'

/** The longest match wins; of equally long matches, the first in this list. */
export const datePatterns: readonly DatePattern[] = [
  pattern('now(?![a-z])', () => true),
  pattern('(?:today|midnight)(?![a-z])', startDay),
  pattern('noon(?![a-z])', (parts) => startDay(parts) && setTime(parts, '12')),
  pattern('tomorrow(?![a-z])', (parts) => startDay(parts) && set(parts, { days: 1 })),
  pattern('yesterday(?![a-z])', (parts) => startDay(parts) && set(parts, { days: -1 })),
  pattern(weekdayName, readWeekday),
  pattern('(first|last)[ \\t]+day[ \\t]+of(?![a-z])', (parts, _, edge) =>
    set(parts, { dayOfMonth: isAtSupportedLimit(edge) }),
  ),
  pattern(`(${ordinals.join('|')}|last)[ \\t]+(${weekdayName})[ \\t]+of(?![a-z])`, (parts, _, word = '', name = '') => {
    const from = word === 'last' ? 'dayAfter' : 'day'
    const monthEdge = isAtSupportedLimit(word === 'last' ? word : 'first')
    return set(parts, { monthEdge }) && addUnits(parts, amountOf(word), name, from, true)
  }),
  pattern(`(${ordinals.join('|')}|next|last|previous|this)[ \\t]+${unit}`, readRelativeWords),
  adjacent(`([+-]*)[ \\t]*(\\d{1,9})[ \\t]*${unit}`, (parts, _, signs = '', digits, name = '') =>
    addUnits(parts, Number(digits) * (signs.replaceAll('+', '').length % 2 ? -1 : 1), name, 'day', false),
  ),
  pattern('ago(?![a-z])', (parts) => {
    const { months, days, seconds, weekday } = parts
    return !weekday && set(parts, { months: -months, days: -days, seconds: -seconds })
  }),

  adjacent(`t?(0?[1-9]|1[0-2])(?:[:.]${sixty}(?:[:.]${sixty})?)?[ \\t]*([ap])\\.?m\\.?(?![a-z\\d])`, readTwelveHours),
  adjacent(`t?${hour}[:.]${sixty}(?:[:.]${sixty}(?:\\.\\d+)?)?(?![\\d:])`, (parts, _, ...time) =>
    setTime(parts, ...time),
  ),
  adjacent(`t${hour}(?![\\d:.])`, (parts, _, hours) => setTime(parts, hours)),
  adjacent(`t([01]\\d|2[0-4])${sixty}${sixty}?(?![\\d:.])`, (parts, _, ...time) => setTime(parts, ...time)),
  pattern(`([01]\\d|2[0-4])${sixty}${sixty}?(?![\\d:./-])`, (parts, text, ...time) =>
    parts.hasTime && text.length === 4 ? set(parts, { year: Number(text) }) : setTime(parts, ...time),
  ),
  pattern('\\d{4}(?![\\d:./-])', (parts, year) => set(parts, { year: Number(year) })),

  pattern(`(\\d{4}|\\d{2})-${month}-${day}(?!\\d)`, (parts, _, y, m, d) => setDate(parts, y, m, d)),
  pattern(`(\\d{4})/${month}/${day}(?!\\d)/?`, (parts, _, y, m, d) => setDate(parts, y, m, d)),
  pattern('(\\d{4})-?w(0[1-9]|[1-4]\\d|5[0-3])(?:-?([0-7]))?(?![\\d-])', (parts, _, y, week, weekday = '1') =>
    setDayOfYear(parts, y, firstMonday(Number(y)) + (Number(week) - 1) * 7 + Number(weekday) - 1),
  ),
  pattern('(\\d{4})-(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])(?![\\d-])', (parts, _, y, day) =>
    setDayOfYear(parts, y, Number(day)),
  ),
  pattern(`(\\d{4})-${month}(?![\\d-])`, (parts, _, y, m) => setDate(parts, y, m, '1')),
  pattern(`(\\d{4})(0[1-9]|1[0-2])([0-2]\\d|3[01])(?!\\d)`, (parts, _, y, m, d) => setDate(parts, y, m, d)),
  pattern(`${month}/${day}(?:/(\\d{4}|\\d{2}))?(?![\\d/])`, (parts, _, m, d, y) => setDate(parts, y, m, d)),
  pattern(`${day}[.-]${month}[.-](\\d{4})(?!\\d)`, (parts, _, d, m, y) => setDate(parts, y, m, d)),
  pattern(`${dayText}${gap}${monthName}(?:[ ,.\\t-]*${yearText})?`, (parts, _, d, m, y) => setDate(parts, y, m, d)),
  pattern(`${monthName}${gap}${dayText}(?:[ ,.\\t-]+${yearText})?`, (parts, _, m, d, y) => setDate(parts, y, m, d)),
  pattern(`${monthName}${gap}(\\d{4})${notTime}`, (parts, _, m, y) => setDate(parts, y, m, '1')),
  pattern(`(\\d{4})${gap}${monthName}(?:${gap}${dayText})?`, (parts, _, y, m, d = '1') => setDate(parts, y, m, d)),
  pattern(monthName, (parts, _, m) => setDate(parts, undefined, m, undefined)),

  adjacent('(?:gmt|utc)?([+-]\\d{1,2}(?::?[0-5]\\d)?)(?![\\d:])', (parts, _, offset) => setZone(parts, offset)),
  adjacent('z|[a-z]{2,}(?:[_/-][a-z]+)*', (parts, name) =>
    setZone(parts, name === 'z' || name === 'gmt' ? 'UTC' : name),
  ),
]

function pattern(source: string, apply: DatePattern['apply'], needsNoSeparator = false): DatePattern {
  return { regExp: new RegExp(source, 'y'), needsNoSeparator, apply }
}

function adjacent(source: string, apply: DatePattern['apply']): DatePattern {
  return pattern(source, apply, true)
}

function set(parts: DateParts, values: Partial<DateParts>): true {
  Object.assign(parts, values)
  return true
}

/** Sets the time of day to midnight: in `11:00 tomorrow`, PHP's strtotime ignores the `11:00`. */
function startDay(parts: DateParts): true {
  return set(parts, { hasTime: false, hour: 0, minute: 0, second: 0 })
}

function setTime(parts: DateParts, hours?: string, minutes = '0', seconds = '0'): boolean {
  if (parts.hasTime) return false
  return set(parts, { hasTime: true, hour: Number(hours), minute: Number(minutes), second: Number(seconds) })
}

function readTwelveHours(
  parts: DateParts,
  _: string,
  hours?: string,
  minutes?: string,
  seconds?: string,
  half?: string,
) {
  return setTime(parts, String((Number(hours) % 12) + (half === 'p' ? 12 : 0)), minutes, seconds)
}

function setDate(parts: DateParts, year: string | undefined, month = '', day: string | undefined): boolean {
  if (parts.hasDate) return false
  const monthByName = months.indexOf(month.slice(0, 3)) + 1
  const century = year?.length === 2 ? (Number(year) < 70 ? 2000 : 1900) : 0
  return set(parts, {
    hasDate: true,
    year: year === undefined ? parts.year : century + Number(year),
    month: monthByName || Number(month),
    day: day === undefined ? undefined : Number(day),
  })
}

/** Sets month and day from the day of the year. A day before 1 or after the last day moves to another year. */
function setDayOfYear(parts: DateParts, year = '', day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), 0, day)
  const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  return !parts.hasDate && set(parts, { hasDate: true, year: y, month: m, day: d })
}

/** Returns the day of the year of the Monday of ISO week 1, which is the week that contains 4 January. */
function firstMonday(year: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, 0, 4)
  return 4 - ((date.getUTCDay() + 6) % 7)
}

function setZone(parts: DateParts, zone = ''): boolean {
  return parts.zone === undefined && set(parts, { zone })
}

function readWeekday(parts: DateParts, name: string): true {
  startDay(parts)
  const from = parts.weekday?.from === 'week' ? 'week' : 'day'
  return set(parts, { weekday: { day: weekdays.indexOf(name.slice(0, 3)), from } })
}

const isAtSupportedLimit = (word?: string) => (word === 'last' ? 'last' : 'first')
const amountOf = (word: string) => amounts[word] ?? ordinals.indexOf(word) + 1

function readRelativeWords(parts: DateParts, _: string, word = '', name = ''): boolean {
  const isWeek = name === 'week'
  if (isWeek && !(word in amounts)) return false
  addUnits(parts, amountOf(word), name, word === 'this' ? 'day' : 'dayAfter', true)
  return !isWeek || set(parts, { weekday: { day: parts.weekday?.day ?? 1, from: 'week' } })
}

function addUnits(parts: DateParts, amount: number, name: string, from: 'day' | 'dayAfter', startsDay: boolean): true {
  const singular = name.replace(/s$/, '')
  const [months = 0, days = 0, seconds = 0] = [unitMonths[singular], unitDays[singular], unitSeconds[singular]]
  parts.months += amount * months
  parts.days += amount * days
  parts.seconds += amount * seconds
  if (months + days + seconds > 0) return true
  if (startsDay) startDay(parts)
  // `weekday` already selects the first matching day, so only the remaining amount adds weeks.
  parts.days += (amount > 0 ? amount - 1 : amount) * 7
  return set(parts, { weekday: { day: weekdays.indexOf(name.slice(0, 3)), from } })
}
