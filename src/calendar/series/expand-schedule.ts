// Expands the schedule of a series to dates: several recurrence rules, extra dates and excluded dates, all as local times of one
// time zone.

import { createExpansionBudget, expandRule } from '../../basics/dates/recurrence.ts'
import { parseRule, type RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import type { Settings } from '../../basics/env.ts'
import { DomainError, type InputProblem, inputProblemsError } from '../../basics/errors.ts'
import { addDays, addMonths, isZone, toInstant, toWallClock, wallClockToDate } from '../../basics/time.ts'
import { computeSchedule } from '../event/schedule.ts'

interface RecurrenceInput {
  /** The first date. It is a date of the series even if the rule does not match it, and COUNT counts it. */
  readonly startsLocal: string
  readonly endsLocal: string
  readonly rule: string
}

export interface SeriesScheduleInput {
  readonly timeZone?: string | null | undefined
  readonly allDay?: boolean | null | undefined
  readonly recurrences: readonly RecurrenceInput[]
  readonly extraDates?:
    | readonly { readonly startsLocal: string; readonly endsLocal?: string | null | undefined }[]
    | null
    | undefined
  /** Days, or local times if a day has several dates. */
  readonly excludedDates?: readonly string[] | null | undefined
}

/** A recurrence whose rule was parsed. */
export interface Recurrence extends Omit<RecurrenceInput, 'rule'> {
  readonly rule: RecurrenceRule
}

export interface SeriesDate {
  readonly startsLocal: Date
  readonly endsLocal: Date
  readonly startsAt: Date
  readonly endsAt: Date
  readonly timeZone: string
  readonly isExtra: boolean
}

export interface ExpandedSchedule {
  readonly recurrences: readonly Recurrence[]
  readonly dates: readonly SeriesDate[]
  /** Local times of rules that do not exist, because the clocks are set forward. */
  readonly skipped: readonly string[]
  /** Excluded dates that are no dates of the series. */
  readonly unusedExclusions: readonly string[]
  readonly isEndless: boolean
  /** Whether later dates were not computed, because they are after the horizon, or because there are too many. */
  readonly isCut: boolean
}

type Calendar = Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff'>

/** How far ahead the dates of a series are computed. */
const horizonMonths = 24

/** Expands a schedule from its first date to the horizon. Throws badInputError for what is invalid. */
export function expandSchedule(input: SeriesScheduleInput, now: Date, calendar: Calendar): ExpandedSchedule {
  const timeZone = input.timeZone || calendar.siteTimeZone
  const recurrences = parseRecurrences(input, timeZone)
  const isAllDay = input.allDay ?? false
  const budget = createExpansionBudget()
  const starts = new Map<string, string>()
  const skipped = new Set<string>()
  let isCut = false
  for (const { rule, startsLocal, endsLocal } of recurrences) {
    const first = isAllDay ? `${startsLocal.slice(0, 10)}T00:00:00` : startsLocal
    const until = addMonths([first, toWallClock(now, timeZone)].sort().at(-1) ?? first, horizonMonths)
    const zone = isAllDay ? 'UTC' : timeZone
    const start = { local: first, isDate: isAllDay, isOccurrence: true, zoneAt: () => zone }
    const expansion = expandRule(rule, start, { from: first, until }, budget)
    for (const local of expansion.starts) starts.set(local, shiftEnd(local, startsLocal, endsLocal))
    isCut ||=
      expansion.isCut || (rule.count === undefined && (rule.until === undefined || rule.until.slice(0, 10) > until))
    const last = expansion.starts.at(-1) ?? first
    const floating = expandRule(
      { ...rule, count: undefined },
      { ...start, zoneAt: () => 'UTC' },
      { from: first, until: last },
      budget,
    )
    for (const local of isAllDay ? [] : floating.starts) if (!exists(local, timeZone)) skipped.add(local)
  }
  const excluded = new Set(input.excludedDates ?? [])
  const isExcluded = (local: string) => excluded.has(local) || excluded.has(local.slice(0, 10))
  const unusedExclusions = [...excluded].filter((each) => ![...starts.keys()].some((local) => local.startsWith(each)))
  const [{ startsLocal = '', endsLocal = '' } = {}] = recurrences
  const extras = (input.extraDates ?? []).map((date, index) => {
    return { start: date.startsLocal, end: date.endsLocal ?? shiftEnd(date.startsLocal, startsLocal, endsLocal), index }
  })
  const ofRules = [...starts]
    .filter(([local]) => !isExcluded(local))
    .map(([start, end]) => ({ start, end, index: undefined }))
  const dates = [...ofRules, ...extras.filter(({ start }) => !starts.has(start) || isExcluded(start))].map(
    ({ start, end, index }): SeriesDate => {
      const path = index === undefined ? ['recurrences'] : ['extraDates', index]
      const { allDay: _, ...times } = atPath(path, () =>
        computeSchedule({ startsLocal: start, endsLocal: end, timeZone, allDay: isAllDay }, undefined, calendar),
      )
      return { ...times, isExtra: index !== undefined }
    },
  )
  return {
    recurrences,
    dates: dates.sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
    skipped: [...skipped].sort(),
    unusedExclusions,
    isEndless: recurrences.some(({ rule }) => rule.count === undefined && rule.until === undefined),
    isCut,
  }
}

function parseRecurrences({ recurrences }: SeriesScheduleInput, timeZone: string): Recurrence[] {
  const problems: InputProblem[] = []
  if (!isZone(timeZone))
    problems.push({ path: ['timeZone'], message: 'timeZone must be an IANA time zone such as Europe/Paris.' })
  if (recurrences.length === 0) problems.push({ path: ['recurrences'], message: 'Send at least one recurrence.' })
  const parsed = recurrences.flatMap(({ rule: text, ...times }, index): Recurrence[] => {
    const rule = parseRule(text.replace(/^RRULE:/i, ''))
    const reason = typeof rule === 'string' ? rule : reasonAgainst(rule, times)
    if (typeof rule !== 'string' && reason === undefined) return [{ ...times, rule }]
    problems.push({ path: ['recurrences', index, 'rule'], message: `The rule cannot be used: ${reason}.` })
    return []
  })
  if (problems.length > 0) throw inputProblemsError(problems)
  return parsed
}

function reasonAgainst(
  { pattern, count, until, isWithinDays }: RecurrenceRule,
  { startsLocal, endsLocal }: Omit<RecurrenceInput, 'rule'>,
) {
  // The library takes up to 100 ms for each date of another calendar.
  if (/RSCALE=(?!GREGORIAN)/.test(pattern)) return 'it is of another calendar than the Gregorian'
  if (count !== undefined && until !== undefined) return 'it has both COUNT and UNTIL; send one of them'
  if (isWithinDays) return 'it repeats within a day; send a recurrence for each time of day'
  return endsLocal < startsLocal ? 'endsLocal is before startsLocal' : undefined
}

/** Returns the end of a date: as many days after its start, and at the same time of day, as the end of the first date. */
function shiftEnd(start: string, firstStart: string, firstEnd: string): string {
  const days = (wallClockToDate(dayOf(firstEnd)).getTime() - wallClockToDate(dayOf(firstStart)).getTime()) / 86_400_000
  return addDays(dayOf(start), days).slice(0, 10) + firstEnd.slice(10)
}

const dayOf = (local: string) => `${local.slice(0, 10)}T00:00:00`

const exists = (local: string, zone: string) => toWallClock(toInstant(local, zone), zone) === local

function atPath<Result>(path: InputProblem['path'], work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw inputProblemsError(error.problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
  }
}
