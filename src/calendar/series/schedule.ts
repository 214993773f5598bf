// The schedule of a series as it is sent and stored, and as it is computed with.
import type { RuleStart } from '../../basics/dates/recurrence.ts'
import { parseRule, type RecurrenceRule } from '../../basics/dates/recurrence-rule.ts'
import type { Settings } from '../../basics/env.ts'
import { type InputProblem, inputProblemsError } from '../../basics/errors.ts'
import { addDays, addMonths, dayMs, isZone, startOfDay, wallClockToDate } from '../../basics/time.ts'

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

/** A start and an end as local times. Days of an all-day series start and end when the day begins. */
export interface LocalTimes {
  readonly startsLocal: string
  readonly endsLocal: string
}

/** A recurrence whose rule was parsed. */
export interface Recurrence extends LocalTimes {
  readonly rule: RecurrenceRule
}

export interface Schedule {
  readonly timeZone: string
  readonly isAllDay: boolean
  readonly recurrences: readonly Recurrence[]
  readonly extraDates: readonly LocalTimes[]
  readonly excludedDates: ReadonlySet<string>
}

/** After this time, time zones could move dates out of the supported years. */
export const endOfTime = '9998-12-31T23:59:59'
const startsTooLate = 'it starts after the year 9998'

export type Calendar = Pick<Settings, 'siteTimeZone' | 'endOfDayCutoff'> &
  Partial<Pick<Settings, 'seriesHorizonMonths'>>

/** Parses a schedule. Throws badInputError for what is invalid. */
export function parseSchedule(input: SeriesScheduleInput, { siteTimeZone, endOfDayCutoff }: Calendar): Schedule {
  const timeZone = input.timeZone || siteTimeZone
  const isAllDay = input.allDay ?? false
  const problems: InputProblem[] = []
  if (!isZone(timeZone))
    problems.push({ path: ['timeZone'], message: 'timeZone must be an IANA time zone such as Europe/Paris.' })
  if (input.recurrences.length === 0 && !input.extraDates?.length)
    problems.push({ path: ['recurrences'], message: 'Send at least one recurrence or extra date.' })
  const toTime = (local: string) => startOf(local, isAllDay, { endOfDayCutoff })
  const recurrences = input.recurrences.flatMap(({ rule: text, ...times }, index): Recurrence[] => {
    const [startsLocal, endsLocal] = [toTime(times.startsLocal), toTime(times.endsLocal)]
    const rule = parseRule(text.replace(/^RRULE:/i, ''))
    const reason = typeof rule === 'string' ? rule : reasonAgainst({ startsLocal, endsLocal, rule })
    if (typeof rule !== 'string' && reason === undefined) return [{ startsLocal, endsLocal, rule }]
    problems.push({ path: ['recurrences', index, 'rule'], message: `The rule cannot be used: ${reason}.` })
    return []
  })
  const extraDates = (input.extraDates ?? []).map(({ startsLocal, endsLocal }, index) => {
    if (endsLocal == null && input.recurrences.length === 0)
      problems.push({ path: ['extraDates', index, 'endsLocal'], message: 'An end is required without a recurrence.' })
    const start = toTime(startsLocal)
    if (start > endOfTime)
      problems.push({ path: ['extraDates', index, 'startsLocal'], message: `Not possible: ${startsTooLate}.` })
    const end = endsLocal == null ? endOfDate(start, recurrences[0]) : toTime(endsLocal)
    if (end < start)
      problems.push({ path: ['extraDates', index, 'endsLocal'], message: 'The end must not be before the start.' })
    return { startsLocal: start, endsLocal: end }
  })
  if (problems.length > 0) throw inputProblemsError(problems)
  const excludedDates = new Set(input.excludedDates?.map((each) => (isAllDay ? each.slice(0, 10) : withSeconds(each))))
  return { timeZone, isAllDay, recurrences, extraDates, excludedDates }
}

function reasonAgainst({ startsLocal, endsLocal, rule: { pattern, count, until, isWithinDays } }: Recurrence) {
  // The library takes up to 100 ms for each date of another calendar.
  if (/RSCALE=(?!GREGORIAN)/.test(pattern)) return 'it is of another calendar than the Gregorian'
  if (count !== undefined && until !== undefined) return 'it has both COUNT and UNTIL; send one of them'
  if (isWithinDays) return 'it repeats within a day; send a recurrence for each time of day'
  if (startsLocal > endOfTime) return startsTooLate
  if (endsLocal > addMonths(startsLocal, 12)) return 'its dates last more than a year'
  return endsLocal < startsLocal ? 'endsLocal is before startsLocal' : undefined
}

/** The local start of a date: of whole days, the begin of the day. */
export const startOf = (local: string, isAllDay: boolean, { endOfDayCutoff }: Pick<Calendar, 'endOfDayCutoff'>) =>
  isAllDay ? startOfDay(local.slice(0, 10), endOfDayCutoff) : local

/** A local time may be without seconds. */
export const withSeconds = (text: string) => (text.length === 16 ? `${text}:00` : text)

/** Where the rule of a recurrence starts. A day of an all-day series stands for its midnight here. */
export const ruleStart = ({ startsLocal }: LocalTimes, { isAllDay, timeZone }: Schedule): RuleStart => ({
  local: isAllDay ? midnight(startsLocal) : startsLocal,
  isDate: isAllDay,
  isOccurrence: true,
  zoneAt: () => (isAllDay ? 'UTC' : timeZone),
})

/** Returns the end of a date: as many days after its start, and at the same time of day, as the end of the first date. */
export function endOfDate(start: string, first: LocalTimes | undefined): string {
  const { startsLocal, endsLocal } = first ?? { startsLocal: start, endsLocal: start }
  const [from, to] = [startsLocal, endsLocal].map((local) => wallClockToDate(midnight(local)).getTime())
  return addDays(midnight(start), ((to ?? 0) - (from ?? 0)) / dayMs).slice(0, 10) + endsLocal.slice(10)
}

export const midnight = (local: string) => `${local.slice(0, 10)}T00:00:00`

/** Whether a date of a rule is excluded, by its day or its local time. */
export const isExcluded = (local: string, { excludedDates }: Pick<Schedule, 'excludedDates'>): boolean =>
  excludedDates.has(local) || excludedDates.has(local.slice(0, 10))

export const isEndless = ({ rule }: Recurrence): boolean => rule.count === undefined && rule.until === undefined
