// Expands the schedule of a series to dates: several recurrence rules, extra dates and excluded dates, all as local times of one
// time zone.
import {
  BudgetSpent,
  datesOfRule,
  type ExpansionBudget,
  type ExpansionWindow,
  type RuleDate,
} from '../../basics/dates/recurrence.ts'
import { DomainError, type InputProblem, inputProblemsError } from '../../basics/errors.ts'
import { addMonths, dateToWallClock, toWallClock } from '../../basics/time.ts'
import { computeSchedule } from '../event/schedule.ts'
import {
  type Calendar,
  endOfDate,
  endOfTime,
  isEndless,
  isExcluded,
  type LocalTimes,
  midnight,
  parseSchedule,
  ruleStart,
  type Schedule,
  type SeriesScheduleInput,
  startOf,
} from './schedule.ts'

export interface DateTimes {
  readonly startsLocal: Date
  readonly endsLocal: Date
  readonly startsAt: Date
  readonly endsAt: Date
}

export const timeFields = ['startsLocal', 'endsLocal', 'startsAt', 'endsAt'] as const

export const timesOf = ({ startsLocal, endsLocal, startsAt, endsAt }: DateTimes): DateTimes => ({
  ...{ startsLocal, endsLocal, startsAt, endsAt },
})

export interface SeriesDate extends DateTimes {
  readonly timeZone: string
  readonly isExtra: boolean
  /** Index of the recurrence whose rule has the date; undefined for an extra date. */
  readonly recurrence: number | undefined
}

export interface ExpandedSchedule extends Schedule {
  readonly dates: readonly SeriesDate[]
  /** Local starts of dates of rules that are excluded. */
  readonly excluded: readonly string[]
  /** Local times of rules that do not exist, because the clocks are set forward. */
  readonly skipped: readonly string[]
  /** Excluded dates that are no dates of the series. */
  readonly unusedExclusions: readonly string[]
  readonly isEndless: boolean
  /** The local time until which, inclusive, the rules were expanded; undefined if they have no later dates. */
  readonly computedUntil: string | undefined
}

interface ExpansionOptions {
  /** Local times of the first and the last date to return, both inclusive. Dates of rules before `from` are not computed. */
  readonly from?: string
  /** Default: the horizon of a series that has an end by no rule; without a limit for other series. */
  readonly until?: string
  readonly maxDates?: number
}

/** Expands a schedule. Extra dates have no horizon. Throws badInputError for what is invalid. */
export function expandSchedule(
  input: SeriesScheduleInput,
  now: Date,
  calendar: Calendar,
  { from = '', until, maxDates = 10_000 }: ExpansionOptions = {},
): ExpandedSchedule {
  const schedule = parseSchedule(input, calendar)
  const { recurrences, extraDates } = schedule
  const hasNoEnd = recurrences.some(isEndless)
  const first = recurrences.map(({ startsLocal }) => startsLocal).sort()[0] ?? ''
  const start = [first, toWallClock(now, schedule.timeZone)].sort()[1] ?? first
  const horizon = start < '9900' ? addMonths(start, calendar.seriesHorizonMonths ?? 24) : endOfTime
  const last = until ?? (hasNoEnd ? horizon : endOfTime)
  const { ruleDates, cutAt } = mergeRules(schedule, { from, until: last }, maxDates)
  const starts = ruleDates.map(({ local, ...date }) => ({
    ...date,
    start: startOf(local, schedule.isAllDay, calendar),
  }))
  const included = starts.filter(({ start, isSkipped }) => !isSkipped && !isExcluded(start, schedule))
  const excluded = starts.filter(({ start, isSkipped }) => !isSkipped && isExcluded(start, schedule))
  const dates = [
    ...included.map(({ start, recurrence }) => {
      const times = { startsLocal: start, endsLocal: endOfDate(start, recurrences[recurrence]) }
      return { ...computeTimes(times, schedule, calendar, ['recurrences']), isExtra: false, recurrence }
    }),
    // All are computed, so that an invalid one is never stored.
    ...extraDates.flatMap((times, index) => {
      const computed = computeTimes(times, schedule, calendar, ['extraDates', index])
      const isWithin = times.startsLocal >= from && times.startsLocal <= (until ?? endOfTime)
      return isWithin ? { ...computed, isExtra: true, recurrence: undefined } : []
    }),
  ]
  const computedUntil = cutAt ?? (last === endOfTime ? undefined : last)
  const used = new Set(excluded.flatMap(({ start }) => [start, start.slice(0, 10)]))
  const isComputed = (text: string) => text >= from.slice(0, 10) && text <= (computedUntil ?? endOfTime)
  return {
    ...schedule,
    dates: uniqueByStart(dates).sort((a, b) => a.startsAt.getTime() - b.startsAt.getTime()),
    excluded: [...new Set(excluded.map(({ start }) => start))],
    skipped: [...new Set(starts.filter(({ isSkipped }) => isSkipped).map(({ start }) => start))],
    unusedExclusions: [...schedule.excludedDates].filter((text) => isComputed(text) && !used.has(text)),
    isEndless: hasNoEnd,
    computedUntil,
  }
}

/** Returns the date that a schedule has at a local start; undefined if it has none. */
export function findDate(input: SeriesScheduleInput, startsLocal: Date, now: Date, calendar: Calendar) {
  const local = dateToWallClock(startsLocal)
  const { dates } = expandSchedule(input, now, calendar, { from: midnight(local), until: local })
  return dates.find((date) => date.startsLocal.getTime() === startsLocal.getTime())
}

/** Returns the dates of all rules in order. If there are more than the budget allows, the first ones, until `cutAt`. */
function mergeRules(schedule: Schedule, window: ExpansionWindow, maxDates: number) {
  const budget: ExpansionBudget = { steps: 2 * maxDates, occurrences: maxDates }
  const rules = schedule.recurrences.map((each) => datesOfRule(each.rule, ruleStart(each, schedule), window, budget))
  const ruleDates: (RuleDate & { readonly recurrence: number })[] = []
  try {
    const next = rules.map((rule) => rule.next())
    for (;;) {
      let recurrence = -1
      let earliest: RuleDate | undefined
      next.forEach(({ value }, index) => {
        if (value && (!earliest || value.local < earliest.local)) [earliest, recurrence] = [value, index]
      })
      const rule = rules[recurrence]
      if (!earliest || !rule) return { ruleDates, cutAt: undefined }
      ruleDates.push({ ...earliest, recurrence })
      next[recurrence] = rule.next()
    }
  } catch (error) {
    if (!(error instanceof BudgetSpent)) throw error
    return { ruleDates, cutAt: ruleDates.at(-1)?.local ?? window.from }
  }
}

function computeTimes(times: LocalTimes, schedule: Schedule, calendar: Calendar, path: InputProblem['path']) {
  try {
    const { timeZone, isAllDay: allDay } = schedule
    const { allDay: _, ...computed } = computeSchedule({ ...times, timeZone, allDay }, undefined, calendar)
    return computed
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
    throw inputProblemsError(error.problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] })))
  }
}

/** Dates that start at the same time are one; that of a rule comes first. */
const uniqueByStart = (dates: readonly SeriesDate[]) => [
  ...new Map(dates.toReversed().map((date) => [date.startsLocal.getTime(), date])).values(),
]
