// Reads the start and end of an event.
import {
  addDays,
  dateToWallClock,
  dayMs,
  isZone,
  shiftWallClock,
  startOfDay,
  toInstant,
  toWallClock,
  wallClockToDate,
} from '../../basics/time.ts'
import type { ScheduleInput } from '../../calendar/event/schedule.ts'
import { type Component, findProperties, findProperty, type Property, parameterOf, textOf } from './parse-components.ts'
import type { ZoneFinder } from './zone-finder.ts'

/** A date, or a local time in a time zone. */
export interface DateOrTime {
  /** `YYYY-MM-DDTHH:MM:SS`; for a date at midnight. */
  readonly local: string
  readonly isDate: boolean
  readonly timeZone: string
  /** The parameter TZID of the property; undefined for UTC or without a time zone. */
  readonly tzid: string | undefined
  /** The instant of a time in UTC: in the hour that a clock change repeats, the local time alone is ambiguous. */
  readonly instant: Date | undefined
}

export interface EventTimes {
  readonly start: DateOrTime
  /** The end; for a date, the last day. */
  readonly end: DateOrTime
  readonly isAllDay: boolean
  /** The value of DURATION. If set, the end of each occurrence is its start plus the duration. */
  readonly duration?: Duration | undefined
}

const isoForm = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d:)(\d\d)(Z)?)?$/

/** Parses a value of a date property; undefined if it is invalid. A time without a zone is in the zone of `beside`. */
export function toDateOrTime(
  value: unknown,
  tzid: string | undefined,
  zones: ZoneFinder,
  beside?: DateOrTime,
): DateOrTime | undefined {
  const [, date, minute, second = '00', utc] = isoForm.exec(String(value)) ?? []
  if (date === undefined || !isDate(date)) return undefined
  if (minute === undefined) {
    const timeZone = beside?.timeZone ?? zones.calendarZone
    return { local: `${date}T00:00:00`, isDate: true, timeZone, tzid: undefined, instant: undefined }
  }
  // A leap second becomes second 59, and 24:00 becomes the next midnight.
  const clock = wallClock(`${date}T${minute}${second === '60' ? '59' : second}`)
  if (clock === undefined) return undefined
  const name = tzid || beside?.tzid
  if (!utc && (tzid || !beside || !isInUtc(beside))) {
    return { local: clock, isDate: false, timeZone: zones.zoneOf(name, clock), tzid: name, instant: undefined }
  }
  const instant = wallClockToDate(clock)
  const timeZone = name ? zones.zoneOf(name, clock) : zones.utcZone
  return { local: toWallClock(instant, timeZone), isDate: false, timeZone, tzid: name, instant }
}

/** Whether a time is in UTC, and not in a zone that TZID names. */
const isInUtc = ({ instant, tzid }: DateOrTime): boolean => instant !== undefined && !tzid

const isDate = (date: string) => wallClock(`${date}T00:00:00`)?.startsWith(date) === true && date >= '0001-01-02'

function wallClock(text: string): string | undefined {
  const time = Date.parse(`${text}Z`)
  return Number.isNaN(time) ? undefined : dateToWallClock(new Date(time))
}

export const readDateOrTime = (property: Property | undefined, zones: ZoneFinder, beside?: DateOrTime) =>
  property && toDateOrTime(property.values[0], parameterOf(property, 'tzid'), zones, beside)

/** Returns start and end, or the reason if they are invalid; undefined without a start. `beside`: the start of the series. */
export function readTimes(
  component: Component,
  zones: ZoneFinder,
  note: (text: string) => void,
  beside?: DateOrTime,
): EventTimes | string | undefined {
  const hasEnd = findProperties(component, 'dtend', 'duration').length > 0
  // A modified occurrence with an end but no start begins at the time of its RECURRENCE-ID.
  const property = findProperty(component, 'dtstart') ?? (hasEnd ? findProperty(component, 'recurrence-id') : undefined)
  if (!property) return undefined
  const parsed = readDateOrTime(property, zones, beside)
  if (!parsed) return `DTSTART is not a date: ${property.values.map(String).join()}`
  const start = withItsZone(parsed, component, zones)
  const { end, duration } = endOf(component, start, zones, note)
  const isBefore = instantOf(end) < instantOf(start)
  if (isBefore) note('The end is before the start: it was imported with the start as its end.')
  return { ...withAllDay(component, start, isBefore ? start : end), duration }
}

/** Adds the time zone to a start in UTC or without a zone: from X-TIMEZONE in files of this service, or from DTEND. */
function withItsZone(start: DateOrTime, component: Component, zones: ZoneFinder): DateOrTime {
  const timeZone = zones.isOwn ? textOf(findProperty(component, 'x-timezone')) : undefined
  if (timeZone !== undefined && isZone(timeZone)) {
    return { ...start, timeZone, ...(start.instant && { local: toWallClock(start.instant, timeZone) }) }
  }
  const end = readDateOrTime(findProperty(component, 'dtend'), zones)
  if (start.isDate || start.tzid || !end?.tzid) return start
  const { tzid } = end
  if (!start.instant) return { ...start, tzid, timeZone: zones.zoneOf(tzid, start.local) }
  return { ...start, tzid, timeZone: end.timeZone, local: toWallClock(start.instant, end.timeZone) }
}

/** Reads DTEND or DURATION. For dates the end is the last day: DTEND is the day after. */
function endOf(component: Component, start: DateOrTime, zones: ZoneFinder, note: (text: string) => void) {
  const property = findProperty(component, 'dtend')
  const end = readDateOrTime(property, zones, start)
  if (property && !end) note('DTEND is not a date and was ignored.')
  if (end) {
    if (!start.isDate) return { end }
    const last = end.local > start.local && end.local.endsWith('T00:00:00') ? addDays(end.local, -1) : end.local
    return { end: { ...start, local: `${last.slice(0, 10)}T00:00:00` } }
  }
  const text = textOf(findProperty(component, 'duration'))
  const duration = parseEventDuration(text)
  if (text && !duration) note(`DURATION:${text.slice(0, 60)} is not a duration and was ignored.`)
  return duration ? { end: addDuration(start, duration), duration } : { end: start }
}

type Duration = NonNullable<ReturnType<typeof parseEventDuration>>

/** Parses a DURATION into calendar days and exact time; undefined if it is negative, invalid or above 100 years. */
export function parseEventDuration(text: string | undefined) {
  const pattern = /^\+?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,10})S)?)?$/i
  const parts = pattern
    .exec(text ?? '')
    ?.slice(1)
    .map((part) => Number(part ?? 0))
  if (!parts) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts
  const duration = { days: weeks * 7 + days, milliseconds: ((hours * 60 + minutes) * 60 + seconds) * 1000 }
  return duration.days * dayMs + duration.milliseconds <= 36_525 * dayMs ? duration : undefined
}

/** Adds the duration to the start. For a date, returns the last day. */
export function addDuration(start: DateOrTime, duration: Duration): DateOrTime {
  if (start.isDate) {
    const days = duration.days + Math.ceil(duration.milliseconds / dayMs)
    return { ...start, local: addDays(start.local, Math.max(days - 1, 0)) }
  }
  // A day may have 23 or 25 hours, an hour has always 60 minutes (RFC 5545, 3.3.6).
  const { timeZone } = start
  const sameTime = duration.days === 0 ? instantOf(start) : toInstant(addDays(start.local, duration.days), timeZone)
  const instant = new Date(sameTime.getTime() + duration.milliseconds)
  return { ...start, local: toWallClock(instant, timeZone), instant }
}

/** Recognizes all-day events of Outlook: they have times at midnight, and a property of Microsoft. */
function withAllDay(component: Component, start: DateOrTime, end: DateOrTime): EventTimes {
  if (start.isDate) return { start, end, isAllDay: true }
  const isMarked = textOf(findProperty(component, 'x-microsoft-cdo-alldayevent'))?.toUpperCase() === 'TRUE'
  const isMidnight = start.local.endsWith('T00:00:00') && end.local.endsWith('T00:00:00')
  if (!isMarked || !isMidnight) return { start, end, isAllDay: false }
  const last = end.local > start.local ? addDays(end.local, -1) : end.local
  return { start, end: { ...end, local: last }, isAllDay: true }
}

export const instantOf = ({ instant, local, timeZone }: DateOrTime): Date => instant ?? toInstant(local, timeZone)

/** Returns the times of the occurrence with this start: with the same duration, or else the same distance in local time. */
export function timesStartingAt(
  { start: first, end, isAllDay, duration }: EventTimes,
  start: DateOrTime,
  zones: ZoneFinder,
): EventTimes {
  if (duration && !isAllDay) return { start, end: addDuration(start, duration), isAllDay }
  const isLocal = end.isDate || (end.tzid === first.tzid && !end.instant)
  const endLocal = isLocal ? end.local : toWallClock(instantOf(end), first.timeZone)
  const length = wallClockToDate(endLocal).getTime() - wallClockToDate(first.local).getTime()
  const local = shiftWallClock(start.local, length)
  const timeZone = start.tzid ? zones.zoneOf(start.tzid, local) : start.timeZone
  return { start, end: { ...start, local, timeZone, instant: undefined }, isAllDay }
}

/** Converts the times to the input of mutations. `cutoff`: the time of day at which days begin on the site. */
export function toScheduleInput({ start, end, isAllDay }: EventTimes, cutoff: string): ScheduleInput {
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
