// Time zones computed with Intl only, and the date parameters of REST lists (contract b.10).
import { now } from './app.ts'
import { day, minute } from './oracle-facts.ts'

/** A local time in milliseconds as text: `2026-12-01T19:00:00`. */
export const wallText = (wall: number) => new Date(wall).toISOString().slice(0, 19)
export const wallOf = (text: string) => Date.parse(`${text}Z`)

const formats = new Map<string, Intl.DateTimeFormat>()

function offset(time: number, timeZone: string): number {
  const [, hours, minutes] = /^UTC\+(\d+):(\d+)$/.exec(timeZone) ?? []
  if (hours) return (Number(hours) * 60 + Number(minutes)) * minute
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  formats.set(timeZone, format)
  return wallOf(format.format(time).replace(' ', 'T')) - time
}

const wallAt = (time: number, zone: string) => time + offset(time, zone)

/** The generated data contains no local times in skipped or repeated hours. */
export function instantOf(wall: number, zone: string): number {
  const guess = wall - offset(wall, zone)
  return wall - offset(guess, zone)
}

export const dateNames = [
  ...(['start_date', 'end_date', 'starts_before', 'starts_after', 'ends_before', 'ends_after'] as const),
]
export type DateName = (typeof dateNames)[number]

/** A date parameter as text, and its meaning: a local time without zone, or an instant. */
export interface SentDate {
  readonly text: string
  readonly wall?: number
  readonly instant?: number
}

export interface Calendar {
  readonly siteZone: string
  readonly oneZone: boolean
  /** Milliseconds after midnight. */
  readonly cutoff: number
}

export type Dates = { readonly [name in DateName]?: SentDate | undefined }

/** Bounds as local times of the site. */
export type Bounds = { readonly [name in DateName]?: number }

const relative: readonly DateName[] = ['starts_before', 'starts_after', 'ends_before', 'ends_after']

/** Without relative parameters, the window has default bounds. */
export function boundsOf(dates: Dates, strict: boolean, calendar: Calendar): Bounds {
  const windowed = !relative.some((name) => dates[name])
  const minuteToToday = Math.floor(now.getTime() / day) * day - minute
  const defaults: Dates = {
    start_date: { text: 'yesterday 23:59', wall: wallAt(minuteToToday, calendar.siteZone) },
    end_date: { text: '+24 months', wall: wallOf('2028-11-21T12:00:00') },
  }
  return Object.fromEntries(
    dateNames.flatMap((name) => {
      const date = dates[name] ?? (windowed ? defaults[name] : undefined)
      return date ? [[name, strict ? exact(date, calendar) : widened(name, date, calendar)]] : []
    }),
  )
}

const exact = ({ wall, instant }: SentDate, { siteZone }: Calendar) => wall ?? wallAt(instant ?? 0, siteZone)

/** The whole day of the local time, or of the instant in UTC. The last second of a day stays as it is. */
function widened(name: DateName, { wall, instant }: SentDate, { cutoff }: Calendar): number {
  const time = wall ?? instant ?? 0
  const start = Math.floor(time / day) * day + cutoff
  if (name === 'start_date') return start
  return time === start - 1000 ? time : start + day - 1000
}

interface Clocks {
  readonly start: string
  readonly end: string
  readonly zone: string
}

export function liesWithin({ start, end, zone }: Clocks, bounds: Bounds, { siteZone, oneZone }: Calendar): boolean {
  // Compares in the time zone of the site if it shows one zone, otherwise in the zone of each event.
  const clock = (text: string) =>
    siteZone === 'UTC' || oneZone ? wallAt(instantOf(wallOf(text), zone), siteZone) : wallOf(text)
  const [starts, ends] = [clock(start), clock(end)]
  const fits: Readonly<Record<DateName, (bound: number) => boolean>> = {
    start_date: (bound) => starts >= bound,
    end_date: (bound) => ends <= bound,
    starts_before: (bound) => starts < bound,
    starts_after: (bound) => starts > bound,
    ends_before: (bound) => ends < bound,
    ends_after: (bound) => ends > bound,
  }
  return dateNames.every((name) => bounds[name] === undefined || fits[name](bounds[name]))
}
