import { toInstant, toWallClock } from '../time.ts'
import { parseDate } from './natural-date.ts'

interface Dates {
  readonly date?: string | undefined
  readonly date_utc?: string | undefined
}

/** When a record is published (contract b.9): `date` is read in the site's zone, `date_utc` in UTC and goes first. */
export function publishedAt({ date, date_utc }: Dates, now: Date, siteTimeZone: string): Date | undefined {
  if (date_utc !== undefined) return instantOf(date_utc, now, 'UTC')
  return date === undefined ? undefined : instantOf(date, now, siteTimeZone)
}

function instantOf(text: string, now: Date, zone: string): Date | undefined {
  const given = parseDate(text, toWallClock(now, zone))
  return given && (given.instant ?? toInstant(given.wallClock, zone))
}
