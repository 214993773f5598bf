// Expands recurrence rules to local times, within limits on steps and occurrences.
import { RRuleTemporal } from 'rrule-temporal'
import { toInstant, toWallClock, wallClockToDate } from '../time.ts'
import type { RecurrenceRule } from './recurrence-rule.ts'
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

/**
 * Returns the occurrences of a rule within the window. Local times that the zone skips are no occurrences, and COUNT does not
 * count them. UNTIL is inclusive: an instant, a local time without `Z`, or a date, which stands for its whole day.
 */
export function expandRule(
  rule: RecurrenceRule,
  start: RuleStart,
  window: ExpansionWindow,
  budget: ExpansionBudget,
): Expansion {
  const starts: string[] = []
  const isPast = pastUntil(rule, start)
  let count = 0
  if (start.isOccurrence) {
    count = 1
    if (start.local >= window.from && start.local <= window.until) starts.push(start.local)
  }
  try {
    for (const local of localTimes(rule, start, window, budget)) {
      if (isPast(local)) break
      if (start.isOccurrence && local === start.local) continue
      if (!start.isDate && !exists(local, start.zoneAt(local))) continue
      count += 1
      if (rule.count !== undefined && count > rule.count) break
      if (local < window.from) continue
      spend(budget, 'occurrences')
      starts.push(local)
    }
    return { starts, isCut: false }
  } catch (error) {
    if (error instanceof BudgetSpent) return { starts, isCut: true }
    throw error
  }
}

class BudgetSpent extends Error {}

function spend(budget: ExpansionBudget, key: keyof ExpansionBudget, amount = 1): void {
  budget[key] -= amount
  if (budget[key] < 0) throw new BudgetSpent()
}

/** The library gives up after this number of periods without an occurrence. */
const maxIterations = 10_000

/** Yields the local times of a rule in order, from the start of the window; with COUNT, from the start of the rule. */
function* localTimes(
  rule: RecurrenceRule,
  start: RuleStart,
  { from, until }: ExpansionWindow,
  budget: ExpansionBudget,
) {
  // A rule for dates ignores the parts for times of day.
  const pattern = start.isDate ? rule.pattern.replace(/;BY(HOUR|MINUTE|SECOND)=[^;]*/g, '') : rule.pattern
  // Computes in UTC, where no local time is skipped.
  const rruleString = `DTSTART:${basic(start.local)}\nRRULE:${pattern};UNTIL=${basic(until)}`
  const library = new RRuleTemporal({ rruleString, maxIterations })
  // For other calendars, the library searches from the start of the rule at each step.
  const stepCost = /RSCALE=(?!GREGORIAN)/.test(pattern) ? 500 : 1
  const isDayOfRule = createYearlyDayPredicate(pattern)
  let after = wallClockToDate(rule.count === undefined && from > start.local ? from : start.local)
  for (let isFirst = true; ; isFirst = false) {
    spend(budget, 'steps', stepCost)
    const next = nextOf(library, after, isFirst, budget)
    if (next === undefined) return
    after = new Date(next)
    if (isDayOfRule(next.slice(0, 19))) yield start.isDate ? `${next.slice(0, 10)}T00:00:00` : next.slice(0, 19)
  }
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
