// Parses dates in natural language (contract b.6). Date.parse is not used, because its results depend on the JavaScript engine
// and on the time zone of the process.
import { dateToWallClock, isZone, toInstant, toWallClock, wallClockToDate } from '../time.ts'
import { type DateParts, datePatterns } from './date-patterns.ts'

/** A parsed date. Missing parts, such as the day of `noon`, are filled in by `resolve`. */
export interface ParsedDate {
  /** Whether the result of `resolve` depends on the current time. */
  readonly isRelative: boolean
  /** Whether the date is an instant: the text has an offset or a time zone, or is a Unix timestamp. */
  readonly hasInstant: boolean
  /**
   * `anchor` is the current wall clock, as `YYYY-MM-DDTHH:MM:SS`, in the time zone of the date. Returns undefined if the
   * date is outside the years 1 to 9999.
   */
  resolve(anchor: string): ResolvedDate | undefined
  /** Returns the original text, because cache keys contain the JSON of dates and must differ for different dates. */
  toJSON(): string
}

/** A date without missing parts. */
export interface ResolvedDate {
  /** Local date and time as written; for an instant, date and time in UTC. */
  readonly wallClock: string
  readonly instant?: Date
}

/** Parses a date such as `next friday` or `2026-12-04 19:00`. Returns undefined for text that is not a date. */
export function parseDate(text: string): ParsedDate | undefined {
  if (text.length > 100) return undefined
  const value = text.replace(/[\s\u202f]+/g, ' ').trim()
  // Otherwise toLowerCase would turn some non-ASCII characters into ASCII letters that the patterns accept.
  if (/[^ -~]/.test(value)) return undefined
  const toJSON = () => value
  if (timestamp.test(value)) return { ...fromTimestamp(Number(value.replace('@', ''))), toJSON }
  const parts = readParts(value.toLowerCase())
  return parts && (parts.zone === undefined || isZone(parts.zone)) ? { ...fromParts(parts), toJSON } : undefined
}

const timestamp = /^@?[+-]?(\d{1,20}(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i

function fromTimestamp(seconds: number): Omit<ParsedDate, 'toJSON'> {
  const instant = new Date(Math.trunc(seconds) * 1000)
  const result = isInRange(instant) ? instantOf(instant) : undefined
  return { isRelative: false, hasInstant: true, resolve: () => result }
}

function readParts(value: string): DateParts | undefined {
  const parts: DateParts = { hasDate: false, hasTime: false, months: 0, days: 0, seconds: 0 }
  let end = 0
  let matches = 0
  while (end < value.length) {
    const start = end + (/^[ ,.]+/.exec(value.slice(end))?.[0].length ?? 0)
    if (start === value.length) break
    const match = longestMatch(value, start, start === end && end > 0)
    if (!match?.pattern.apply(parts, ...match.groups)) return undefined
    matches++
    end = start + match.groups[0].length
  }
  // A time zone alone is not a date.
  return matches > (parts.zone === undefined ? 0 : 1) ? parts : undefined
}

function longestMatch(value: string, start: number, isAdjacent: boolean) {
  let best: { pattern: (typeof datePatterns)[number]; groups: RegExpExecArray } | undefined
  for (const pattern of datePatterns) {
    if (isAdjacent && !pattern.needsNoSeparator) continue
    pattern.regExp.lastIndex = start
    const groups = pattern.regExp.exec(value)
    if (groups && groups[0].length > (best?.groups[0].length ?? 0)) best = { pattern, groups }
  }
  return best
}

function fromParts(parts: DateParts): Omit<ParsedDate, 'toJSON'> {
  const { hasDate, hasTime, zone } = parts
  const completed = hasDate && !hasTime ? { ...parts, hour: 0, minute: 0, second: 0 } : parts
  return {
    isRelative: [completed.year, completed.month, completed.day, completed.hour].includes(undefined),
    hasInstant: zone !== undefined,
    resolve: (anchor) => {
      const time = resolve(completed, anchor)
      if (!isInRange(time)) return undefined
      const wallClock = dateToWallClock(time)
      return zone === undefined ? { wallClock } : instantOf(toInstant(wallClock, zone))
    },
  }
}

/** Returns the local time as a Date in UTC. As in PHP, the weekday is applied first, then amounts such as `+2 days`. */
function resolve(parts: DateParts, anchor: string): Date {
  const [nowYear = 0, nowMonth = 0, nowDay = 0, nowHour, nowMinute, nowSecond] = anchor.split(/[-T:]/).map(Number)
  const { year = nowYear, month = nowMonth, day = nowDay, monthEdge, dayOfMonth, weekday } = parts
  const { hour = nowHour, minute = nowMinute, second = nowSecond } = parts
  // `first Monday of next month` counts weekdays in the next month, so the months are added to `base`, not to the result.
  const add = monthEdge ? 0 : parts.months
  const base = monthEdge
    ? calendarDay(year, month + parts.months + (monthEdge === 'last' ? 1 : 0), 1)
    : calendarDay(year, month, day)
  if (weekday) base.setUTCDate(base.getUTCDate() + daysTo(weekday, base.getUTCDay(), parts.days))
  const endMonth = base.getUTCMonth() + 1 + add + (dayOfMonth === 'last' ? 1 : 0)
  const endDay = dayOfMonth ? { first: 1, last: 0 }[dayOfMonth] : base.getUTCDate() + parts.days
  const date = calendarDay(base.getUTCFullYear(), endMonth, endDay)
  return new Date(date.setUTCHours(hour ?? 0, minute, second) + parts.seconds * 1000)
}

function calendarDay(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function daysTo({ day, from }: NonNullable<DateParts['weekday']>, today: number, daysToAdd: number): number {
  // Counts from Monday, the first day of the week.
  if (from === 'week') return ((day + 6) % 7) - ((today + 6) % 7)
  const difference = day - today
  const isPast = daysToAdd < 0 ? difference < 0 : difference < (from === 'day' ? 0 : 1)
  return isPast ? difference + 7 : difference
}

const [minDate, maxDate] = [wallClockToDate('0001-01-01T00:00:00'), wallClockToDate('9999-12-31T23:59:59')]

const isInRange = (instant: Date) => instant >= minDate && instant <= maxDate

/** Limits an instant to the years 1 to 9999: an offset can move it some hours out of these years. */
export const clampToSupportedYears = (instant: Date): Date =>
  instant < minDate ? minDate : instant > maxDate ? maxDate : instant

function instantOf(date: Date) {
  const instant = clampToSupportedYears(date)
  return { wallClock: toWallClock(instant, 'UTC'), instant }
}
