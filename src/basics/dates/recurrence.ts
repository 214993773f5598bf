// Expands recurrence rules to local times, within limits on steps and occurrences.
import { RRuleTemporal } from 'rrule-temporal'
import { dayMs, toInstant, toWallClock, wallClockToDate } from '../time.ts'
import type { RecurrenceRule } from './recurrence-rule.ts'
import { weekday, weekdayCodes } from './week.ts'
import { createYearlyDayPredicate } from './yearly-days.ts'

/** The work that the expansion of rules may still do; several rules can share a budget. */
export interface ExpansionBudget {
  steps: number
  occurrences: number
}

export const createExpansionBudget = (): ExpansionBudget => ({ steps: 200_000, occurrences: 10_000 })

/** Where a recurrence rule starts (DTSTART). */
export interface RuleStart {
  readonly local: string
  readonly isDate: boolean
  /** Whether the start is the first occurrence, and counts for COUNT, even if the rule does not match it. */
  readonly isOccurrence: boolean
  /** Returns the time zone of a local time. Differs between times only in zones that an iCalendar file defines by offsets. */
  zoneAt(local: string): string
}

/** The period whose occurrences are returned. */
export interface ExpansionWindow {
  readonly from: string
  readonly until: string
}

interface Expansion {
  readonly starts: readonly string[]
  /** Whether occurrences are missing because the expansion budget was used up. */
  readonly isCut: boolean
}

/** Returns the occurrences of a rule within the window, as `datesOfRule` yields them. */
export function expandRule(
  rule: RecurrenceRule,
  start: RuleStart,
  window: ExpansionWindow,
  budget: ExpansionBudget,
): Expansion {
  const starts: string[] = []
  try {
    for (const { local, isSkipped } of datesOfRule(rule, start, window, budget)) if (!isSkipped) starts.push(local)
    return { starts, isCut: false }
  } catch (error) {
    if (error instanceof BudgetSpent) return { starts, isCut: true }
    throw error
  }
}

export interface RuleDate {
  readonly local: string
  /** Whether the zone skips the local time: it is no occurrence, and COUNT does not count it. */
  readonly isSkipped: boolean
  /** How many occurrences the rule has until this one. Of use with COUNT only: else, those before the window are not computed. */
  readonly count: number
}

/**
 * Yields the local times of a rule within the window in order, and throws BudgetSpent when the budget is used up. UNTIL is
 * inclusive: an instant, a local time without `Z`, or a date, which stands for its whole day.
 */
export function* datesOfRule(
  rule: RecurrenceRule,
  start: RuleStart,
  window: ExpansionWindow,
  budget: ExpansionBudget,
): Generator<RuleDate, void> {
  const isPast = pastUntil(rule, start)
  let count = 0
  if (start.isOccurrence) {
    count = 1
    if (start.local >= window.from && start.local <= window.until) yield { local: start.local, isSkipped: false, count }
  }
  for (const local of localTimes(rule, start, window, budget)) {
    if (isPast(local) || (rule.count !== undefined && count >= rule.count)) return
    if (start.isOccurrence && local === start.local) continue
    const isSkipped = !start.isDate && !exists(local, start.zoneAt(local))
    if (!isSkipped) count += 1
    if (local < window.from) continue
    if (!isSkipped) spend(budget, 'occurrences')
    yield { local, isSkipped, count }
  }
}

export class BudgetSpent extends Error {}

function spend(budget: ExpansionBudget, key: keyof ExpansionBudget, amount = 1): void {
  budget[key] -= amount
  if (budget[key] < 0) throw new BudgetSpent()
}

/** The library gives up after this number of periods without an occurrence. */
const maxIterations = 10_000

/** The calendar repeats after 400 years: a yearly rule without a date for longer has no more, as far as INTERVAL=1 goes. */
const maxYears = 1000

/** Yields the local times of a rule in order, from the start of the window; with COUNT, from the start of the rule. */
function* localTimes(
  rule: RecurrenceRule,
  start: RuleStart,
  { from, until }: ExpansionWindow,
  budget: ExpansionBudget,
) {
  // Another rule may have spent the shared budget.
  spend(budget, 'steps', 0)
  // A rule for dates ignores the parts for times of day.
  const times = start.isDate ? rule.pattern.replace(/;BY(HOUR|MINUTE|SECOND)=[^;]*/g, '') : rule.pattern
  const pattern = times + impliedWeekday(times, start)
  // Computes in UTC, where no local time is skipped.
  const rruleString = `DTSTART:${basic(start.local)}\nRRULE:${pattern};UNTIL=${basic(until)}`
  const isYearly = pattern.includes('FREQ=YEARLY')
  const library = new RRuleTemporal({ rruleString, maxIterations: isYearly ? maxYears : maxIterations })
  const stepsBetween = stepCost(pattern)
  const isDayOfRule = createYearlyDayPredicate(pattern)
  let after = wallClockToDate(rule.count === undefined && from > start.local ? from : start.local)
  for (let isFirst = true; ; isFirst = false) {
    const next = nextOf(library, after, isFirst, budget)
    // What is not found took as many steps as years were searched.
    spend(budget, 'steps', next === undefined && isYearly ? maxYears : stepsBetween(after, next))
    if (next === undefined) return
    after = new Date(next)
    if (isDayOfRule(next.slice(0, 19))) yield start.isDate ? `${next.slice(0, 10)}T00:00:00` : next.slice(0, 19)
  }
}

/** The weekday that BYWEEKNO implies, which the library would take from a date in between. */
const impliedWeekday = (pattern: string, { local }: RuleStart): string =>
  /BYWEEKNO=/.test(pattern) && !/BY(DAY|MONTHDAY|YEARDAY)=/.test(pattern)
    ? `;BYDAY=${weekdayCodes[weekday(local.slice(0, 10)) - 1]}`
    : ''

/** Returns how much work it is to find the next occurrence: the library visits each period between both, each day of a year. */
function stepCost(pattern: string): (after: Date, next: string | undefined) => number {
  // For other calendars, the library searches from the start of the rule at each step.
  if (/RSCALE=(?!GREGORIAN)/.test(pattern)) return () => 500
  const interval = Number(/INTERVAL=(\d+)/.exec(pattern)?.[1] ?? 1)
  const periodDays = pattern.includes('FREQ=DAILY') ? interval : 30
  return (after, next) => Math.max(1, (next ? Date.parse(next) - after.getTime() : 0) / dayMs / periodDays)
}

const basic = (local: string) => `${local.replace(/[-:]/g, '')}Z`

function nextOf(library: RRuleTemporal, after: Date, isInclusive: boolean, budget: ExpansionBudget) {
  try {
    return library.next(after, isInclusive)?.toInstant().toString()
  } catch (error) {
    // The next time would be later than a JavaScript Date can express.
    if (error instanceof RangeError) return undefined
    budget.steps -= maxIterations
    throw new BudgetSpent()
  }
}

const exists = (local: string, zone: string) => toWallClock(toInstant(local, zone), zone) === local

function pastUntil({ until }: RecurrenceRule, { isDate, zoneAt }: RuleStart): (local: string) => boolean {
  if (until === undefined) return () => false
  const isInstant = until.endsWith('Z')
  if (isInstant && !isDate) return (local) => toInstant(local, zoneAt(local)) > new Date(until)
  if (until.includes('T') && !isDate) return (local) => local > until
  const last = isInstant ? dayOfInstant(until, zoneAt(until.slice(0, 19))) : until.slice(0, 10)
  return (local) => local.slice(0, 10) > last
}

/**
 * Converts an instant in a list of dates, such as EXDATE, to a day: the day in the zone if the instant is midnight or one second
 * before midnight in that zone, otherwise the date in the text.
 */
export function dayOfInstant(iso: string, zone: string): string {
  const local = toWallClock(new Date(iso), zone)
  return (/T(00:00:00|23:59:59)$/.test(local) ? local : iso).slice(0, 10)
}
