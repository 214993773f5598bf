// Local dates and times as the API writes them, such as 2027-01-12T18:00:00. They name no time zone, so none is applied.
import { interfaceLanguage } from './messages.ts'

/** English dates have the day before the month, like the others. */
const locale = interfaceLanguage === 'en' ? 'en-GB' : interfaceLanguage

const formatter = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
const day = { weekday: 'short', day: 'numeric', month: 'short' } as const
const dayFormats = [formatter(day), formatter({ ...day, year: 'numeric' })] as const
const timeFormats = [
  formatter({ ...day, ...hourAndMinute() }),
  formatter({ ...day, year: 'numeric', ...hourAndMinute() }),
] as const

function hourAndMinute() {
  return { hour: 'numeric', minute: '2-digit' } as const
}

const parse = (local: string) => new Date(`${local}Z`)

/** “Tue, 12 Jan 2027, 18:00 – 20:00”; for whole days without times, in this year without the year. */
export function formatSpan(startsLocal: string, endsLocal: string, allDay: boolean): string {
  const year = String(new Date().getFullYear())
  const isThisYear = startsLocal.startsWith(year) && endsLocal.startsWith(year)
  const [short, full] = allDay ? dayFormats : timeFormats
  return (isThisYear ? short : full).formatRange(parse(startsLocal), parse(endsLocal))
}

const instantFormat = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })

/** A point in time, in the time zone of the reader. */
export const formatInstant = (instant: string): string => instantFormat.format(new Date(instant))

const dayNameFormat = formatter({ weekday: 'long' })
const clockFormat = new Intl.DateTimeFormat(locale, hourAndMinute())

/** The name of a weekday, from 0 for Monday. */
export const weekdayName = (index: number): string => dayNameFormat.format(new Date(Date.UTC(2024, 0, 1 + index)))

/** The time of day on the clock of this computer. */
export const formatClock = (date: Date): string => clockFormat.format(date)

export const formatNumber = (number: number): string => new Intl.NumberFormat(locale).format(number)
