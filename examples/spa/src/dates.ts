// Dates of the calendar are texts such as 2026-11-27: local dates without a zone. They are calculated and formatted in UTC.
const day = 86_400_000

const toDate = (local: string): Date => new Date(`${local.length === 10 ? `${local}T00:00:00` : local}Z`)
const toLocal = (date: Date): string => date.toISOString().slice(0, 10)

export const addDays = (date: string, days: number): string => toLocal(new Date(toDate(date).getTime() + days * day))

/** Today in a time zone. */
export const todayIn = (timeZone: string): string => new Intl.DateTimeFormat('sv-SE', { timeZone }).format(new Date())

/** A month as text: 2026-11. */
export const monthOf = (date: string): string => date.slice(0, 7)

export function addMonths(month: string, months: number): string {
  const date = toDate(`${month}-01`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return toLocal(date).slice(0, 7)
}

export const isMonth = (text: string | null): text is string => /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text ?? '')
export const isDate = (text: string | null): text is string =>
  /^\d{4}-\d\d-\d\d$/.test(text ?? '') && !Number.isNaN(toDate(text ?? '').getTime())

/** First and last day of the weeks that contain the month. Weeks begin on Monday. */
export function weeksOf(month: string): { readonly from: string; readonly to: string } {
  const first = `${month}-01`
  const last = addDays(`${addMonths(month, 1)}-01`, -1)
  return { from: addDays(first, -weekday(first)), to: addDays(last, 6 - weekday(last)) }
}

/** Days since Monday. */
const weekday = (date: string): number => (toDate(date).getUTCDay() + 6) % 7

const format = (locale: string, options: Intl.DateTimeFormatOptions, local: string): string =>
  new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(toDate(local))

export const monthName = (locale: string, month: string): string => format(locale, { month: 'long' }, `${month}-01`)
export const monthAndYear = (locale: string, month: string): string =>
  format(locale, { month: 'long', year: 'numeric' }, `${month}-01`)
export const longDay = (locale: string, date: string): string =>
  format(locale, { weekday: 'long', day: 'numeric', month: 'long' }, date)
export const fullDay = (locale: string, date: string): string =>
  format(locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, date)
export const shortMonth = (locale: string, date: string): string => format(locale, { month: 'short' }, date)
export const dayNumber = (date: string): number => Number(date.slice(8, 10))
export const timeOf = (locale: string, local: string): string =>
  format(locale, { hour: '2-digit', minute: '2-digit' }, local)

/** Names of the days of a week from Monday. */
export const weekdayNames = (locale: string, style: 'long' | 'short'): readonly string[] =>
  Array.from({ length: 7 }, (_, index) => format(locale, { weekday: style }, addDays('2026-11-02', index)))

interface Times {
  readonly startsLocal: string
  readonly endsLocal: string
  readonly allDay?: boolean | null
}

/** When an event takes place, such as "Friday 27 November 2026, 20:30–22:00". */
export function whenText(locale: string, { startsLocal, endsLocal, allDay }: Times): string {
  const options: Intl.DateTimeFormatOptions = {
    ...{ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' },
    ...(!allDay && { hour: '2-digit', minute: '2-digit' }),
  }
  return new Intl.DateTimeFormat(locale, options).formatRange(toDate(startsLocal), toDate(endsLocal))
}
