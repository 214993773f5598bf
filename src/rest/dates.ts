// The legacy spelling of dates: `YYYY-MM-DD HH:MM:SS`, without zone.
import { toWallClock } from '../time.ts'

export const legacyDate = (wallClock: string): string => wallClock.replace('T', ' ')

export const legacyInstant = (instant: Date, zone: string): string => legacyDate(toWallClock(instant, zone))

/** `*_details`: the parts of a legacy date, all as text. */
export function dateDetails(date: string) {
  const [year = '', month = '', day = '', hour = '', minutes = '', seconds = ''] = date.split(/[- :]/)
  return { year, month, day, hour, minutes, seconds }
}
