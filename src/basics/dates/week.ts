// The first day of the week and the weekend, which depend on the region, not on the language.
import { memoize } from '../memoize.ts'
import { addDays, isIanaZone } from '../time.ts'
import { readZoneRows } from './cldr-zones.ts'

declare global {
  namespace Intl {
    interface Locale {
      getWeekInfo(): WeekRules
    }
  }
}

/** Days are numbers from 1, Monday, to 7, Sunday. */
interface WeekRules {
  readonly firstDay: number
  readonly weekend: readonly number[]
}

/** Returns the first day of the week and the weekend in the region of a time zone; ISO 8601 for zones such as UTC. */
export const weekRules = memoize(
  { name: 'week', max: 100 },
  (timeZone: string): WeekRules => new Intl.Locale('und', { region: regionOf(timeZone) ?? '001' }).getWeekInfo(),
)

function regionOf(timeZone: string): string | undefined {
  if (!isIanaZone(timeZone)) return undefined
  // CLDR has one identifier for each zone: the canonical identifier that Intl returns.
  const { timeZone: name } = new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions()
  return readZoneRows().find(({ territory, zones }) => territory !== '001' && zones.includes(name))?.territory
}

/** The weekdays of iCalendar (RFC 5545), from Monday. */
export const weekdayCodes = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** Returns the number of the weekday of a date, from 1 for Monday to 7 for Sunday. */
export const weekday = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** First and last day of the weekend that contains the day, or else of the next weekend. */
export function weekendOf(day: string, timeZone: string): { readonly first: string; readonly last: string } {
  const { weekend } = weekRules(timeZone)
  const isFree = (other: string) => weekend.includes(weekday(other))
  const days = Array.from({ length: 9 }, (_, index) => addDays(`${day}T00:00:00`, index - 1).slice(0, 10))
  const index = days.findIndex((other, place) => place > 0 && isFree(other))
  const [before = day, on = day, after = day] = days.slice(index - 1)
  return { first: isFree(before) ? before : on, last: isFree(after) ? after : on }
}
