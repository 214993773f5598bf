// The legacy spelling of dates: `YYYY-MM-DD HH:MM:SS`, without zone.
import { toWallClock } from '../time.ts'

export const legacyDate = (wallClock: string): string => wallClock.replace('T', ' ')

export const legacyInstant = (instant: Date, zone: string): string => legacyDate(toWallClock(instant, zone))

/** `*_details`: the parts of a legacy date, all as text. */
export function dateDetails(date: string) {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = date.split(/[- :]/)
  return { year, month, day, hour, minutes, seconds }
}

const pattern = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)? ?(Z|[+-]\d{2}:?\d{2})?$/i

export interface GivenDate {
  /** As written, or of the instant in UTC. */
  readonly wallClock: string
  /** Present when the value says its instant: it has an offset, or is a Unix timestamp. */
  readonly instant?: Date
  /** Whether it depends on the moment that it is read at. */
  readonly relative?: boolean
}

/** Reads `YYYY-MM-DD` with or without a time and an offset, slashes too, and Unix timestamps; undefined for others. */
export function parseDate(text: string, _anchor?: string): GivenDate | undefined {
  const value = text.trim()
  if (/^@?-?\d{1,11}$/.test(value)) return fromInstant(Number(value.replace('@', '')) * 1000)
  const match = pattern.exec(value)
  if (!match) return undefined
  const [, year, month, day, hour = 0, minutes = 0, seconds = 0, offset] = match
  if (Number(month) > 12 || Number(month) < 1 || Number(day) < 1 || Number(day) > 31) return undefined
  if (Number(hour) > 24 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  // Days past the end of a month roll over. Date.UTC would take the years 0 to 99 for those of the last century.
  const date = new Date(0).setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const time = date + ((Number(hour) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  if (offset === undefined) return { wallClock: toWallClock(reachable(time), 'UTC') }
  return fromInstant(time - minutesEast(offset) * 60_000)
}

function fromInstant(time: number): GivenDate {
  const instant = reachable(time)
  return { wallClock: toWallClock(instant, 'UTC'), instant }
}

const [earliest, latest] = [Date.parse('0001-01-02T00:00:00Z'), Date.parse('9999-12-30T23:59:59Z')]

/** Years have four digits and there is no year 0, in any zone and at any end of day: what is further is the last day. */
const reachable = (time: number) => new Date(Math.min(Math.max(time, earliest), latest))

function minutesEast(offset: string): number {
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? []
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}
