// When an event takes place, as the form shows it, and as the service stores it.
import type { FormEventFragment, RecurrenceInput, ScheduleInput } from '../../gql/graphql.ts'

/** Local day and times, as the fields of the browser write them. */
export interface Span {
  readonly date: string
  readonly from: string
  readonly to: string
  /** Empty for the same day, or the next one if the end is before the start. */
  readonly endDate: string
}

export const units = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
export const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
type Weekday = (typeof weekdays)[number]

export interface Repeat {
  readonly unit: (typeof units)[number]
  readonly every: number
  /** For weeks; the weekday of the first date if empty. */
  readonly weekdays: readonly Weekday[]
  /** For months: on the same day, such as the 12th, or the same weekday, such as the second Tuesday or the last one. */
  readonly monthly: 'day' | 'weekday' | 'last'
  readonly end: 'never' | 'until' | 'count'
  readonly until: string
  readonly count: number
}

export interface Dates {
  /** `rules`: repeats by rules that the form does not know, and keeps. */
  readonly kind: 'once' | 'several' | 'repeats' | 'rules'
  readonly first: Span
  /** Dates beside the first one, or beside those of the rule. */
  readonly more: readonly Span[]
  readonly allDay: boolean
  readonly timeZone: string
  readonly repeat: Repeat
  /** Days, or local times, of the rule at which nothing takes place. */
  readonly excluded: readonly string[]
  readonly rules: readonly RecurrenceInput[]
}

export const emptySpan: Span = { date: '', from: '', to: '', endDate: '' }
export const weeklyRepeat: Repeat = {
  ...{ unit: 'WEEKLY', every: 1, weekdays: [], monthly: 'day', end: 'until', until: '', count: 10 },
}

const day = (date: string) => new Date(`${date}T00:00Z`)
export const addDays = (date: string, days: number): string =>
  new Date(day(date).getTime() + days * 86_400_000).toISOString().slice(0, 10)
export const weekdayOf = (date: string): Weekday => weekdays[(day(date).getUTCDay() + 6) % 7] ?? 'MO'
/** 2 for the second Tuesday of its month. */
export const weekInMonth = (date: string): number => Math.ceil(day(date).getUTCDate() / 7)
export const isInLastWeek = (date: string): boolean => addDays(date, 7).slice(0, 7) !== date.slice(0, 7)

export function toLocals({ date, from, to, endDate }: Span, allDay: boolean) {
  if (allDay) return { startsLocal: `${date}T00:00:00`, endsLocal: `${endDate || date}T23:59:59` }
  const end = to || from
  const lastDay = endDate || (end < from ? addDays(date, 1) : date)
  return { startsLocal: `${date}T${from}:00`, endsLocal: `${lastDay}T${end}:00` }
}

export const isWhole = ({ date, from }: Span, allDay: boolean): boolean => date !== '' && (allDay || from !== '')

export function isComplete({ kind, first, more, allDay, repeat }: Dates): boolean {
  if (kind === 'rules') return true
  const isRepeatComplete = kind !== 'repeats' || repeat.end !== 'until' || repeat.until !== ''
  return isWhole(first, allDay) && more.every((span) => isWhole(span, allDay)) && isRepeatComplete
}

export function readSpan(
  { startsLocal, endsLocal }: { readonly startsLocal: string; readonly endsLocal: string | null },
  allDay: boolean,
): Span {
  const [date = '', from = ''] = startsLocal.split('T')
  const [lastDay = '', to = ''] = (endsLocal ?? startsLocal).split('T')
  const isImplied = lastDay === date || (!allDay && lastDay === addDays(date, 1) && to < from)
  return {
    date,
    from: allDay ? '' : from.slice(0, 5),
    to: allDay ? '' : to.slice(0, 5),
    endDate: isImplied ? '' : lastDay,
  }
}

export function toSchedule({ kind, first, more, allDay, timeZone, repeat, excluded, rules }: Dates): ScheduleInput {
  const extraDates = (kind === 'several' ? [first, ...more] : more).map((span) => toLocals(span, allDay))
  const recurrences = {
    once: [],
    several: [],
    rules,
    repeats: [{ ...toLocals(first, allDay), rule: toRule(repeat, first.date) }],
  }
  return {
    ...{ timeZone, allDay, extraDates, recurrences: [...recurrences[kind]] },
    excludedDates: kind === 'several' ? [] : [...excluded],
  }
}

export function readSchedule(series: NonNullable<FormEventFragment['series']>): Dates {
  const { allDay, timeZone, recurrences, extraDates, excludedDates } = series
  const more = extraDates.map((date) => readSpan(date, allDay))
  const rules = recurrences.map(({ startsLocal, endsLocal, rule }) => ({ startsLocal, endsLocal, rule }))
  const common = { allDay, timeZone, excluded: excludedDates, rules, repeat: weeklyRepeat }
  const [recurrence, ...others] = rules
  if (!recurrence) return { ...common, kind: 'several', first: more[0] ?? emptySpan, more: more.slice(1) }
  const first = readSpan(recurrence, allDay)
  const repeat = others.length === 0 ? readRule(recurrence.rule, first.date) : undefined
  if (!repeat) return { ...common, kind: 'rules', first, more }
  return { ...common, kind: 'repeats', first, more, repeat, rules: [] }
}

function toRule({ unit, every, weekdays: chosen, monthly, end, until, count }: Repeat, date: string): string {
  const parts = [`FREQ=${unit}`]
  if (every > 1) parts.push(`INTERVAL=${every}`)
  if (unit === 'WEEKLY' && chosen.length > 0) parts.push(`BYDAY=${chosen.join(',')}`)
  if (unit === 'MONTHLY' && monthly === 'weekday') parts.push(`BYDAY=${weekInMonth(date)}${weekdayOf(date)}`)
  if (unit === 'MONTHLY' && monthly === 'last') parts.push(`BYDAY=-1${weekdayOf(date)}`)
  if (end === 'until') parts.push(`UNTIL=${until.replaceAll('-', '')}`)
  if (end === 'count') parts.push(`COUNT=${count}`)
  return parts.join(';')
}

const isUnit = (text: string | undefined): text is Repeat['unit'] => units.some((unit) => unit === text)

/** The choices that make this rule. Undefined if none do. */
function readRule(rule: string, date: string): Repeat | undefined {
  const parts = new Map(rule.split(';').map((part) => part.split('=') as [string, string]))
  const [unit, byDay, until, count] = ['FREQ', 'BYDAY', 'UNTIL', 'COUNT'].map((name) => parts.get(name))
  if (!isUnit(unit)) return undefined
  const monthly = !byDay ? 'day' : byDay.startsWith('-') ? 'last' : 'weekday'
  const repeat: Repeat = {
    unit,
    every: Number(parts.get('INTERVAL') ?? 1),
    weekdays: unit === 'WEEKLY' ? weekdays.filter((name) => byDay?.split(',').includes(name)) : [],
    monthly: unit === 'MONTHLY' ? monthly : 'day',
    end: until ? 'until' : count ? 'count' : 'never',
    until: until ? `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}` : '',
    count: Number(count ?? weeklyRepeat.count),
  }
  const normal = (text: string) =>
    text
      .split(';')
      .filter((part) => part !== 'INTERVAL=1')
      .sort()
      .join(';')
  return normal(toRule(repeat, date)) === normal(rule) ? repeat : undefined
}
