// A schedule in words, such as "every second Tuesday until 30 June 2027, except 24 and 31 December".
import { weekdayCodes } from '../../basics/dates/week.ts'
import { wallClockToDate } from '../../basics/time.ts'
import type { ExpandedSchedule } from './expand-schedule.ts'
import type { Recurrence, Schedule } from './schedule.ts'

interface Words {
  readonly everyDay: (interval: number) => string
  readonly everyWeek: (days: string, interval: number, hasOneDay: boolean) => string
  readonly everyMonth: (interval: number) => string
  readonly everyYear: (interval: number) => string
  /** `position` is -1 for the last. */
  readonly nthWeekday: (position: number, weekday: string) => string
  readonly dayOfMonth: (days: string) => string
  readonly lastDay: string
  readonly other: (dates: number) => string
  readonly times: (count: number) => string
  readonly until: (date: string) => string
  readonly except: (dates: string, isOne: boolean) => string
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
    everyWeek: (days, n) =>
      n === 1 ? `every ${days}` : n === 2 ? `every second ${days}` : `every ${n} weeks on ${days}`,
    everyMonth: (n) => (n === 1 ? 'of every month' : n === 2 ? 'of every second month' : `of every ${n} months`),
    everyYear: (n) => (n === 1 ? 'every year' : n === 2 ? 'every second year' : `every ${n} years`),
    nthWeekday: (n, weekday) => `on the ${n < 0 ? 'last' : ordinals.en[n]} ${weekday}`,
    dayOfMonth: (days) => `on day ${days}`,
    lastDay: 'on the last day',
    other: (dates) => (dates === 1 ? 'on one date' : `on ${dates} dates`),
    times: (count) => (count === 1 ? 'once' : `${count} times`),
    until: (date) => `until ${date}`,
    except: (dates) => `except ${dates}`,
    also: (dates) => `also on ${dates}`,
    weekday: same,
  },
  fr: {
    everyDay: (n) => (n === 1 ? 'tous les jours' : n === 2 ? 'un jour sur deux' : `tous les ${n} jours`),
    everyWeek: (days, n, hasOneDay) =>
      n === 1
        ? `tous les ${days}`
        : n === 2 && hasOneDay
          ? `un ${days.slice(0, -1)} sur deux`
          : `toutes les ${n} semaines, les ${days}`,
    everyMonth: (n) => (n === 1 ? 'de chaque mois' : n === 2 ? 'un mois sur deux' : `tous les ${n} mois`),
    everyYear: (n) => (n === 1 ? 'chaque année' : n === 2 ? 'un an sur deux' : `tous les ${n} ans`),
    nthWeekday: (n, weekday) => `le ${n < 0 ? 'dernier' : ordinals.fr[n]} ${weekday}`,
    dayOfMonth: (days) => `le ${days}`,
    lastDay: 'le dernier jour',
    other: (dates) => (dates === 1 ? 'à une date' : `à ${dates} dates`),
    times: (count) => `${count} fois`,
    until: (date) => `jusqu’au ${date}`,
    except: (dates, isOne) => `sauf ${isOne ? 'le' : 'les'} ${dates}`,
    also: (dates) => `et aussi le ${dates}`,
    weekday: (name) => `${name}s`,
  },
  es: {
    everyDay: (n) => (n === 1 ? 'todos los días' : n === 2 ? 'cada dos días' : `cada ${n} días`),
    everyWeek: (days, n, hasOneDay) =>
      n === 1
        ? `todos los ${days}`
        : n === 2 && hasOneDay
          ? `un ${days.replace(/(ado|ingo)s$/, '$1')} de cada dos`
          : `cada ${n} semanas, los ${days}`,
    everyMonth: (n) => (n === 1 ? 'de cada mes' : n === 2 ? 'cada dos meses' : `cada ${n} meses`),
    everyYear: (n) => (n === 1 ? 'todos los años' : n === 2 ? 'cada dos años' : `cada ${n} años`),
    nthWeekday: (n, weekday) => `el ${n < 0 ? 'último' : ordinals.es[n]} ${weekday}`,
    dayOfMonth: (days) => `el día ${days}`,
    lastDay: 'el último día',
    other: (dates) => (dates === 1 ? 'en una fecha' : `en ${dates} fechas`),
    times: (count) => (count === 1 ? 'una vez' : `${count} veces`),
    until: (date) => `hasta el ${date}`,
    except: (dates) => `excepto el ${dates}`,
    also: (dates) => `también el ${dates}`,
    // Only Saturday and Sunday have a plural of their own.
    weekday: (name) => (/o$/.test(name) ? `${name}s` : name),
  },
}

/**
 * Describes a schedule in a language; in English if it has no words for the language. Times of day are left out. `expand` is called
 * only if a rule has no words.
 */
export function describeSchedule(
  { recurrences, extraDates, excludedDates }: Schedule,
  language: string,
  expand: () => Pick<ExpandedSchedule, 'dates' | 'computedUntil'>,
): string {
  const tag = wordsByLanguage[language.slice(0, 2)] ? language.slice(0, 2) : 'en'
  const words = wordsByLanguage[tag] as Words
  const join = (texts: readonly string[]) =>
    new Intl.ListFormat(tag === 'en' ? 'en-GB' : tag, { type: 'conjunction' }).format(texts)
  const rules = recurrences.map((recurrence) => describeRecurrence(recurrence, words, tag, join))
  const described = rules.filter((rule) => rule !== undefined)
  const main = described.length === rules.length || expand().computedUntil ? join(described) : ''
  // Without a rule, the number of dates says all.
  const extras = recurrences.length > 0 ? toDays(extraDates.map(({ startsLocal }) => startsLocal)) : []
  const excluded = toDays([...excludedDates])
  return [
    main || words.other(expand().dates.length),
    ...(excluded.length > 0 ? [words.except(formatDays(excluded, tag, join), excluded.length === 1)] : []),
    ...(extras.length > 0 ? [words.also(formatDays(extras, tag, join))] : []),
  ].join(', ')
}

const toDays = (locals: readonly string[]) =>
  [...new Set(locals.map((local) => local.slice(0, 10)))].sort().map(wallClockDay)

const wallClockDay = (day: string) => wallClockToDate(`${day}T00:00:00`)

type Join = (texts: readonly string[]) => string

/** Describes one rule; undefined if it has parts that words would not explain. */
function describeRecurrence(
  { rule, startsLocal }: Recurrence,
  words: Words,
  tag: string,
  join: Join,
): string | undefined {
  const parts = new Map(rule.pattern.split(';').map((part) => part.split('=') as [string, string]))
  const interval = Number(parts.get('INTERVAL') ?? 1)
  const known = new Set(['FREQ', 'INTERVAL', 'WKST', 'BYDAY', 'BYMONTHDAY', 'BYMONTH'])
  if ([...parts.keys()].some((name) => !known.has(name))) return undefined
  const start = wallClockToDate(startsLocal)
  const byDay = parts.get('BYDAY')?.split(',')
  const byMonthDay = parts.get('BYMONTHDAY')?.split(',')
  const text = describeFrequency()
  if (text === undefined) return undefined
  const end =
    rule.count !== undefined
      ? words.times(rule.count)
      : rule.until && words.until(formatDay(wallClockDay(rule.until.slice(0, 10)), tag, true))
  return end ? `${text} ${end}` : text

  function describeFrequency(): string | undefined {
    const frequency = parts.get('FREQ')
    if (parts.has('BYMONTH') && (frequency !== 'YEARLY' || byDay || byMonthDay)) return undefined
    if (frequency === 'DAILY' && !byDay && !byMonthDay) return words.everyDay(interval)
    if (frequency === 'WEEKLY') {
      const days = byDay ?? [weekdayCodes[(start.getUTCDay() + 6) % 7] ?? 'MO']
      if (days.some((day) => day.length > 2)) return undefined
      const ordered = weekdayCodes
        .filter((day) => days.includes(day))
        .map((day) => words.weekday(weekdayName(day, tag)))
      return ordered.length === 7 && interval === 1
        ? words.everyDay(1)
        : words.everyWeek(join(ordered), interval, ordered.length === 1)
    }
    if (frequency === 'MONTHLY' && byDay && !byMonthDay) {
      const named = byDay.map((each) => /^([+-]?\d)([A-Z]{2})$/.exec(each))
      if (named.some((match) => !match || Number(match[1]) < -1 || Number(match[1]) > 5)) return undefined
      const texts = named.map((match) => words.nthWeekday(Number(match?.[1]), weekdayName(match?.[2] ?? '', tag)))
      return `${join(texts)} ${words.everyMonth(interval)}`
    }
    if (frequency === 'MONTHLY' && !byDay) {
      const days = byMonthDay ?? [String(start.getUTCDate())]
      if (days.length === 1 && days[0] === '-1') return `${words.lastDay} ${words.everyMonth(interval)}`
      if (days.some((day) => Number(day) < 0)) return undefined
      return `${words.dayOfMonth(join(days))} ${words.everyMonth(interval)}`
    }
    if (frequency === 'YEARLY' && !byDay && !byMonthDay && !parts.has('BYMONTH')) {
      const day = formatDay(start, tag, false)
      return tag === 'en'
        ? `on ${day} ${words.everyYear(interval)}`
        : `${tag === 'fr' ? 'le' : 'el'} ${day}, ${words.everyYear(interval)}`
    }
    return undefined
  }
}

/** The name of a weekday, such as MO. The second of January 2023 is a Monday. */
const weekdayName = (day: string, tag: string) =>
  new Intl.DateTimeFormat(tag, { weekday: 'long', timeZone: 'UTC' }).format(
    new Date(Date.UTC(2023, 0, 2 + weekdayCodes.indexOf(day))),
  )

const formatDay = (day: Date, tag: string, withYear: boolean) =>
  new Intl.DateTimeFormat(tag === 'en' ? 'en-GB' : tag, {
    ...{ day: 'numeric', month: 'long', timeZone: 'UTC' },
    ...(withYear && { year: 'numeric' }),
  }).format(day)

/** Days in a list. Days of the same month share its name: "24 and 31 December". */
function formatDays(days: readonly Date[], tag: string, join: Join): string {
  const years = new Set(days.map((day) => day.getUTCFullYear()))
  const months = Map.groupBy(days, (day) => day.toISOString().slice(0, 7))
  const texts = [...months.values()].map((group) => {
    const last = formatDay(group.at(-1) as Date, tag, years.size > 1)
    const others = group.slice(0, -1).map((day) => String(day.getUTCDate()))
    return join([...others, last])
  })
  return texts.length > 1 ? join(texts) : (texts[0] ?? '')
}
