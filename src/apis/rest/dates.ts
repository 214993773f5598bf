// The legacy date format: `YYYY-MM-DD HH:MM:SS`, without a time zone.
import { toWallClock } from '../../basics/time.ts'

export const legacyDate = (wallClock: string): string => wallClock.replace('T', ' ')

export const legacyInstant = (instant: Date, zone: string): string => legacyDate(toWallClock(instant, zone))

/** The fields `*_details`: the parts of a legacy date as strings. */
export function dateDetails(date: string) {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = date.split(/[- :]/)
  return { year, month, day, hour, minutes, seconds }
}
