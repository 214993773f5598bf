import type { ParsedDate } from '../../basics/dates/natural-date.ts'
import { toInstant, toWallClock } from '../../basics/time.ts'

interface Dates {
  readonly date?: ParsedDate | undefined
  readonly date_utc?: ParsedDate | undefined
}

/** Publication time (contract b.9): `date_utc` in UTC, or else `date` in the site's time zone. */
export function publishedAt({ date, date_utc }: Dates, now: Date, siteTimeZone: string): Date | undefined {
  if (date_utc !== undefined) return instantOf(date_utc, now, 'UTC')
  return date === undefined ? undefined : instantOf(date, now, siteTimeZone)
}

function instantOf(date: ParsedDate, now: Date, zone: string): Date | undefined {
  const resolved = date.resolve(toWallClock(now, zone))
  return resolved && (resolved.instant ?? toInstant(resolved.wallClock, zone))
}
