// Moves the dates of a rule to another time of day, or to another day of the week.
import { weekdayCodes } from '../../basics/dates/week.ts'
import { badInputError } from '../../basics/errors.ts'
import { addDays, dateToWallClock, dayMs, wallClockToDate } from '../../basics/time.ts'
import type { Context } from '../../service/context.ts'
import { expandSchedule, findDate } from './expand-schedule.ts'
import { type LocalTimes, midnight, type SeriesScheduleInput } from './schedule.ts'
import type { StoredSchedule } from './stored-schedule.ts'

const daysBetween = (from: string, to: string) =>
  (wallClockToDate(midnight(to)).getTime() - wallClockToDate(midnight(from)).getTime()) / dayMs

export interface ChangedTimes {
  readonly schedule: SeriesScheduleInput & StoredSchedule
  /** Index of the recurrence rule whose dates move. */
  readonly recurrence: number
  /** Returns the local start of a date of this rule after the move. */
  newStartOf(local: string): string
}

/** Returns the schedule in which the date that starts at `start` has other times, and all others of its rule alike. */
export function changeTimes(
  schedule: SeriesScheduleInput & StoredSchedule,
  start: Date,
  times: LocalTimes,
  { now, settings }: Pick<Context, 'now' | 'settings'>,
): ChangedTimes {
  const index = findDate(schedule, start, now, settings)?.recurrence ?? -1
  const recurrence = schedule.recurrences[index]
  if (!recurrence)
    throw badInputError({
      startsLocal:
        'No rule of the schedule has this date, so it cannot move others. Use the scope THIS to move it alone, or updateEventSeries to change the schedule.',
    })
  const days = daysBetween(dateToWallClock(start), times.startsLocal)
  const milliseconds = wallClockToDate(times.startsLocal).getTime() - start.getTime()
  const day = addDays(midnight(recurrence.startsLocal), days)
  const moved = {
    startsLocal: day.slice(0, 10) + times.startsLocal.slice(10),
    endsLocal: addDays(day, daysBetween(times.startsLocal, times.endsLocal)).slice(0, 10) + times.endsLocal.slice(10),
    rule: moveUntil(moveWeekdays(recurrence.rule, days), milliseconds, days),
  }
  const recurrences = schedule.recurrences.with(index, moved)
  const until = `${(schedule.excludedDates.at(-1) ?? times.startsLocal).slice(0, 10)}T23:59:59`
  const alone = { ...schedule, recurrences: [recurrence], extraDates: [] }
  const { excluded } = expandSchedule(alone, now, settings, { until })
  const excludedDates = schedule.excludedDates.map((text) => {
    const local = excluded.find((each) => each.startsWith(schedule.allDay ? text.slice(0, 10) : text))
    if (!local || (days === 0 && text.length === 10)) return text
    const other = addDays(midnight(local), days).slice(0, 10)
    return recurrences.length === 1 && text.length === 10 ? other : other + times.startsLocal.slice(10)
  })
  const after = { ...schedule, recurrences, excludedDates }
  if (findDate(after, wallClockToDate(times.startsLocal), now, settings)?.recurrence !== index) throw missingDateError()
  return {
    schedule: after,
    recurrence: index,
    newStartOf: (local) => addDays(midnight(local), days).slice(0, 10) + times.startsLocal.slice(10),
  }
}

/** The error of a move after which the schedule would not contain the moved date. */
export const missingDateError = () =>
  badInputError({
    startsLocal:
      'The changed rule would have no date on that day, or only days that are over. Use the scope THIS to move one date, or updateEventSeries to change the schedule.',
  })

function moveWeekdays(rule: string, days: number): string {
  if (days % 7 === 0) return rule
  const isWeekly = /FREQ=WEEKLY/i.test(rule) && !/BYSETPOS/i.test(rule)
  const isPlain = !/BY(DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)=/i.test(rule)
  if (!isWeekly && !isPlain)
    throw badInputError({
      startsLocal:
        'The rule selects days, so its dates cannot move to other days. Use the scope THIS to move one date, or updateEventSeries to change the schedule.',
    })
  return rule.replace(/(?<=BYDAY=)[A-Z,]+/i, (list) =>
    list
      .split(',')
      .map((day) => weekdayCodes[(((weekdayCodes.indexOf(day.toUpperCase()) + days) % 7) + 7) % 7])
      .join(),
  )
}

/** Moves UNTIL with the dates, so that the last date stays one of the rule. */
const moveUntil = (rule: string, milliseconds: number, days: number): string =>
  rule.replace(/(?<=UNTIL=)(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?/i, (...parts: string[]) => {
    const [, year, month, day, hour, minute, second, utc] = parts
    const local = `${year}-${month}-${day}T${hour ?? '00'}:${minute ?? '00'}:${second ?? '00'}`
    if (hour === undefined) return addDays(local, days).slice(0, 10).replaceAll('-', '')
    const moved = dateToWallClock(new Date(wallClockToDate(local).getTime() + milliseconds))
    return `${moved.replace(/[-:]/g, '')}${utc}`
  })
