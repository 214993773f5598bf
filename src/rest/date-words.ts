// The forms of contract b.6, each a pattern and what it says; as PHP's strtotime reads them.

/** What a text says, before the gaps are filled from the clock. */
export interface Draft {
  year?: number | undefined
  month?: number | undefined
  day?: number | undefined
  hour?: number
  minute?: number
  second?: number
  hasDate: boolean
  hasTime: boolean
  zone?: string
  /** To add. */
  months: number
  days: number
  seconds: number
  /** Counted from that day on, from the day after it, or within its week, which begins on Monday. */
  weekday?: { readonly day: number; readonly from: 'day' | 'dayAfter' | 'week' }
  /** Days are counted from the first of the month, or of the next one. */
  monthEdge?: 'first' | 'last'
  /** The result is the first or last day of its month. */
  dayOfMonth?: 'first' | 'last'
}

interface Form {
  readonly pattern: RegExp
  /** Whether it may follow what is before it without a space. */
  readonly joins: boolean
  /** False if it contradicts what was said before. */
  readonly read: (draft: Draft, ...groups: string[]) => boolean
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
/** What follows does not make it a time of day. */
const notTime = '(?![\\d:]|\\.\\d|[ \\t]*[ap]\\.?m(?![a-z]))'
const dayText = `${day}(?:st|nd|rd|th)?${notTime}`
const yearText = `(\\d{4}|\\d{2})${notTime}`
const gap = '[ .\\t-]*'

/** The longest match counts, and of several of one length the first. */
export const forms: readonly Form[] = [
  form('now(?![a-z])', () => true),
  form('(?:today|midnight)(?![a-z])', startDay),
  form('noon(?![a-z])', (draft) => startDay(draft) && setTime(draft, '12')),
  form('tomorrow(?![a-z])', (draft) => startDay(draft) && set(draft, { days: 1 })),
  form('yesterday(?![a-z])', (draft) => startDay(draft) && set(draft, { days: -1 })),
  form(weekdayName, readWeekday),
  form('(first|last)[ \\t]+day[ \\t]+of(?![a-z])', (draft, _, edge) => set(draft, { dayOfMonth: isEdge(edge) })),
  form(`(${ordinals.join('|')}|last)[ \\t]+(${weekdayName})[ \\t]+of(?![a-z])`, (draft, _, word = '', name = '') => {
    const from = word === 'last' ? 'dayAfter' : 'day'
    const monthEdge = isEdge(word === 'last' ? word : 'first')
    return set(draft, { monthEdge }) && addUnits(draft, amountOf(word), name, from, true)
  }),
  form(`(${ordinals.join('|')}|next|last|previous|this)[ \\t]+${unit}`, readRelativeWords),
  joined(`([+-]*)[ \\t]*(\\d{1,9})[ \\t]*${unit}`, (draft, _, signs = '', digits, name = '') =>
    addUnits(draft, Number(digits) * (signs.replaceAll('+', '').length % 2 ? -1 : 1), name, 'day', false),
  ),
  form('ago(?![a-z])', (draft) => {
    const { months, days, seconds, weekday } = draft
    return !weekday && set(draft, { months: -months, days: -days, seconds: -seconds })
  }),

  joined(`t?(0?[1-9]|1[0-2])(?:[:.]${sixty}(?:[:.]${sixty})?)?[ \\t]*([ap])\\.?m\\.?(?![a-z\\d])`, readTwelveHours),
  joined(`t?${hour}[:.]${sixty}(?:[:.]${sixty}(?:\\.\\d+)?)?(?![\\d:])`, (draft, _, ...time) =>
    setTime(draft, ...time),
  ),
  joined(`t${hour}(?![\\d:.])`, (draft, _, hours) => setTime(draft, hours)),
  joined(`t([01]\\d|2[0-4])${sixty}${sixty}?(?![\\d:.])`, (draft, _, ...time) => setTime(draft, ...time)),
  form(`([01]\\d|2[0-4])${sixty}${sixty}?(?![\\d:./-])`, (draft, text, ...time) =>
    draft.hasTime && text.length === 4 ? set(draft, { year: Number(text) }) : setTime(draft, ...time),
  ),
  form('\\d{4}(?![\\d:./-])', (draft, year) => set(draft, { year: Number(year) })),

  form(`(\\d{4}|\\d{2})-${month}-${day}(?!\\d)`, (draft, _, y, m, d) => setDate(draft, y, m, d)),
  form(`(\\d{4})/${month}/${day}(?!\\d)/?`, (draft, _, y, m, d) => setDate(draft, y, m, d)),
  form('(\\d{4})-?w(0[1-9]|[1-4]\\d|5[0-3])(?:-?([0-7]))?(?![\\d-])', (draft, _, y, week, weekday = '1') =>
    setDayOfYear(draft, y, firstMonday(Number(y)) + (Number(week) - 1) * 7 + Number(weekday) - 1),
  ),
  form('(\\d{4})-(00[1-9]|0[1-9]\\d|[12]\\d\\d|3[0-5]\\d|36[0-6])(?![\\d-])', (draft, _, y, day) =>
    setDayOfYear(draft, y, Number(day)),
  ),
  form(`(\\d{4})-${month}(?![\\d-])`, (draft, _, y, m) => setDate(draft, y, m, '1')),
  form(`(\\d{4})(0[1-9]|1[0-2])([0-2]\\d|3[01])(?!\\d)`, (draft, _, y, m, d) => setDate(draft, y, m, d)),
  form(`${month}/${day}(?:/(\\d{4}|\\d{2}))?(?![\\d/])`, (draft, _, m, d, y) => setDate(draft, y, m, d)),
  form(`${day}[.-]${month}[.-](\\d{4})(?!\\d)`, (draft, _, d, m, y) => setDate(draft, y, m, d)),
  form(`${dayText}${gap}${monthName}(?:[ ,.\\t-]*${yearText})?`, (draft, _, d, m, y) => setDate(draft, y, m, d)),
  form(`${monthName}${gap}${dayText}(?:[ ,.\\t-]+${yearText})?`, (draft, _, m, d, y) => setDate(draft, y, m, d)),
  form(`${monthName}${gap}(\\d{4})${notTime}`, (draft, _, m, y) => setDate(draft, y, m, '1')),
  form(`(\\d{4})${gap}${monthName}(?:${gap}${dayText})?`, (draft, _, y, m, d = '1') => setDate(draft, y, m, d)),
  form(monthName, (draft, _, m) => setDate(draft, undefined, m, undefined)),

  joined('(?:gmt|utc)?([+-]\\d{1,2}(?::?[0-5]\\d)?)(?![\\d:])', (draft, _, offset) => setZone(draft, offset)),
  joined('z|[a-z]{2,}(?:[_/-][a-z]+)*', (draft, name) => setZone(draft, name === 'z' || name === 'gmt' ? 'UTC' : name)),
]

function form(source: string, read: Form['read'], joins = false): Form {
  return { pattern: new RegExp(source, 'y'), joins, read }
}

function joined(source: string, read: Form['read']): Form {
  return form(source, read, true)
}

function set(draft: Draft, said: Partial<Draft>): true {
  Object.assign(draft, said)
  return true
}

/** Takes back a time of day that stands before it, as in `11:00 tomorrow`. */
function startDay(draft: Draft): true {
  return set(draft, { hasTime: false, hour: 0, minute: 0, second: 0 })
}

function setTime(draft: Draft, hours?: string, minutes = '0', seconds = '0'): boolean {
  if (draft.hasTime) return false
  return set(draft, { hasTime: true, hour: Number(hours), minute: Number(minutes), second: Number(seconds) })
}

function readTwelveHours(draft: Draft, _: string, hours?: string, minutes?: string, seconds?: string, half?: string) {
  return setTime(draft, String((Number(hours) % 12) + (half === 'p' ? 12 : 0)), minutes, seconds)
}

function setDate(draft: Draft, year: string | undefined, month = '', day: string | undefined): boolean {
  if (draft.hasDate) return false
  const named = months.indexOf(month.slice(0, 3)) + 1
  const century = year?.length === 2 ? (Number(year) < 70 ? 2000 : 1900) : 0
  return set(draft, {
    hasDate: true,
    year: year === undefined ? draft.year : century + Number(year),
    month: named || Number(month),
    day: day === undefined ? undefined : Number(day),
  })
}

/** Days before the first and after the last roll over. */
function setDayOfYear(draft: Draft, year = '', day: number): boolean {
  const date = new Date(0)
  date.setUTCFullYear(Number(year), 0, day)
  const [y, m, d] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
  return !draft.hasDate && set(draft, { hasDate: true, year: y, month: m, day: d })
}

/** Of the first ISO week, which has 4 January, as a day of the year. */
function firstMonday(year: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, 0, 4)
  return 4 - ((date.getUTCDay() + 6) % 7)
}

function setZone(draft: Draft, zone = ''): boolean {
  return draft.zone === undefined && set(draft, { zone })
}

function readWeekday(draft: Draft, name: string): true {
  startDay(draft)
  const from = draft.weekday?.from === 'week' ? 'week' : 'day'
  return set(draft, { weekday: { day: weekdays.indexOf(name.slice(0, 3)), from } })
}

const isEdge = (word?: string) => (word === 'last' ? 'last' : 'first')
const amountOf = (word: string) => amounts[word] ?? ordinals.indexOf(word) + 1

function readRelativeWords(draft: Draft, _: string, word = '', name = ''): boolean {
  const isWeek = name === 'week'
  if (isWeek && !(word in amounts)) return false
  addUnits(draft, amountOf(word), name, word === 'this' ? 'day' : 'dayAfter', true)
  return !isWeek || set(draft, { weekday: { day: draft.weekday?.day ?? 1, from: 'week' } })
}

function addUnits(draft: Draft, amount: number, name: string, from: 'day' | 'dayAfter', startsDay: boolean): true {
  const singular = name.replace(/s$/, '')
  const [months = 0, days = 0, seconds = 0] = [unitMonths[singular], unitDays[singular], unitSeconds[singular]]
  draft.months += amount * months
  draft.days += amount * days
  draft.seconds += amount * seconds
  if (months + days + seconds > 0) return true
  if (startsDay) startDay(draft)
  // The first of them is the next one there is, which weekday alone finds.
  draft.days += (amount > 0 ? amount - 1 : amount) * 7
  return set(draft, { weekday: { day: weekdays.indexOf(name.slice(0, 3)), from } })
}
