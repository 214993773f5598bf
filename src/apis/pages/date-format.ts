// Dates on the pages. They show the local time of the event, whatever the time zones of browser and server are.
import { html } from 'ghtml'
import { memoize } from '../../basics/memoize.ts'
import { formatOffset, toWallClock } from '../../basics/time.ts'

export interface EventDates {
  readonly startsLocal: string
  readonly endsLocal: string
  /** Whether the event lasts whole days; null while a password protects the event. */
  readonly allDay: boolean | null
  readonly timeZoneAbbreviation: string
}

const memoizedFormat = memoize(
  { name: 'dateTimeFormat', max: 1000 },
  (_key: string, language: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(language, { ...options, timeZone: 'UTC' }),
)

const format = (language: string, options: Intl.DateTimeFormatOptions) =>
  memoizedFormat(`${language} ${JSON.stringify(options)}`, language, options)

/**
 * Formats a date, or a range with a last one. In French, the first day of a month is an ordinal number, which
 * Unicode CLDR does not have: `mardi 1er décembre`.
 */
function formatText(language: string, options: Intl.DateTimeFormatOptions, first: Date, last?: Date): string {
  const dates = format(language, options)
  const parts = last ? dates.formatRangeToParts(first, last) : dates.formatToParts(first)
  const isFrench = language.split('-')[0] === 'fr'
  return parts.map(({ type, value }) => (isFrench && type === 'day' && value === '1' ? '1er' : value)).join('')
}

const date = (local: string) => new Date(`${local}Z`)

const midnight = (day: string) => date(`${day}T00:00:00`)

/** Returns the attribute `datetime` of <time>: the local time with its offset, or the date of an all-day event. */
export function dateTimeAttribute(
  instant: Date,
  { timeZone, allDay }: Pick<EventDates, 'allDay'> & { readonly timeZone: string },
): string {
  const local = toWallClock(instant, timeZone)
  return allDay ? local.slice(0, 10) : `${local}${formatOffset(instant, timeZone)}`
}

/** `Saturday, November 21, 2026 at 7:00 – 9:00 PM EST` */
export function formatDateRange(
  { startsLocal, endsLocal, allDay, timeZoneAbbreviation }: EventDates,
  language: string,
): string {
  const range = (options: Intl.DateTimeFormatOptions) =>
    formatText(language, options, date(startsLocal), date(endsLocal))
  return allDay
    ? range({ dateStyle: 'full' })
    : `${range({ dateStyle: 'full', timeStyle: 'short' })} ${timeZoneAbbreviation}`
}

/** Returns the dates of the event as HTML. */
export const eventTimeHtml = (
  event: EventDates & { readonly startsAt: Date; readonly timeZone: string },
  language: string,
) => html`<time datetime="${dateTimeAttribute(event.startsAt, event)}">${formatDateRange(event, language)}</time>`

/** `Saturday, November 21, 2026 at 7:00 PM`, without the time for an event that lasts whole days. */
export const formatDate = (local: string, { allDay }: Pick<EventDates, 'allDay'>, language: string): string =>
  formatText(language, allDay ? { dateStyle: 'full' } : { dateStyle: 'full', timeStyle: 'short' }, date(local))

/** Returns day, month and year of the start of an event, for the calendar icon. */
export function startDateParts({ startsLocal }: Pick<EventDates, 'startsLocal'>, language: string) {
  const part = (options: Intl.DateTimeFormatOptions) => format(language, options).format(date(startsLocal))
  return { day: part({ day: 'numeric' }), month: part({ month: 'short' }), year: part({ year: 'numeric' }) }
}

/** `Saturday, November 21` */
export const formatDay = (day: string, language: string): string =>
  formatText(language, { weekday: 'long', month: 'long', day: 'numeric' }, midnight(day))

/** `November 21` */
export const formatShortDay = (local: string, language: string): string =>
  formatText(language, { month: 'long', day: 'numeric' }, date(local))

/** `Saturday, November 21, 2026`, or `Saturday, November 21 – Sunday, November 22, 2026` */
export const formatDays = (first: string, last: string, language: string): string =>
  formatText(language, { dateStyle: 'full' }, midnight(first), midnight(last))

/** `Sat` */
export const formatWeekday = (day: string, language: string): string =>
  format(language, { weekday: 'short' }).format(midnight(day))

/** `November 2026` */
export const formatMonth = (month: string, language: string): string =>
  format(language, { month: 'long', year: 'numeric' }).format(date(`${month}-01T00:00:00`))

/** `7:00 PM` */
export const formatTime = (local: string, language: string): string =>
  format(language, { timeStyle: 'short' }).format(date(local))
