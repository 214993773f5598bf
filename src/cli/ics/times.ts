// Reads when an event takes place.
import type { ScheduleInput } from '../../content/event/schedule.ts'
import {
  addDays,
  dateWallClock,
  dayLength,
  isZone,
  startOfDay,
  toInstant,
  toWallClock,
  wallClockDate,
} from '../../time.ts'
import { type Component, findProperty, type Property, parameterOf, textOf } from './parse-components.ts'
import { laterLocal } from './recurrence.ts'
import type { Zones } from './zones.ts'

/** A date or a local time. */
export interface DateOrTime {
  /** For a date, its midnight. */
  readonly local: string
  readonly isDate: boolean
  readonly timeZone: string
  /** Of a time in UTC. In the repeated hour of a clock change, its local time has another instant. */
  readonly instant: Date | undefined
}

export interface Times {
  readonly start: DateOrTime
  /** The local time of the end; of a date, the last day. */
  readonly end: DateOrTime
  readonly isAllDay: boolean
}

const jCalTime = /^(\d{4}-\d\d-\d\d)(?:T(?:(\d\d):(\d\d)(?::(\d\d)?)?)?:*(Z)?)?$/

/** One value of a date property; undefined if it is not a date. */
export function toDateOrTime(value: unknown, tzid: string | undefined, zones: Zones): DateOrTime | undefined {
  const [, date, hour, minute, second = '00', utc] = jCalTime.exec(String(value)) ?? []
  if (date === undefined || !isDate(date)) return undefined
  if (hour === undefined || minute === undefined) {
    return { local: `${date}T00:00:00`, isDate: true, timeZone: zones.calendarZone, instant: undefined }
  }
  // Replaces a leap second, and midnight as the end of a day (24:00), by times that dates can hold.
  const clock = wallClock(`${date}T${hour}:${minute}:${second === '60' ? '59' : second}`)
  if (clock === undefined) return undefined
  if (!utc) return { local: clock, isDate: false, timeZone: zones.zoneOf(tzid, clock), instant: undefined }
  const instant = wallClockDate(clock)
  const timeZone = zones.utcZone
  return { local: toWallClock(instant, timeZone), isDate: false, timeZone, instant }
}

const isDate = (date: string) => wallClock(`${date}T00:00:00`)?.startsWith(date) === true && date >= '0001-01-02'

function wallClock(text: string): string | undefined {
  const time = Date.parse(`${text}Z`)
  return Number.isNaN(time) ? undefined : dateWallClock(new Date(time))
}

export const dateOrTimeOf = (property: Property | undefined, zones: Zones): DateOrTime | undefined =>
  property && toDateOrTime(property.values[0], parameterOf(property, 'tzid'), zones)

/** Start and end of an event, or a text that says why they cannot be read. */
export function readTimes(component: Component, zones: Zones, note: (text: string) => void): Times | string {
  const startProperty = findProperty(component, 'dtstart')
  if (!startProperty) return 'It has no DTSTART.'
  const parsedStart = dateOrTimeOf(startProperty, zones)
  const start = parsedStart && withItsZone(parsedStart, component, zones)
  if (!start) return `DTSTART is not a date: ${startProperty.values.map(String).join()}`
  const end = endOf(component, start, zones, note)
  const isBefore = instantOf(end) < instantOf(start)
  if (isBefore) note('The end is before the start: it was imported with the start as its end.')
  return withAllDay(component, start, isBefore ? start : end)
}

/** Feeds of this service name the zone of a start in UTC and of a date. In other files, the end may still have a zone. */
function withItsZone(start: DateOrTime, component: Component, zones: Zones): DateOrTime {
  const timeZone = zones.isOwn ? textOf(findProperty(component, 'x-timezone')) : undefined
  if (timeZone !== undefined && isZone(timeZone)) {
    return { ...start, timeZone, ...(start.instant && { local: toWallClock(start.instant, timeZone) }) }
  }
  const end = dateOrTimeOf(findProperty(component, 'dtend'), zones)
  if (!start.instant || !end || end.isDate || end.instant) return start
  return { ...start, timeZone: end.timeZone, local: toWallClock(start.instant, end.timeZone) }
}

/** Of a date the last day, because DTEND is the day after it. */
function endOf(component: Component, start: DateOrTime, zones: Zones, note: (text: string) => void): DateOrTime {
  const property = findProperty(component, 'dtend')
  const end = dateOrTimeOf(property, zones)
  if (property && !end) note('DTEND is not a date and was ignored.')
  if (end) {
    if (!start.isDate) return end.isDate ? { ...end, timeZone: start.timeZone } : end
    const last = end.local > start.local && end.local.endsWith('T00:00:00') ? addDays(end.local, -1) : end.local
    return { ...start, local: `${last.slice(0, 10)}T00:00:00` }
  }
  const duration = parseDuration(textOf(findProperty(component, 'duration')))
  if (!duration) return start
  if (start.isDate) {
    const days = duration.days + Math.ceil(duration.milliseconds / dayLength)
    return { ...start, local: addDays(start.local, Math.max(days - 1, 0)) }
  }
  // Days are nominal, hours are exact (RFC 5545, 3.3.6).
  const { timeZone } = start
  const sameTime = duration.days === 0 ? instantOf(start) : toInstant(addDays(start.local, duration.days), timeZone)
  const instant = new Date(sameTime.getTime() + duration.milliseconds)
  return { ...start, local: toWallClock(instant, timeZone), instant }
}

interface Duration {
  readonly days: number
  readonly milliseconds: number
}

/** Undefined for a negative or invalid duration, or one above 100 years. */
function parseDuration(text: string | undefined): Duration | undefined {
  const pattern = /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?$/i
  const parts = pattern
    .exec(text ?? '')
    ?.slice(1)
    .map((part) => Number(part ?? 0))
  if (!parts) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
  const duration = { days: weeks * 7 + days, milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
  return duration.days * dayLength + duration.milliseconds <= 36_525 * dayLength ? duration : undefined
}

/** Outlook marks all-day events with a property of its own, and writes their times as midnights. */
function withAllDay(component: Component, start: DateOrTime, end: DateOrTime): Times {
  if (start.isDate) return { start, end, isAllDay: true }
  const isMarked = textOf(findProperty(component, 'x-microsoft-cdo-alldayevent'))?.toUpperCase() === 'TRUE'
  const isMidnight = start.local.endsWith('T00:00:00') && end.local.endsWith('T00:00:00')
  if (!isMarked || !isMidnight) return { start, end, isAllDay: false }
  const last = end.local > start.local ? addDays(end.local, -1) : end.local
  return { start, end: { ...end, local: last }, isAllDay: true }
}

export const instantOf = ({ instant, local, timeZone }: DateOrTime): Date => instant ?? toInstant(local, timeZone)

/** The same duration from another start. */
export function timesFrom({ start, end, isAllDay }: Times, local: string): Times {
  const length = wallClockDate(toLocal(end, start.timeZone)).getTime() - wallClockDate(start.local).getTime()
  const { isDate, timeZone } = start
  const moved = (time: string) => ({ local: time, isDate, timeZone, instant: undefined })
  return { start: moved(local), end: moved(laterLocal(local, length)), isAllDay }
}

const toLocal = (dateOrTime: DateOrTime, timeZone: string): string =>
  dateOrTime.isDate || dateOrTime.timeZone === timeZone
    ? dateOrTime.local
    : toWallClock(instantOf(dateOrTime), timeZone)

/** As the mutations accept it. `cutoff` is the time at which days begin on the site. */
export function toScheduleInput({ start, end, isAllDay }: Times, cutoff: string): ScheduleInput {
  const { timeZone } = start
  if (isAllDay) {
    const [first, last] = [start, end].map(({ local }) => startOfDay(local.slice(0, 10), cutoff))
    return { startsLocal: first, endsLocal: last, timeZone, allDay: true }
  }
  const isExact = start.instant !== undefined || end.instant !== undefined || end.timeZone !== timeZone
  return isExact
    ? { startsAt: instantOf(start), endsAt: instantOf(end), timeZone, allDay: false }
    : { startsLocal: start.local, endsLocal: end.local, timeZone, allDay: false }
}
