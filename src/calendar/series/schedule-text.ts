// The schedule of a series as lines of iCalendar (RFC 5545), for its stored dates.
import { BudgetSpent, datesOfRule, type ExpansionBudget, expandRule } from '../../basics/dates/recurrence.ts'
import { allDayDates } from '../../basics/dates/whole-days.ts'
import {
  addDays,
  dateToWallClock,
  isIanaZone,
  isRepeated,
  isUtc,
  shiftWallClock,
  toInstant,
  wallClockToDate,
  zoneName,
} from '../../basics/time.ts'
import {
  type Calendar,
  endOfTime,
  parseSchedule,
  type Recurrence,
  ruleStart,
  type Schedule,
  type SeriesScheduleInput,
  startOf,
} from './schedule.ts'
import { formatRule, splitRecurrence } from './split-schedule.ts'

export interface StoredDate {
  readonly id: number
  readonly originalStartsLocal: Date | null
  readonly startsLocal: Date
  readonly endsLocal: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly isExtra: boolean
  readonly changedFields: readonly string[]
  readonly hideFromListings: boolean
}

export interface SeriesCalendar {
  /** The lines DTSTART, DTEND or DURATION, RRULE and EXDATE of each rule, which takes a VEVENT of its own; not folded. */
  readonly rules: readonly string[]
  /** Dates that the rules do not give as they are. `rule`: index of the rule that has the date at another time or with other values. */
  readonly otherDates: readonly { readonly databaseId: number; readonly rule: number | null }[]
  readonly startsAt: Date
  readonly endsAt: Date
}

/**
 * Returns rules that give the dates of a series which lists show, and those that follow the last computed one. Calendar programs
 * ignore RDATE, so dates apart from the rules take VEVENTs of their own. Undefined if no rule has a date, if the clocks skip or repeat
 * the time of one, for rules that common programs misread, and for a time zone that has no TZID, such as UTC+2.
 */
export function formatSeries(
  input: SeriesScheduleInput,
  dates: readonly StoredDate[],
  computedUntil: string | undefined,
  calendar: Calendar,
): SeriesCalendar | undefined {
  const schedule = parseSchedule(input, calendar)
  const { isAllDay, timeZone, recurrences } = schedule
  if (!isAllDay && !isIanaZone(timeZone) && !isUtc(timeZone)) return undefined
  if (recurrences.some(({ rule }) => isMisread(rule.pattern))) return undefined
  const shown = dates.filter(({ hideFromListings }) => !hideFromListings)
  const ofRules = shown.flatMap((date) => (date.isExtra ? [] : [[originalStart(date), date] as const]))
  const open = new Map(ofRules)
  const starts: string[] = []
  const rules: string[] = []
  const otherDates: { databaseId: number; rule: number | null }[] = []
  const given = new Set<number>()
  const budget = { steps: 30_000, occurrences: 20_000 }
  const expansion = {
    ...{ schedule, calendar, until: computedUntil ?? endOfTime, budget },
    starts: new Set(ofRules.map(([start]) => start)),
  }
  for (const recurrence of recurrences.flatMap((each) => synchronize(each, expansion))) {
    const found = takeDates(recurrence, open, expansion)
    if (!found) return undefined
    const { first, taken, missing, end } = found
    if (first === undefined) continue
    const { after: rest = recurrence } = splitRecurrence(recurrence, first, schedule, budget)
    const after = end === undefined ? rest : { ...rest, rule: { ...rest.rule, count: undefined, until: end } }
    for (const { date, local } of taken) {
      given.add(date.id)
      if (differs(date, local, after, schedule)) otherDates.push({ databaseId: date.id, rule: rules.length })
    }
    starts.push(after.startsLocal)
    rules.push(linesOf(after, missing, computedUntil, expansion).join('\n'))
    if (budget.steps < 0 || budget.occurrences < 0) return undefined
  }
  if (rules.length === 0) return undefined
  const others = shown.flatMap(({ id }) => (given.has(id) ? [] : { databaseId: id, rule: null }))
  const ends = shown.map(({ endsAt }) => endsAt.getTime())
  return {
    rules,
    otherDates: [...otherDates, ...others],
    startsAt: toInstant(starts.sort()[0] ?? '', timeZone),
    endsAt: new Date(ends.reduce((latest, end) => Math.max(latest, end))),
  }
}

/** Whether ical.js, and so Thunderbird and Nextcloud, has other dates of a rule. */
function isMisread(pattern: string): boolean {
  const has = (part: RegExp) => part.test(`;${pattern}`)
  if (has(/;BYSETPOS=/)) return !has(/FREQ=MONTHLY/) || has(/;BYMONTHDAY=/)
  if (has(/FREQ=DAILY/)) return has(/;BYMONTHDAY=.*-/)
  return has(/;BYWEEKNO=/) || (has(/FREQ=YEARLY/) && !has(/;BYMONTH=/) && has(/;(BYMONTHDAY=|BYDAY=[^;]*\d)/))
}

const originalStart = (date: StoredDate) => dateToWallClock(date.originalStartsLocal ?? date.startsLocal)

interface Expansion {
  readonly schedule: Schedule
  readonly calendar: Calendar
  readonly until: string
  /** All rules of a series share it. */
  readonly budget: ExpansionBudget
  /** Local times of all dates that rules give. */
  readonly starts: ReadonlySet<string>
}

/**
 * Takes the dates of a rule from those that no rule has taken. `missing`: local times of the rule, from its first date on, without
 * one. `end`: the last date taken, if other rules give those after it for a year, except excluded ones: instead of hundreds of EXDATE.
 */
function takeDates(
  recurrence: Recurrence,
  open: Map<string, StoredDate>,
  { schedule, calendar, until, budget, starts }: Expansion,
) {
  const { excludedDates } = schedule
  const taken: { readonly date: StoredDate; readonly local: string }[] = []
  const missing: string[] = []
  let first: string | undefined
  /** Whether other rules give all dates since the last one taken, except excluded ones. */
  let isRepetition = true
  /** The latest date that another rule gives, too. */
  let repeated = ''
  try {
    const start = ruleStart(recurrence, schedule)
    for (const { local, isSkipped } of datesOfRule(recurrence.rule, start, { from: '', until }, budget)) {
      const start = startOf(local, schedule.isAllDay, calendar)
      // Programs disagree about local times that the clocks skip or repeat, and some about all later dates.
      if (isSkipped || (!schedule.isAllDay && isRepeated(local, schedule.timeZone))) return undefined
      const date = open.get(start)
      if (date) {
        open.delete(start)
        first ??= start
        taken.push({ date, local: start })
        isRepetition = true
      } else if (first !== undefined) {
        missing.push(local)
        repeated = starts.has(start) ? start : repeated
        isRepetition &&= repeated === start || excludedDates.has(start) || excludedDates.has(start.slice(0, 10))
      }
    }
  } catch (error) {
    if (error instanceof BudgetSpent) return undefined
    throw error
  }
  const last = taken.at(-1)?.local
  if (last === undefined || !isRepetition || repeated < addDays(last, 365)) return { first, taken, missing }
  return { first, taken, missing: missing.filter((local) => local < last), end: last }
}

const wallClockMs = (local: string) => wallClockToDate(local).getTime()
const nominalMs = ({ startsLocal, endsLocal }: Recurrence) => wallClockMs(endsLocal) - wallClockMs(startsLocal)

/** Whether calendar programs would show a date of a rule differently. They compute its end from the exact length of the first date. */
function differs(date: StoredDate, local: string, recurrence: Recurrence, { isAllDay, timeZone }: Schedule): boolean {
  if (date.changedFields.length > 0) return true
  const { startsAt, endsAt, startsLocal, endsLocal } = date
  // If the end falls in the hour that a clock change skips, its local time moves and the duration stays the same.
  const lengths = [endsAt.getTime() - startsAt.getTime(), endsLocal.getTime() - startsLocal.getTime()]
  if (!isAllDay)
    return (
      startsAt.getTime() !== toInstant(local, timeZone).getTime() ||
      lengths.some((length) => length !== nominalMs(recurrence))
    )
  const { first, end } = allDayDates({
    startsLocal: dateToWallClock(startsLocal),
    endsLocal: dateToWallClock(endsLocal),
  })
  const days = wallClockMs(`${end}T00:00:00`) - wallClockMs(`${first}T00:00:00`)
  return (
    first !== local.slice(0, 10) ||
    days !== wallClockMs(addDays(recurrence.endsLocal, 1)) - wallClockMs(recurrence.startsLocal)
  )
}

/** Programs differ about a first date that the rule does not match, so it is written as a date of its own. */
function synchronize(recurrence: Recurrence, expansion: Expansion): Recurrence[] {
  const { startsLocal, rule } = recurrence
  const { schedule, budget } = expansion
  const { local } = ruleStart(recurrence, schedule)
  if (datesBetween(recurrence, local, local, expansion).length > 0) return [recurrence]
  const next = schedule.isAllDay ? addDays(startsLocal, 1) : shiftWallClock(startsLocal, 1000)
  const { before, after } = splitRecurrence(recurrence, next, schedule, budget)
  const single = before && { ...before, rule: { ...rule, pattern: 'FREQ=DAILY', count: 1, until: undefined } }
  return [single, after].filter((part) => part !== undefined)
}

/** Local times between two local times that the rule matches. */
const datesBetween = (recurrence: Recurrence, from: string, until: string, { schedule, budget }: Expansion) =>
  expandRule(
    { ...recurrence.rule, count: undefined },
    { ...ruleStart(recurrence, schedule), isOccurrence: false },
    { from, until },
    budget,
  ).starts

function linesOf(
  recurrence: Recurrence,
  missing: readonly string[],
  computedUntil: string | undefined,
  expansion: Expansion,
): string[] {
  const { startsLocal, endsLocal, rule } = recurrence
  const { schedule } = expansion
  const { isAllDay, timeZone, excludedDates } = schedule
  const line = (name: string, local: string) => {
    if (isAllDay) return `${name};VALUE=DATE:${basic(local.slice(0, 10))}`
    return isUtc(timeZone) ? `${name}:${basic(local)}Z` : `${name};TZID=${zoneName(timeZone)}:${basic(local)}`
  }
  const pattern = isAllDay ? rule.pattern.replace(/;BY(HOUR|MINUTE|SECOND)=[^;]*/g, '') : rule.pattern
  const day = impliedDay(pattern, startsLocal)
  const { count, until } = rule
  const isLater = (text: string) => computedUntil !== undefined && text.slice(0, 10) >= computedUntil.slice(0, 10)
  const excludedLater = [...excludedDates].filter(isLater).flatMap((text) => {
    const [from, to] = text.length === 10 ? [`${text}T00:00:00`, `${text}T23:59:59`] : [text, text]
    return datesBetween(recurrence, from, to, expansion)
  })
  return [
    line('DTSTART', startsLocal),
    ...endLines(recurrence, schedule, line('DTEND', isAllDay ? addDays(endsLocal, 1) : endsLocal)),
    `RRULE:${formatRule({ pattern: pattern + day, count, until: until && formatUntil(until, schedule) })}`,
    ...[...new Set([...missing, ...excludedLater].sort())].map((local) => line('EXDATE', local)),
  ]
}

/** The day of a rule that DTSTART implies: some programs take another one in months without it. */
function impliedDay(pattern: string, startsLocal: string): string {
  const [, month, day] = startsLocal.slice(0, 10).split('-').map(Number)
  if (/;BY(DAY|MONTH|MONTHDAY|YEARDAY|WEEKNO)=/.test(pattern) || (day ?? 0) < 29) return ''
  if (pattern.includes('FREQ=MONTHLY')) return `;BYMONTHDAY=${day}`
  return pattern.includes('FREQ=YEARLY') ? `;BYMONTH=${month};BYMONTHDAY=${day}` : ''
}

/** DTEND; DURATION if the clocks change during the first date, whose exact length the others do not have; nothing without a length. */
function endLines(recurrence: Recurrence, { isAllDay, timeZone }: Schedule, end: string): string[] {
  const [length, { startsLocal, endsLocal }] = [nominalMs(recurrence), recurrence]
  if (!isAllDay && length === 0) return []
  const exact = toInstant(endsLocal, timeZone).getTime() - toInstant(startsLocal, timeZone).getTime()
  return [isAllDay || exact === length ? end : `DURATION:PT${length / 1000}S`]
}

/** UNTIL is of the type of DTSTART: a date, or a time in UTC. */
function formatUntil(until: string, { isAllDay, timeZone }: Schedule): string {
  if (isAllDay) return until.slice(0, 10)
  if (until.endsWith('Z')) return until
  const local = until.length === 10 ? `${until}T23:59:59` : until
  return toInstant(local, timeZone).toISOString().replace('.000Z', 'Z')
}

const basic = (local: string) => local.replace(/[-:]/g, '')
