// A schedule in words, such as "every second Tuesday until 30 June 2027, except 24 and 31 December".
import { dayOfInstant } from '../../basics/dates/recurrence.ts'
import { weekdayCodes } from '../../basics/dates/week.ts'
import { toWallClock, wallClockToDate } from '../../basics/time.ts'
import type { ExpandedSchedule } from './expand-schedule.ts'
import type { Recurrence, Schedule } from './schedule.ts'

interface Words {
  readonly everyDay: (interval: number) => string
  readonly everyWeek: (days: string, interval: number, isOne: boolean) => string
  /** Follows a day, or several days. */
  readonly everyMonth: (interval: number) => string
  readonly everyYear: (interval: number) => string
  /** `position` is -1 for the last. */
  readonly nthWeekday: (position: number, weekday: string) => string
  readonly daysOfMonth: (days: string, isOne: boolean) => string
  readonly lastDay: string
  /** The preposition before the days of a month or a year. */
  readonly on: string
  readonly ofMonth: (month: string) => string
  /** A day such as 24 December, or several days of a month. */
  readonly days: (days: string, isOne: boolean) => string
  readonly dates: (count: number) => string
  readonly onDates: (count: number | undefined) => string
  readonly times: (count: number) => string
  readonly until: (date: string) => string
  readonly except: (dates: string) => string
  readonly also: (dates: string) => string
  /** Days of the week in lists, such as "Tuesdays". */
  readonly weekday: (name: string) => string
}

const ordinals = {
  en: ['', 'first', 'second', 'third', 'fourth', 'fifth'],
  fr: ['', 'premier', 'deuxième', 'troisième', 'quatrième', 'cinquième'],
  es: ['', 'primer', 'segundo', 'tercer', 'cuarto', 'quinto'],
}

const same = (name: string) => name

const wordsByLanguage: Readonly<Record<string, Words>> = {
  en: {
    everyDay: (n) => (n === 1 ? 'every day' : n === 2 ? 'every second day' : `every ${n} days`),
    everyWeek: (days, n, isOne) => {
      if (n === 1) return `every ${days}`
      return n === 2 && isOne ? `every second ${days}` : `every ${n === 2 ? 'second week' : `${n} weeks`} on ${days}`
    },
    everyMonth: (n) => (n === 1 ? ' of every month' : n === 2 ? ' of every second month' : ` every ${n} months`),
    everyYear: (n) => (n === 1 ? ' every year' : n === 2 ? ' every second year' : ` every ${n} years`),
    nthWeekday: (n, weekday) => `the ${n < 0 ? 'last' : ordinals.en[n]} ${weekday}`,
    daysOfMonth: (days, isOne) => `${isOne ? 'day' : 'days'} ${days}`,
    lastDay: 'the last day',
    on: 'on ',
    ofMonth: (month) => ` of ${month}`,
    days: same,
    dates: (count) => `${count} dates`,
    onDates: (count) => (count === 1 ? 'on one date' : `on ${count ?? 'several'} dates`),
    times: (count) => (count === 1 ? ', once' : `, ${count} times`),
    until: (date) => ` until ${date}`,
    except: (dates) => `except ${dates}`,
    also: (dates) => `also on ${dates}`,
    weekday: same,
  },
  fr: {
    everyDay: (n) => (n === 1 ? 'tous les jours' : n === 2 ? 'un jour sur deux' : `tous les ${n} jours`),
    everyWeek: (days, n, isOne) => {
      if (n === 1) return `tous les ${days}`
      if (isOne)
        return n === 2 ? `un ${days.slice(0, -1)} sur deux` : `un ${days.slice(0, -1)} toutes les ${n} semaines`
      return `${n === 2 ? 'une semaine sur deux' : `toutes les ${n} semaines`}, les ${days}`
    },
    everyMonth: (n) => (n === 1 ? ' de chaque mois' : n === 2 ? ', un mois sur deux' : `, tous les ${n} mois`),
    everyYear: (n) => (n === 1 ? ' de chaque année' : n === 2 ? ', une année sur deux' : `, tous les ${n} ans`),
    nthWeekday: (n, weekday) => `le ${n < 0 ? 'dernier' : ordinals.fr[n]} ${weekday}`,
    daysOfMonth: (days, isOne) => `${isOne ? 'le' : 'les'} ${days}`,
    lastDay: 'le dernier jour',
    on: '',
    ofMonth: (month) => (/^[ao]/.test(month) ? ` d’${month}` : ` de ${month}`),
    days: (days, isOne) => `${isOne ? 'le' : 'les'} ${days}`,
    dates: (count) => `${count} dates`,
    onDates: (count) => (count === 1 ? 'à une date' : `à ${count ?? 'plusieurs'} dates`),
    times: (count) => (count === 1 ? ', une fois' : `, ${count} fois`),
    until: (date) => ` jusqu’au ${date}`,
    except: (dates) => `sauf ${dates}`,
    also: (dates) => `et aussi ${dates}`,
    weekday: (name) => `${name}s`,
  },
  es: {
    everyDay: (n) => (n === 1 ? 'todos los días' : n === 2 ? 'cada dos días' : `cada ${n} días`),
    everyWeek: (days, n, isOne) => {
      if (n === 1) return `todos los ${days}`
      if (n === 2 && isOne) return `un ${days.replace(/(ado|ingo)s$/, '$1')} de cada dos`
      return `cada ${n === 2 ? 'dos' : n} semanas, los ${days}`
    },
    everyMonth: (n) => (n === 1 ? ' de cada mes' : `, cada ${n === 2 ? 'dos' : n} meses`),
    everyYear: (n) => (n === 1 ? ' de cada año' : `, cada ${n === 2 ? 'dos' : n} años`),
    nthWeekday: (n, weekday) => `el ${n < 0 ? 'último' : ordinals.es[n]} ${weekday}`,
    daysOfMonth: (days, isOne) => `${isOne ? 'el día' : 'los días'} ${days}`,
    lastDay: 'el último día',
    on: '',
    ofMonth: (month) => ` de ${month}`,
    days: (days, isOne) => `${isOne ? 'el' : 'los días'} ${days}`,
    dates: (count) => `${count} fechas`,
    onDates: (count) => (count === 1 ? 'en una fecha' : `en ${count ?? 'varias'} fechas`),
    times: (count) => (count === 1 ? ', una vez' : `, ${count} veces`),
    until: (date) => ` hasta el ${date}`,
    except: (dates) => `excepto ${dates}`,
    also: (dates) => `también ${dates}`,
    // Only Saturday and Sunday have a plural of their own.
    weekday: (name) => (/o$/.test(name) ? `${name}s` : name),
  },
}

/** More days than these are counted, and not listed. */
const maxListedDays = 12

/**
 * Describes a schedule in a language; in English if it has no words for the language. Times of day are left out. `expand` is called
 * only if a rule has no words.
 */
export function describeSchedule(
  schedule: Schedule,
  language: string,
  expand: () => Pick<ExpandedSchedule, 'dates' | 'computedUntil'>,
): string {
  const { recurrences, extraDates, excludedDates } = schedule
  const tag = wordsByLanguage[language.slice(0, 2)] ? language.slice(0, 2) : 'en'
  const words = wordsByLanguage[tag] as Words
  const list = new Intl.ListFormat(tag === 'en' ? 'en-GB' : tag, { type: 'conjunction' })
  const text: Language = { words, tag, join: (texts) => list.format(texts) }
  // Rules that differ in their times of day have the same words.
  const rules = new Set(recurrences.map((recurrence) => describeRecurrence(recurrence, schedule, text)))
  // Without a rule, the number of dates says all.
  const extras = recurrences.length > 0 ? extraDates.map(({ startsLocal }) => startsLocal) : []
  return [
    rules.size === 0 || rules.has(undefined) ? countDates() : text.join([...rules] as string[]),
    ...(excludedDates.size > 0 ? [words.except(listDays([...excludedDates], text))] : []),
    ...(extras.length > 0 ? [words.also(listDays(extras, text))] : []),
  ].join(', ')

  function countDates() {
    const { dates, computedUntil } = expand()
    return words.onDates(computedUntil === undefined ? dates.length : undefined)
  }
}

interface Language {
  readonly words: Words
  readonly tag: string
  join(texts: readonly string[]): string
}

/** Describes one rule; undefined if it has parts that words would not explain. */
function describeRecurrence(
  { rule: { pattern, count, until }, startsLocal }: Recurrence,
  { timeZone, isAllDay }: Schedule,
  text: Language,
): string | undefined {
  const frequency = describeFrequency(pattern, startsLocal, text)
  if (frequency === undefined) return undefined
  if (count !== undefined) return frequency + text.words.times(count)
  if (until === undefined) return frequency
  const toLocal = isAllDay ? dayOfInstant : (iso: string) => toWallClock(new Date(iso), timeZone)
  const last = until.endsWith('Z') ? toLocal(until, timeZone) : until
  return frequency + text.words.until(formatDay(wallClockDay(last), text, true))
}

function describeFrequency(pattern: string, startsLocal: string, text: Language): string | undefined {
  const { words, tag, join } = text
  const {
    FREQ,
    INTERVAL,
    WKST: _,
    BYDAY,
    BYMONTHDAY,
    BYMONTH,
    BYSETPOS,
    ...others
  } = Object.fromEntries(pattern.split(';').map((part) => part.split('=') as [string, string])) as Readonly<
    Record<string, string | undefined>
  >
  if (Object.keys(others).length > 0 || (BYDAY && BYMONTHDAY)) return undefined
  const start = wallClockToDate(startsLocal)
  const interval = Number(INTERVAL ?? 1)
  const byDay = BYDAY?.split(',') ?? []
  const isYearly = FREQ === 'YEARLY'
  if ((BYSETPOS && (FREQ !== 'MONTHLY' || byDay.length !== 1)) || (BYMONTH && !isYearly)) return undefined
  const isWeekly = FREQ === 'WEEKLY' || (FREQ === 'DAILY' && BYDAY && interval === 1)
  if (FREQ === 'DAILY' && !BYDAY && !BYMONTHDAY) return words.everyDay(interval)
  if (isWeekly && !BYMONTHDAY) {
    const days = BYDAY ? byDay : [weekdayCodes[(start.getUTCDay() + 6) % 7] ?? 'MO']
    const ordered = weekdayCodes.filter((day) => days.includes(day)).map((day) => words.weekday(weekdayName(day, tag)))
    if (ordered.length === 0) return undefined
    return ordered.length === 7 && interval === 1
      ? words.everyDay(1)
      : words.everyWeek(join(ordered), interval, ordered.length === 1)
  }
  // Outlook writes the second Tuesday as BYDAY=TU;BYSETPOS=2.
  const nth = byDay.map((day) => /^([+-]?\d)([A-Z]{2})$/.exec(`${BYSETPOS ?? ''}${day}`))
  if (nth.some((match) => !match || Number(match[1]) < -1 || Number(match[1]) > 5)) return undefined
  const weekdays = nth.map((match) => words.nthWeekday(Number(match?.[1]), weekdayName(match?.[2] ?? '', tag)))
  if (FREQ === 'MONTHLY') {
    const numbers = BYMONTHDAY?.split(',').map(Number) ?? [start.getUTCDate()]
    const days = numbers.filter((day) => day > 0).map((day) => formatNumber(day, tag))
    if (numbers.some((day) => day < -1)) return undefined
    const numbered = days.length > 0 ? [words.daysOfMonth(join(days), days.length === 1)] : []
    const all = BYDAY ? weekdays : [...numbered, ...(numbers.includes(-1) ? [words.lastDay] : [])]
    return words.on + join(all) + words.everyMonth(interval)
  }
  const [month, day] = [Number(BYMONTH ?? start.getUTCMonth() + 1), Number(BYMONTHDAY ?? start.getUTCDate())]
  if (!isYearly || Number.isNaN(month) || !(day > 0) || (!BYMONTH && (BYDAY || BYMONTHDAY))) return undefined
  const date = new Date(Date.UTC(2024, month - 1, BYDAY ? 1 : day))
  // There is no 30 February.
  if (date.getUTCMonth() !== month - 1) return undefined
  const name = new Intl.DateTimeFormat(tag, { month: 'long', timeZone: 'UTC' }).format(date)
  const days = BYDAY ? join(weekdays) + words.ofMonth(name) : words.days(formatDay(date, text, false), true)
  return words.on + days + words.everyYear(interval)
}

/** The name of a weekday, such as MO. The second of January 2023 is a Monday. */
const weekdayName = (day: string, tag: string) =>
  new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2023, 0, 2 + weekdayCodes.indexOf(day))),
  )

const wallClockDay = (local: string) => wallClockToDate(`${local.slice(0, 10)}T00:00:00`)

const formatDay = (day: Date, { tag }: Language, withYear: boolean) =>
  new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
    ...(withYear && { year: 'numeric' }),
  })
    .format(day)
    .replace(/^1 /, tag === 'fr' ? '1er ' : '1 ')

const formatNumber = (day: number, tag: string) => (tag === 'fr' && day === 1 ? '1er' : `${day}`)

/** Days in a list. Days of the same month share its name: "24 and 31 December". */
function listDays(locals: readonly string[], text: Language): string {
  const { words, tag, join } = text
  const days = [...new Set(locals.map((local) => local.slice(0, 10)))].sort().map(wallClockDay)
  if (days.length > maxListedDays) return words.dates(days.length)
  const years = new Set(days.map((day) => day.getUTCFullYear()))
  const months = Map.groupBy(days, (day) => day.toISOString().slice(0, 7))
  return join(
    [...months.values()].map((group) => {
      const last = formatDay(group.at(-1) as Date, text, years.size > 1)
      const others = group.slice(0, -1).map((day) => formatNumber(day.getUTCDate(), tag))
      return words.days(join([...others, last]), group.length === 1)
    }),
  )
}
