// Splits the schedule of a series at one of its dates, for a change of that date and all that follow.
import {
  BudgetSpent,
  createExpansionBudget,
  datesOfRule,
  type ExpansionBudget,
  expandRule,
  type RuleDate,
} from '../../basics/dates/recurrence.ts'
import { badInputError } from '../../basics/errors.ts'
import { shiftWallClock, toInstant, toWallClock } from '../../basics/time.ts'
import {
  type Calendar,
  endOfDate,
  endOfTime,
  isExcluded,
  midnight,
  parseSchedule,
  type Recurrence,
  ruleStart,
  type Schedule,
  type SeriesScheduleInput,
  startOf,
} from './schedule.ts'

interface SplitSchedule {
  readonly before: SeriesScheduleInput
  readonly after: SeriesScheduleInput
}

/**
 * Splits a schedule: dates from the original start on are those of the second part. Returns undefined if no date is before it,
 * so that the change is one of the whole series.
 */
export function splitSchedule(
  input: SeriesScheduleInput,
  originalStart: string,
  calendar: Calendar,
): SplitSchedule | undefined {
  const schedule = parseSchedule(input, calendar)
  const at = startOf(originalStart, schedule.isAllDay, calendar)
  const { timeZone, isAllDay, extraDates } = schedule
  const parts = schedule.recurrences.map((recurrence) => {
    const part = splitRecurrence(recurrence, at, schedule)
    if (part.before && part.after && losesPhase(recurrence, part.after))
      throw badInputError({
        scope:
          'A rule with BYWEEKNO and INTERVAL cannot be split at a date whose week belongs to another year. Name another date.',
      })
    return part
  })
  const excludedDates = [...schedule.excludedDates]
  const common = { timeZone, allDay: isAllDay }
  const before = {
    ...common,
    recurrences: parts.flatMap((part) => toInput(part.before)),
    extraDates: extraDates.filter(({ startsLocal }) => startsLocal < at),
    // Days are on both sides of a time of the same day.
    excludedDates: excludedDates.filter((text) => text < at),
  }
  if (before.recurrences.length === 0 && before.extraDates.length === 0) return undefined
  const after = {
    ...common,
    recurrences: parts.flatMap((part) => toInput(part.after)),
    extraDates: extraDates.filter(({ startsLocal }) => startsLocal >= at),
    excludedDates: excludedDates.filter((text) => text >= at.slice(0, text.length)),
  }
  return { before, after }
}

/** Whether a rule that starts at the later date counts other years: a week can begin, or end, in the year before or after its own. */
const losesPhase = ({ startsLocal, rule }: Recurrence, after: Recurrence) => {
  const interval = Number(/INTERVAL=(\d+)/.exec(rule.pattern)?.[1] ?? 1)
  const years = Number(after.startsLocal.slice(0, 4)) - Number(startsLocal.slice(0, 4))
  return rule.pattern.includes('BYWEEKNO=') && years % interval !== 0
}

const toInput = (recurrence: Recurrence | undefined) =>
  recurrence ? [{ ...recurrence, rule: formatRule(recurrence.rule) }] : []

interface SplitRecurrence {
  readonly before: Recurrence | undefined
  readonly after: Recurrence | undefined
}

/** Splits a recurrence. A part without dates is undefined; the first part also if all its dates are excluded. */
export function splitRecurrence(
  recurrence: Recurrence,
  at: string,
  schedule: Schedule,
  budget = createExpansionBudget(),
): SplitRecurrence {
  const { startsLocal, rule } = recurrence
  if (firstStart(startsLocal, schedule) >= at) return { before: undefined, after: recurrence }
  const next = firstDate(recurrence, schedule.isAllDay ? midnight(at) : at, schedule, budget)
  const hasBefore = hasDates(recurrence, at, schedule)
  if (!next) return { before: hasBefore ? recurrence : undefined, after: undefined }
  const start = next.local.slice(0, 10) + (schedule.isAllDay ? startsLocal : next.local).slice(10)
  const times = { startsLocal: start, endsLocal: endOfDate(start, recurrence) }
  const count = rule.count === undefined ? undefined : next.count - 1
  const until = rule.count === undefined ? endBefore(at, schedule) : undefined
  return {
    before: hasBefore ? { ...recurrence, rule: { ...rule, count, until } } : undefined,
    after: { ...times, rule: count === undefined ? rule : { ...rule, count: (rule.count ?? 0) - count } },
  }
}

/** The local time of the first date: in the gap of a clock change, it is moved forward. */
const firstStart = (startsLocal: string, { isAllDay, timeZone }: Schedule): string =>
  isAllDay ? startsLocal : toWallClock(toInstant(startsLocal, timeZone), timeZone)

/** Returns the first date of a rule from a local time on. */
function firstDate(
  recurrence: Recurrence,
  from: string,
  schedule: Schedule,
  budget: ExpansionBudget,
): RuleDate | undefined {
  const start = ruleStart(recurrence, schedule)
  try {
    const dates = datesOfRule(recurrence.rule, start, { from, until: endOfTime }, budget)
    for (const date of dates) if (!date.isSkipped) return date
    return undefined
  } catch (error) {
    // A rule such as 30 February has no date that could be found.
    if (error instanceof BudgetSpent) return undefined
    throw error
  }
}

/** Whether the recurrence has a date before a local time that is not excluded. */
function hasDates(recurrence: Recurrence, at: string, schedule: Schedule): boolean {
  // As many dates as could be excluded, and one more.
  const budget = { ...createExpansionBudget(), occurrences: schedule.excludedDates.size + 1 }
  const start = ruleStart(recurrence, schedule)
  const window = { from: start.local, until: shiftWallClock(schedule.isAllDay ? midnight(at) : at, -1000) }
  return expandRule(recurrence.rule, start, window, budget).starts.some((local) => !isExcluded(local, schedule))
}

/** Returns UNTIL for a rule that ends one second before a local time, or on the day before. */
function endBefore(at: string, { isAllDay, timeZone }: Schedule): string {
  if (isAllDay) return shiftWallClock(midnight(at), -1000).slice(0, 10)
  return new Date(toInstant(at, timeZone).getTime() - 1000).toISOString().replace('.000Z', 'Z')
}

/** Returns the text of a rule. */
export const formatRule = ({
  pattern,
  count,
  until,
}: Pick<Recurrence['rule'], 'pattern' | 'count' | 'until'>): string =>
  [
    pattern,
    ...(count === undefined ? [] : [`COUNT=${count}`]),
    ...(until === undefined ? [] : [`UNTIL=${until.replace(/[-:]/g, '')}`]),
  ].join(';')
