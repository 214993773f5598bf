import { createRequire } from 'node:module'
import type moment from 'moment-timezone'
import { memoize, memoizeOnce } from './memoize.ts'

const require = createRequire(import.meta.url)
// Loaded when first needed: the library and its data load slowly, and a site in UTC may never need them.
const zoneData = memoizeOnce(() => (require('moment-timezone') as typeof moment).tz)

const minute = 60_000
/** Milliseconds of a day on which the clocks do not change. */
export const dayMs = 24 * 60 * minute

interface Zone {
  /** Milliseconds east of UTC. */
  offsetAt(time: number): number
  abbreviationAt(time: number): string
  readonly isUtc: boolean
  /** Times at which the offset or the abbreviation changes, in order; none for a fixed offset. */
  readonly changes: () => readonly number[]
}

/**
 * Whether the text is a time zone: an IANA identifier in any case, `UTC`, `UTC+H`, `UTC+H.25`, `UTC+H.5`, `UTC+H.75`,
 * `UTC+H:MM`, an offset such as `+02:00` or `-5`, or an abbreviation in use today. Offsets go to 14 hours either way.
 * Returns false for empty text.
 */
export const isZone = (text: string): boolean => findZone(text) !== undefined

/** Whether the text is an IANA identifier. */
export const isIanaZone = (text: string): boolean => !fixedZone(text) && ianaName(text) !== undefined

/** The IANA identifier in its usual spelling; the text itself for other zones, such as `UTC+2`. */
export const zoneName = (text: string): string => (fixedZone(text) ? undefined : ianaName(text)) ?? text

/** Whether the zone is UTC under any name, such as `UTC+0`, `Etc/UTC` or `GMT`. */
export const isUtc = (zone: string): boolean => zoneOf(zone).isUtc

/** Converts a local time to an instant. A skipped local time moves forward by the gap; a repeated local time is the first. */
export function toInstant(wallClock: string, zone: string): Date {
  const { offsetAt } = zoneOf(zone)
  const time = wallClockToDate(wallClock).getTime()
  const before = offsetAt(time - dayMs)
  const after = offsetAt(time + dayMs)
  const isAfter = offsetAt(time - before) !== before && offsetAt(time - after) === after
  return new Date(time - (isAfter ? after : before))
}

/** Whether the local time occurs twice in the zone, because the clocks are set back. */
export function isRepeated(wallClock: string, zone: string): boolean {
  const { offsetAt } = zoneOf(zone)
  const time = wallClockToDate(wallClock).getTime()
  const [first, second] = [time - offsetAt(time - dayMs), time - offsetAt(time + dayMs)]
  return first !== second && [first, second].every((instant) => instant + offsetAt(instant) === time)
}

/** Converts an instant to the local time in the zone, without fractions of a second. */
export function toWallClock(instant: Date, zone: string): string {
  const time = instant.getTime()
  return dateToWallClock(new Date(time + zoneOf(zone).offsetAt(time)))
}

/** Like `toWallClock`, with the offset if the local time occurs twice. */
export function toExactWallClock(instant: Date, zone: string): string {
  const local = toWallClock(instant, zone)
  return isRepeated(local, zone) ? `${local}${formatOffset(instant, zone)}` : local
}

/**
 * Returns the abbreviation of the zone at the instant, or the offset, such as `-03`, if the zone has no abbreviation. Returns
 * zones such as `UTC+2` unchanged.
 */
export const zoneAbbreviation = (instant: Date, zone: string): string => zoneOf(zone).abbreviationAt(instant.getTime())

/** A period in which a time zone has the same offset. */
export interface ZonePeriod {
  /** Start of the period, in milliseconds since 1970; negative infinity if the zone always had this offset. */
  readonly from: number
  /** Milliseconds east of UTC. */
  readonly offset: number
  /** The offset before `from`, in milliseconds east of UTC. */
  readonly offsetBefore: number
  readonly abbreviation: string
}

/** Returns the offset periods of a zone between two times, in order. The first period begins at `from` or before. */
export function zonePeriods(text: string, from: number, until: number): ZonePeriod[] {
  const { changes, offsetAt, abbreviationAt } = zoneOf(text)
  const starts = changes().filter((time) => time <= until)
  const first = starts.findLastIndex((time) => time <= from)
  return (first === -1 ? [Number.NEGATIVE_INFINITY, ...starts] : starts.slice(first)).map((start) => {
    const time = Number.isFinite(start) ? start : Math.min(from, (starts[0] ?? from) - 1)
    const offsetBefore = Number.isFinite(start) ? offsetAt(start - 1) : offsetAt(time)
    return { from: start, offset: offsetAt(time), offsetBefore, abbreviation: abbreviationAt(time) }
  })
}

/** Returns the offset in ISO 8601 format, such as `+02:00`. Rounds seconds, which offsets of local mean time have. */
export function formatOffset(instant: Date, zone: string): string {
  const { sign, hours, minutes } = offsetParts(zoneOf(zone).offsetAt(instant.getTime()))
  return `${sign}${hours}:${minutes}`
}

/** Returns the local time of the first second of a day that begins at the time of day `cutoff`, `HH:MM`. */
export const startOfDay = (date: string, cutoff: string): string => `${date}T${cutoff}:00`

/** Returns the local time of the last second of a day that begins at `cutoff`: unless that is 00:00, it is on the next date. */
export const endOfDay = (date: string, cutoff: string): string => shiftWallClock(startOfDay(date, cutoff), dayMs - 1000)

/** Returns the same local time on another day, regardless of clock changes. Negative numbers go back. */
export const addDays = (wallClock: string, days: number): string => shiftWallClock(wallClock, days * dayMs)

/** Adds months to a local time. Clamps to the last day of the month: 31 January plus one month is the last day of February. */
export function addMonths(wallClock: string, months: number): string {
  const date = wallClockToDate(wallClock)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // setUTCMonth rolls over if the target month has fewer days.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return dateToWallClock(date)
}

/** Converts a local time to a Date that has this time in UTC, as Prisma Client expects it for a `timestamp` column. */
export function wallClockToDate(wallClock: string): Date {
  const date = new Date(`${wallClock}Z`)
  if (Number.isNaN(date.getTime())) throw new RangeError(`Not a wall clock: ${wallClock.slice(0, 40)}`)
  return date
}

/** Converts the value of a `timestamp` column, which Prisma Client returns as a Date in UTC, to a local time. */
export const dateToWallClock = (date: Date): string => date.toISOString().slice(0, -'.000Z'.length)

/** Adds milliseconds to a local time, as if clocks never changed. */
export const shiftWallClock = (wallClock: string, milliseconds: number): string =>
  dateToWallClock(new Date(wallClockToDate(wallClock).getTime() + milliseconds))

function zoneOf(text: string): Zone {
  const zone = findZone(text)
  if (!zone) throw new RangeError(`Not a time zone: ${text.slice(0, 40)}`)
  return zone
}

/** Maximum number of characters of the name of a time zone. */
const maxZoneLength = 64

const findZone = (text: string): Zone | undefined => (text.length > maxZoneLength ? undefined : zoneOfSpelling(text))

/** Finds a time zone by any spelling. The cache is limited, because clients can send any number of spellings. */
const zoneOfSpelling = memoize(
  { name: 'zoneOfSpelling', max: 1000 },
  (text: string) => fixedZone(text) ?? ianaZone(text) ?? letterZone(text),
)

const utcForm = /^UTC(?:(?<sign>[+-])(?<hours>\d{1,2})(?:\.(?<quarters>25|5|75)|:(?<minutes>[0-5]\d))?)?$/i
const offsetForm = /^(?<sign>[+-])(?<hours>\d{1,2})(?::?(?<minutes>[0-5]\d))?$/

function fixedZone(text: string): Zone | undefined {
  const isUtc = utcForm.test(text)
  const parts = (isUtc ? utcForm : offsetForm).exec(text)?.groups
  if (!parts) return undefined
  const { sign, hours = 0, quarters, minutes = Number(`0.${quarters ?? 0}`) * 60 } = parts
  const size = (Number(hours) * 60 + Number(minutes)) * minute
  if (size > 14 * 60 * minute) return undefined
  const offset = sign === '-' && size > 0 ? -size : size
  if (!isUtc) return constantZone(offset, signForm(offset))
  return constantZone(offset, sign ? text : 'UTC')
}

function constantZone(offset: number, label: string): Zone {
  return { offsetAt: () => offset, abbreviationAt: () => label, isUtc: offset === 0, changes: () => [] }
}

const identifiers = memoizeOnce(() => {
  const names = zoneData().names()
  return new Map(names.map((name) => [name.toLowerCase(), name]))
})

function ianaName(text: string): string | undefined {
  // Without this check, toLowerCase would map some other characters to ASCII letters, such as the Kelvin sign to k.
  return /^[\w/+-]{1,64}$/.test(text) ? identifiers().get(text.toLowerCase()) : undefined
}

function ianaZone(text: string): Zone | undefined {
  const name = ianaName(text)
  return name === undefined ? undefined : namedZone(name)
}

/** The identifiers of UTC in the zone data, links among them. */
const utcNames = /^(Etc\/)?(UTC|UCT|GMT([+-]?0)?|Universal|Zulu|Greenwich)$/

const letters = /^[A-Za-z]+$/

/** Returns the time zone of an IANA identifier, of which there are about 600. */
const namedZone = memoize({ name: 'namedZone', max: 1000 }, (name: string): Zone | undefined => {
  const zone = zoneData().zone(name)
  if (!zone) return undefined
  const offsetAt = (time: number) => Math.round(zone.utcOffset(withinData(time)) * -60) * 1000
  const abbreviationAt = (time: number) => {
    const text = zone.abbr(withinData(time))
    return letters.test(text) ? text : signForm(offsetAt(time))
  }
  const changes = memoizeOnce(() => zone.untils.filter((time) => Number.isFinite(time)))
  return { offsetAt, abbreviationAt, isUtc: utcNames.test(name), changes }
})

const cycle = 146_097 * dayMs
const endOfData = Date.UTC(2499, 0, 1)

/** Maps times after 2499, where the zone data end, to the same time 400 years earlier, when the calendar was the same. */
const withinData = (time: number): number =>
  time < endOfData ? time : time - Math.ceil((time - endOfData + 1) / cycle) * cycle

// Time zone abbreviations that are not IANA identifiers. An ambiguous one stands for the zone with the largest population.
const inUse = `
  SST-11 HDT-9 AKST-9 AKDT-8 PST-8 PDT-7 MDT-6 CST-6 CDT-5 EDT-4 AST-4 ADT-3 NST-3.5 NDT-2.5 WEST+1 BST+1 WAT+1
  CEST+2 CAT+2 SAST+2 EEST+3 EAT+3 IDT+3 MSK+3 PKT+5 IST+5.5 WIB+7 WITA+8 HKT+8 AWST+8 WIT+9 KST+9 JST+9
  ACST+9.5 ACDT+10.5 AEST+10 CHST+10 AEDT+11 NZST+12 NZDT+13`
const letterHours = new Map(Array.from(inUse.matchAll(/([A-Z]+)(\S+)/g), (match) => [match[1], Number(match[2])]))

function letterZone(text: string): Zone | undefined {
  if (!letters.test(text)) return undefined
  const label = text.toUpperCase()
  const hours = letterHours.get(label)
  return hours === undefined ? undefined : constantZone(hours * 60 * minute, label)
}

function signForm(offset: number): string {
  const { sign, hours, minutes } = offsetParts(offset)
  return `${sign}${hours}${minutes === '00' ? '' : minutes}`
}

function offsetParts(offset: number) {
  const size = Math.round(Math.abs(offset) / minute)
  const two = (value: number) => String(value).padStart(2, '0')
  return { sign: offset < 0 ? '-' : '+', hours: two(Math.floor(size / 60)), minutes: two(size % 60) }
}
