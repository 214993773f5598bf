import { dayLength } from '../../basics/time.ts'

/** DURATION of an event: days by the calendar, and the rest by the clock. */
export interface Duration {
  readonly days: number
  readonly milliseconds: number
}

/** Undefined for a negative or invalid duration, or one above 100 years. */
export function durationOf(text: string | undefined): Duration | undefined {
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
