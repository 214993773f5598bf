// Filters the days of yearly recurrence rules, such as BYDAY=20MO or BYYEARDAY=100;BYDAY=SU: rrule-temporal 2.2.8 also returns
// days that these rules exclude.
import { dayMs, wallClockToDate } from '../time.ts'

type Parts = Readonly<Record<string, string>>

const isGregorianYear = ({ FREQ, RSCALE = 'GREGORIAN' }: Parts) => FREQ === 'YEARLY' && RSCALE === 'GREGORIAN'

/** Whether the rule selects the nth weekday of the year, such as BYDAY=20MO. */
const isOrdinal = ({ BYDAY, BYMONTH }: Parts) => BYMONTH === undefined && /\d/.test(BYDAY ?? '')

/** Returns why the library cannot expand the rule, not even with `createYearlyDayPredicate`; undefined if it can. */
export function whyYearlyRuleUnsupported(parts: Parts): string | undefined {
  if (!isGregorianYear(parts)) return undefined
  const { BYDAY = '', BYMONTHDAY, BYYEARDAY, BYSETPOS } = parts
  const days = isOrdinal(parts) ? BYDAY.split(',') : []
  const [last, others] = [days.filter((day) => /53/.test(day)), days.filter((day) => /^[+-]?\d/.test(day))]
  if (others.length < days.length || (last.length > 0 && last.length < days.length))
    return `BYDAY=${BYDAY} is not supported`
  const isLimited = BYYEARDAY !== undefined ? BYDAY !== '' || BYMONTHDAY !== undefined : days.length > 0 && BYMONTHDAY
  return BYSETPOS !== undefined && (isLimited || last.length > 0)
    ? `BYSETPOS=${BYSETPOS} is not supported with these parts`
    : undefined
}

/** Returns a predicate for local times on days of the rule: for a missing 53rd Saturday, the library returns 2 January. */
export function createYearlyDayPredicate(pattern: string): (local: string) => boolean {
  const parts: Parts = Object.fromEntries(pattern.split(';').map((part) => part.split('=')))
  if (!isGregorianYear(parts) || !(isOrdinal(parts) || parts.BYYEARDAY)) return () => true
  const [days, monthDays, yearDays] = ['BYDAY', 'BYMONTHDAY', 'BYYEARDAY'].map((name) =>
    parts[name]?.replaceAll('+', '').split(','),
  )
  return (local) => {
    const date = wallClockToDate(local)
    const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
    const yearDay = dayNumbers(date, Date.UTC(year, 0), Date.UTC(year + 1, 0))
    const weekday = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA'][date.getUTCDay()]
    const monthDay = dayNumbers(date, Date.UTC(year, month), Date.UTC(year, month + 1))
    const weeks = (parts.BYMONTH ? monthDay : yearDay).map(
      (day) => `${Math.sign(day) * Math.ceil(Math.abs(day) / 7)}${weekday}`,
    )
    return (
      includesAny(days, [...weeks, `${weekday}`]) && includesAny(monthDays, monthDay) && includesAny(yearDays, yearDay)
    )
  }
}

/** The position of a day in a period, counted from the start and from the end of the period. */
const dayNumbers = (date: Date, start: number, end: number) => [
  Math.floor((date.getTime() - start) / dayMs) + 1,
  -Math.ceil((end - date.getTime()) / dayMs),
]

const includesAny = (list: readonly string[] | undefined, values: readonly (string | number)[]) =>
  list === undefined || values.some((value) => list.includes(String(value)))
