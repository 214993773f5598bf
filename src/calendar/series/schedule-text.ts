// The schedule of a series as lines of iCalendar (RFC 5545).
import { createExpansionBudget, expandRule } from '../../basics/dates/recurrence.ts'
import { addDays, isIanaZone, isUtc, shiftWallClock, toInstant, zoneName } from '../../basics/time.ts'
import {
  type Calendar,
  parseSchedule,
  type Recurrence,
  ruleStart,
  type Schedule,
  type SeriesScheduleInput,
} from './schedule.ts'
import { formatRule, splitRecurrence } from './split-schedule.ts'

/**
 * Returns the lines DTSTART, DTEND, RRULE and EXDATE for each recurrence, which takes a VEVENT of its own; lines are not folded.
 * Extra dates are left out, because calendar programs ignore RDATE: each takes a VEVENT, too. Undefined for a time zone that has
 * no TZID, such as UTC+2.
 */
export function formatSchedule(input: SeriesScheduleInput, calendar: Calendar): string[][] | undefined {
  const schedule = parseSchedule(input, calendar)
  const { isAllDay, timeZone, recurrences } = schedule
  if (!isAllDay && !isIanaZone(timeZone) && !isUtc(timeZone)) return undefined
  return recurrences.flatMap((recurrence) => synchronize(recurrence, schedule)).map((each) => linesOf(each, schedule))
}

/** Whether one VEVENT has all dates of a schedule. */
export const fitsOneEvent = (input: SeriesScheduleInput, calendar: Calendar): boolean =>
  !input.extraDates?.length && formatSchedule(input, calendar)?.length === 1

/** Programs differ about a first date that the rule does not match, so it is written as a date of its own. */
function synchronize(recurrence: Recurrence, schedule: Schedule): Recurrence[] {
  const { startsLocal, rule } = recurrence
  const { local } = ruleStart(recurrence, schedule)
  if (datesBetween(recurrence, local, local, schedule).length > 0) return [recurrence]
  const { before, after } = splitRecurrence(recurrence, shiftWallClock(startsLocal, 1000), schedule)
  const single = before && { ...before, rule: { ...rule, pattern: 'FREQ=DAILY', count: 1, until: undefined } }
  return [single, after].filter((part) => part !== undefined)
}

/** Local times between two local times that the rule matches. */
const datesBetween = (recurrence: Recurrence, from: string, until: string, schedule: Schedule) =>
  expandRule(
    { ...recurrence.rule, count: undefined },
    { ...ruleStart(recurrence, schedule), isOccurrence: false },
    { from, until },
    createExpansionBudget(),
  ).starts

function linesOf(recurrence: Recurrence, schedule: Schedule): string[] {
  const { startsLocal, endsLocal, rule } = recurrence
  const { isAllDay, timeZone, excludedDates } = schedule
  const line = (name: string, local: string) => {
    if (isAllDay) return `${name};VALUE=DATE:${basic(local.slice(0, 10))}`
    return isUtc(timeZone) ? `${name}:${basic(local)}Z` : `${name};TZID=${zoneName(timeZone)}:${basic(local)}`
  }
  // DTEND is after the last day, and not at the start.
  const end = isAllDay ? addDays(endsLocal, 1) : endsLocal
  const pattern = isAllDay ? rule.pattern.replace(/;BY(HOUR|MINUTE|SECOND)=[^;]*/g, '') : rule.pattern
  const excluded = [...excludedDates].sort().flatMap((text) => {
    const [from, until] = text.length === 10 ? [`${text}T00:00:00`, `${text}T23:59:59`] : [text, text]
    return datesBetween(recurrence, from, until, schedule)
  })
  return [
    line('DTSTART', startsLocal),
    ...(end > startsLocal ? [line('DTEND', end)] : []),
    `RRULE:${formatRule({ ...rule, pattern, until: rule.until && formatUntil(rule.until, schedule) })}`,
    ...new Set(excluded.map((local) => line('EXDATE', local))),
  ]
}

/** UNTIL is of the type of DTSTART: a date, or a time in UTC. */
function formatUntil(until: string, { isAllDay, timeZone }: Schedule): string {
  if (isAllDay) return until.slice(0, 10)
  if (until.endsWith('Z')) return until
  const local = until.length === 10 ? `${until}T23:59:59` : until
  return toInstant(local, timeZone).toISOString().replace('.000Z', 'Z')
}

const basic = (local: string) => local.replace(/[-:]/g, '')
