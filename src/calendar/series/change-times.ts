// Moves the dates of a rule to another time of day, or to another day of the week.
import { badInputError } from '../../basics/errors.ts'
import { addDays, dateToWallClock, dayMs, wallClockToDate } from '../../basics/time.ts'
import type { SeriesScheduleInput } from './schedule.ts'
import { type LocalTimes, midnight } from './schedule.ts'
import type { StoredSchedule } from './stored-schedule.ts'

const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const daysBetween = (from: string, to: string) =>
  (wallClockToDate(midnight(to)).getTime() - wallClockToDate(midnight(from)).getTime()) / dayMs

/** Returns the schedule in which the date that starts at `start` has other times, and all others of its rule alike. */
export function changeTimes(
  schedule: SeriesScheduleInput & StoredSchedule,
  start: string,
  times: LocalTimes,
): SeriesScheduleInput & StoredSchedule {
  const days = daysBetween(start, times.startsLocal)
  const lasts = daysBetween(times.startsLocal, times.endsLocal)
  const milliseconds = wallClockToDate(times.startsLocal).getTime() - wallClockToDate(start).getTime()
  const timeOfDay = start.slice(11)
  const isOfRule = ({ startsLocal }: LocalTimes) => schedule.allDay || startsLocal.slice(11) === timeOfDay
  if (schedule.extraDates.some(({ startsLocal }) => startsLocal === start) || !schedule.recurrences.some(isOfRule))
    throw badInputError({
      startsLocal: 'No rule has this date. Send the new schedule with updateEventSeries, or the scope THIS.',
    })
  const recurrences = schedule.recurrences.map((recurrence) => {
    if (!isOfRule(recurrence)) return recurrence
    const day = addDays(midnight(recurrence.startsLocal), days)
    return {
      startsLocal: day.slice(0, 10) + times.startsLocal.slice(10),
      endsLocal: addDays(day, lasts).slice(0, 10) + times.endsLocal.slice(10),
      rule: moveUntil(moveWeekdays(recurrence.rule, days), milliseconds, days),
    }
  })
  const movesAll = schedule.recurrences.every(isOfRule)
  const excludedDates = schedule.excludedDates.map((local) => {
    if (local.length === 10) return movesAll ? addDays(`${local}T00:00:00`, days).slice(0, 10) : local
    if (local.slice(11) !== timeOfDay) return local
    return addDays(midnight(local), days).slice(0, 10) + times.startsLocal.slice(10)
  })
  return { ...schedule, recurrences, excludedDates }
}

function moveWeekdays(rule: string, days: number): string {
  if (days % 7 === 0) return rule
  const isWeekly = /FREQ=WEEKLY/i.test(rule) && !/BYSETPOS/i.test(rule)
  const isPlain = !/BY(DAY|MONTHDAY|YEARDAY|WEEKNO|MONTH|SETPOS)=/i.test(rule)
  if (!isWeekly && !isPlain)
    throw badInputError({
      startsLocal:
        'The rule cannot move to another day. Send the new schedule with updateEventSeries, or the scope THIS.',
    })
  return rule.replace(/(?<=BYDAY=)[A-Z,]+/i, (list) =>
    list
      .split(',')
      .map((day) => weekdays[(((weekdays.indexOf(day.toUpperCase()) + days) % 7) + 7) % 7])
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
