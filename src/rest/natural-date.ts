// Dates as people write them (contract b.6), without the engine's own date parser and whatever zone the process has.
import { dateWallClock, isZone, toInstant, toWallClock, wallClockDate } from '../time.ts'
import { type Draft, forms } from './date-words.ts'

/** A date as a parameter gives it. What it leaves open, such as the day of `noon`, depends on when and where it is read. */
export interface ParsedDate {
  /** Whether another anchor could give another date. */
  readonly isRelative: boolean
  /** Whether it gives an instant: it has an offset or a zone, or is a Unix timestamp. */
  readonly hasInstant: boolean
  /**
   * `anchor` is what clocks show now, as `YYYY-MM-DDTHH:MM:SS`, in the zone that the date is read in. Undefined when the
   * date is outside of the years 1 to 9999.
   */
  resolve(anchor: string): ResolvedDate | undefined
}

export interface ResolvedDate {
  /** As written, or of the instant in UTC. */
  readonly wallClock: string
  readonly instant?: Date
}

/** Undefined for text that is no date. */
export function parseDate(text: string): ParsedDate | undefined {
  if (text.length > 100) return undefined
  const value = text.replace(/[\s\u202f]+/g, ' ').trim()
  // Lower case would make ASCII letters of some others.
  if (/[^ -~]/.test(value)) return undefined
  if (timestamp.test(value)) return fromTimestamp(Number(value.replace('@', '')))
  const draft = read(value.toLowerCase())
  return draft && (draft.zone === undefined || isZone(draft.zone)) ? fromDraft(draft) : undefined
}

const timestamp = /^@?[+-]?(\d{1,20}(\.\d*)?|\.\d+)(e[+-]?\d{1,2})?$/i

function fromTimestamp(seconds: number): ParsedDate {
  const instant = new Date(Math.trunc(seconds) * 1000)
  const resolved = isReachable(instant) ? instantOf(instant) : undefined
  return { isRelative: false, hasInstant: true, resolve: () => resolved }
}

function read(value: string): Draft | undefined {
  const draft: Draft = { hasDate: false, hasTime: false, months: 0, days: 0, seconds: 0 }
  let end = 0
  let words = 0
  while (end < value.length) {
    const start = end + (/^[ ,.]+/.exec(value.slice(end))?.[0].length ?? 0)
    if (start === value.length) break
    const found = longest(value, start, start === end && end > 0)
    if (!found?.form.read(draft, ...found.groups)) return undefined
    words++
    end = start + found.groups[0].length
  }
  // A zone alone is no date.
  return words > (draft.zone === undefined ? 0 : 1) ? draft : undefined
}

function longest(value: string, start: number, isJoined: boolean) {
  let best: { form: (typeof forms)[number]; groups: RegExpExecArray } | undefined
  for (const form of forms) {
    if (isJoined && !form.joins) continue
    form.pattern.lastIndex = start
    const groups = form.pattern.exec(value)
    if (groups && groups[0].length > (best?.groups[0].length ?? 0)) best = { form, groups }
  }
  return best
}

function fromDraft(draft: Draft): ParsedDate {
  const { hasDate, hasTime, zone } = draft
  const said = hasDate && !hasTime ? { ...draft, hour: 0, minute: 0, second: 0 } : draft
  return {
    isRelative: [said.year, said.month, said.day, said.hour].includes(undefined),
    hasInstant: zone !== undefined,
    resolve: (anchor) => {
      const time = resolved(said, anchor)
      if (!isReachable(time)) return undefined
      const wallClock = dateWallClock(time)
      return zone === undefined ? { wallClock } : instantOf(toInstant(wallClock, zone))
    },
  }
}

/** The wall clock as if it were UTC. Days are moved to a weekday first, then by what is to be added, as PHP does. */
function resolved(draft: Draft, anchor: string): Date {
  const [nowYear = 0, nowMonth = 0, nowDay = 0, nowHour, nowMinute, nowSecond] = anchor.split(/[-T:]/).map(Number)
  const { year = nowYear, month = nowMonth, day = nowDay, monthEdge, dayOfMonth, weekday } = draft
  const { hour = nowHour, minute = nowMinute, second = nowSecond } = draft
  // Weekdays of a month are counted in the month that is meant, not moved to it.
  const add = monthEdge ? 0 : draft.months
  const base = monthEdge
    ? calendarDay(year, month + draft.months + (monthEdge === 'last' ? 1 : 0), 1)
    : calendarDay(year, month, day)
  if (weekday) base.setUTCDate(base.getUTCDate() + daysTo(weekday, base.getUTCDay(), draft.days))
  const endMonth = base.getUTCMonth() + 1 + add + (dayOfMonth === 'last' ? 1 : 0)
  const endDay = dayOfMonth ? { first: 1, last: 0 }[dayOfMonth] : base.getUTCDate() + draft.days
  const date = calendarDay(base.getUTCFullYear(), endMonth, endDay)
  return new Date(date.setUTCHours(hour ?? 0, minute, second) + draft.seconds * 1000)
}

/** Days and months out of range roll over. */
function calendarDay(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function daysTo({ day, from }: NonNullable<Draft['weekday']>, today: number, daysToAdd: number): number {
  // Weeks begin on Monday.
  if (from === 'week') return ((day + 6) % 7) - ((today + 6) % 7)
  const difference = day - today
  const isPast = daysToAdd < 0 ? difference < 0 : difference < (from === 'day' ? 0 : 1)
  return isPast ? difference + 7 : difference
}

const [earliest, latest] = [wallClockDate('0001-01-01T00:00:00'), wallClockDate('9999-12-31T23:59:59')]

const isReachable = (instant: Date) => instant >= earliest && instant <= latest

/** An offset may lead out of the years that have four digits, by hours: the nearest moment in them. */
export const withinYears = (instant: Date): Date =>
  instant < earliest ? earliest : instant > latest ? latest : instant

function instantOf(moment: Date) {
  const instant = withinYears(moment)
  return { wallClock: toWallClock(instant, 'UTC'), instant }
}
