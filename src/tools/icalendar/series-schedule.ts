// Reads RRULE, RDATE and EXDATE of an event as the schedule of a series.
import { dayOfInstant } from '../../basics/dates/recurrence.ts'
import { parseRule } from '../../basics/dates/recurrence-rule.ts'
import { DomainError } from '../../basics/errors.ts'
import { addDays, dateToWallClock, dayMs, shiftWallClock, toWallClock } from '../../basics/time.ts'
import { type Calendar, type LocalTimes, midnight, parseSchedule } from '../../calendar/series/schedule.ts'
import { splitSchedule } from '../../calendar/series/split-schedule.ts'
import type { ExtraDateInput, RecurrenceInput } from '../../generated/graphql/graphql.ts'
import { type Component, findProperties, parameterOf } from './parse-components.ts'
import {
  addDuration,
  type DateOrTime,
  type EventTimes,
  instantOf,
  parseEventDuration,
  timesStartingAt,
  toDateOrTime,
} from './times.ts'
import type { ZoneFinder } from './zone-finder.ts'

export interface SeriesSchedule {
  readonly timeZone: string
  readonly allDay: boolean
  readonly recurrences: RecurrenceInput[]
  readonly extraDates: ExtraDateInput[]
  readonly excludedDates: string[]
}

interface Options {
  readonly zones: ZoneFinder
  readonly calendar: Calendar
  note(text: string): void
}

/** Whether an event has rules or further dates, even if they cannot be read. */
export const isRecurring = (component: Component): boolean => findProperties(component, 'rrule', 'rdate').length > 0

/** Returns the times in UTC if both are in UTC: the dates of a rule are then at the same time in UTC. */
export function inUtc(times: EventTimes): EventTimes {
  const toUtc = (time: DateOrTime) =>
    time.instant && !time.tzid ? { ...time, timeZone: 'UTC', local: dateToWallClock(time.instant) } : time
  return { ...times, start: toUtc(times.start), end: toUtc(times.end) }
}

/** Reads the schedule of an event; of one that occurs once, it has one date. `isComplete`: whether all rules and dates could be read. */
export function readSeriesSchedule(component: Component, times: EventTimes, options: Options) {
  const { start, isAllDay: allDay, duration } = times
  const { timeZone } = start
  const inZone = (time: DateOrTime) =>
    time.isDate || (time.timeZone === timeZone && !time.instant) ? time.local : toWallClock(instantOf(time), timeZone)
  const first = inZone(start)
  /** The local start of a date. One without a time is at the time of the first. */
  const startOf = (time: DateOrTime): string => {
    if (!start.isDate) return time.isDate ? time.local.slice(0, 10) + first.slice(10) : inZone(time)
    return midnight(time.instant ? dayOfInstant(time.instant.toISOString(), timeZone) : time.local)
  }
  const timesAt = (startsLocal: string, end: DateOrTime): LocalTimes => {
    const endsLocal = inZone(end)
    return { startsLocal, endsLocal: endsLocal < startsLocal ? startsLocal : endsLocal }
  }
  const dates = readDates(component, 'rdate', start, options).map(({ endFrom, ...date }) => {
    const local = startOf(date.start)
    const begin = { ...start, local, instant: undefined }
    return timesAt(local, endFrom?.(begin) ?? timesStartingAt(times, begin, options.zones).end)
  })
  const excluded = new Set(
    readDates(component, 'exdate', start, options).map(({ start: date }) =>
      // Without a time, EXDATE excludes all dates of the day.
      startOf(date).slice(0, date.isDate || allDay ? 'YYYY-MM-DD'.length : undefined),
    ),
  )
  const nominal = duration && !allDay && shiftWallClock(first, duration.days * dayMs + duration.milliseconds)
  const firstTimes = { ...timesAt(first, times.end), ...(nominal && { endsLocal: nominal }) }
  const recurrences = readRules(component, { ...options, firstTimes, timeZone, allDay })
  const extraDates = new Map(
    [...(recurrences.length > 0 ? [] : [firstTimes]), ...dates].map((date) => [date.startsLocal, date]),
  )
  const schedule: SeriesSchedule = {
    ...{ timeZone, allDay, recurrences, excludedDates: [...excluded] },
    extraDates: [...extraDates.values()].filter(
      ({ startsLocal }) => !excluded.has(startsLocal) && !excluded.has(startsLocal.slice(0, 10)),
    ),
  }
  const countOf = (name: string) => findProperties(component, name).flatMap(({ values }) => values).length
  return { schedule, isComplete: recurrences.length === countOf('rrule') && dates.length === countOf('rdate') }
}

/** Returns the part of a schedule between two days, both inclusive; undefined if it has no date. */
export function cutSchedule(schedule: SeriesSchedule, from: string, until: string | undefined, calendar: Calendar) {
  const later = splitSchedule(schedule, `${from}T00:00:00`, calendar)?.after ?? schedule
  const part = until === undefined ? later : splitSchedule(later, addDays(`${until}T00:00:00`, 1), calendar)?.before
  if (!part || part.recurrences.length + (part.extraDates?.length ?? 0) === 0) return undefined
  const { allDay, ...cut } = { ...schedule, ...part } as SeriesSchedule
  const onDay = <Date extends ExtraDateInput>({ startsLocal, endsLocal, ...date }: Date) => ({
    ...date,
    startsLocal: allDay ? midnight(startsLocal) : startsLocal,
    endsLocal: allDay ? midnight(endsLocal ?? startsLocal) : (endsLocal ?? startsLocal),
  })
  return { ...cut, allDay, recurrences: cut.recurrences.map(onDay), extraDates: cut.extraDates.map(onDay) }
}

interface RuleOptions extends Options, Pick<SeriesSchedule, 'timeZone' | 'allDay'> {
  readonly firstTimes: LocalTimes
}

/** Reads the rules. Reports those that no series can have. */
function readRules(component: Component, { firstTimes, timeZone, allDay, calendar, note }: RuleOptions) {
  if (findProperties(component, 'exrule').length > 0) note('EXRULE is not supported: its dates were not excluded.')
  return findProperties(component, 'rrule').flatMap(({ values }): RecurrenceInput[] => {
    const rule = String(values[0])
    const recurrence = { ...firstTimes, rule }
    try {
      const parsed = parseRule(rule)
      if (typeof parsed !== 'string') parsed.notes.forEach(note)
      parseSchedule({ timeZone, allDay, recurrences: [recurrence] }, calendar)
      return [recurrence]
    } catch (error) {
      if (!(error instanceof DomainError)) throw error
      const reason = error.problems[0]?.message.replace(/^The rule cannot be used: |\.$/g, '')
      note(`RRULE:${rule.slice(0, 100)} cannot be read (${reason}): the dates of the rule were not imported.`)
      return []
    }
  })
}

function readDates(component: Component, name: 'rdate' | 'exdate', start: DateOrTime, { zones, note }: Options) {
  return findProperties(component, name).flatMap((property) =>
    property.values.flatMap((value) => {
      const [from, to] = [value].flat()
      const read = (text: unknown) => toDateOrTime(text, parameterOf(property, 'tzid'), zones, start)
      const date = read(from)
      if (!date) {
        note(`${name.toUpperCase()}:${String(from).slice(0, 60)} is not a date and was ignored.`)
        return []
      }
      if (date.isDate && !start.isDate && name === 'rdate')
        note(`RDATE:${String(from)} has no time: it was read with the time of DTSTART.`)
      const [end, duration] = [to === undefined ? undefined : read(to), parseEventDuration(String(to))]
      /** Function from the start to the end of a date, if the RDATE is a period; otherwise undefined. */
      const endFrom = duration ? (first: DateOrTime) => addDuration(first, duration) : end && (() => end)
      return [{ start: date, endFrom }]
    }),
  )
}
