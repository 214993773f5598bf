// Expands recurrence rules to local times, within limits on steps and occurrences.
import ICAL from 'ical.js'
import { dateWallClock, dayLength, wallClockDate } from '../../time.ts'

/** What all rules of a file may use together. */
export interface ExpansionBudget {
  steps: number
  occurrences: number
}

export const createExpansionBudget = (): ExpansionBudget => ({ steps: 300_000, occurrences: 10_000 })

/** A rule as ical.js parses it (jCal). */
export interface RuleData {
  readonly freq?: string
  readonly until?: string
  readonly [part: string]: unknown
}

interface Bounds {
  /** Local times that occurrences are not before, and before which they are. */
  readonly from: string
  readonly until: string
}

class BudgetSpent extends Error {}

interface Expansion {
  readonly starts: readonly string[]
  /** Whether occurrences are missing because the budget is spent. */
  readonly isCut: boolean
}

/** The local times of a rule within the bounds. `lastStart` is the UNTIL of the rule as local time. */
export function expandRule(
  rule: RuleData,
  start: string,
  { from, until }: Bounds,
  lastStart: string | undefined,
  budget: ExpansionBudget,
): Expansion {
  const starts: string[] = []
  // ical.js adds an interval day by day.
  if (Number(rule.interval ?? 1) > maxInterval) {
    return { starts: start >= from && start < until ? [start] : [], isCut: true }
  }
  try {
    const first = fastForward(rule, start, from)
    for (const local of localTimes(rule, first, Number(until.slice(0, 4)), budget)) {
      if (local >= until || (lastStart !== undefined && local > lastStart)) break
      if (!isPossible(local, rule)) continue
      if (local < from) continue
      budget.occurrences -= 1
      if (budget.occurrences < 0) throw new BudgetSpent()
      starts.push(local)
    }
    return { starts, isCut: false }
  } catch (error) {
    if (error instanceof YearPassed) return { starts, isCut: false }
    if (error instanceof BudgetSpent) return { starts, isCut: true }
    throw error
  }
}

/** In the unit of the frequency. */
const maxInterval = 100_000

/** A later start with the same occurrences from `from` on, so that rules of many years take few steps. */
function fastForward({ freq, count, interval = 1 }: RuleData, start: string, from: string): string {
  if ((freq !== 'DAILY' && freq !== 'WEEKLY') || count !== undefined) return start
  const period = Math.max(Number(interval), 1) * (freq === 'DAILY' ? dayLength : 7 * dayLength)
  const periods = Math.floor((wallClockDate(from).getTime() - wallClockDate(start).getTime()) / period) - 1
  return periods > 0 ? laterLocal(start, periods * period) : start
}

class YearPassed extends Error {}

/** All local times until the end of the year, and perhaps later ones. */
function* localTimes(rule: RuleData, start: string, lastYear: number, budget: ExpansionBudget): Generator<string> {
  const { until: _, ...parts } = rule
  const iterator = ICAL.Recur.fromData(parts).iterator(ICAL.Time.fromDateTimeString(start))
  // The iterator searches without end for an occurrence of a rule such as "daily on 30 February".
  const checkRules = iterator.check_contracting_rules.bind(iterator)
  const spendStep = () => {
    budget.steps -= 1
    if (budget.steps < 0) throw new BudgetSpent()
    if (iterator.last.year > lastYear) throw new YearPassed()
  }
  iterator.check_contracting_rules = () => {
    spendStep()
    return checkRules()
  }
  for (;;) {
    spendStep()
    const next = iterator.next(false)
    if (!next) return
    yield next.toString()
  }
}

/** The iterator returns 2 March for the 30th of February. */
function isPossible(local: string, rule: RuleData): boolean {
  const date = wallClockDate(local)
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()]
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), month, 0)).getUTCDate()
  const days = numbersOf(rule.bymonthday).map((number) => (number < 0 ? lastDay + 1 + number : number))
  const months = numbersOf(rule.bymonth)
  return (days.length === 0 || days.includes(day)) && (months.length === 0 || months.includes(month))
}

const numbersOf = (value: unknown): number[] => (value === undefined ? [] : [value].flat().map(Number))

/** The local time that is `milliseconds` later. */
export const laterLocal = (local: string, milliseconds: number): string =>
  dateWallClock(new Date(wallClockDate(local).getTime() + milliseconds))
