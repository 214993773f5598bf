// Parses dates and times as people write them, such as `jeu. 24 déc. 2026 à 20h30` or `8:00 p. m.`.

const languages = ['en', 'fr', 'es', 'de', 'it', 'pt', 'nl']

/** Normalizes a cell for parsing: lower case, no accents, single spaces, and without the apostrophe that marks text. */
export const normalizeCell = (cell: string): string =>
  cell
    .replace(/^\s*['’]/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim()

/** Returns a map from the names of months or days of the week, in several languages, to their numbers. */
const namesOf = (part: 'month' | 'weekday', count: number, dateOf: (index: number) => number) =>
  new Map(
    languages.flatMap((language) => {
      const format = new Intl.DateTimeFormat(language, { day: 'numeric', [part]: 'long', timeZone: 'UTC' })
      return Array.from({ length: count }, (_, index) => {
        const name = format.formatToParts(dateOf(index)).find(({ type }) => type === part)?.value ?? ''
        return [normalizeCell(name), index] as const
      })
    }),
  )

const months = namesOf('month', 12, (month) => Date.UTC(2026, month, 15))
/** Numbers of days of the week by name. 1 November 2026 is a Sunday. */
const weekdays = namesOf('weekday', 7, (day) => Date.UTC(2026, 10, day + 1))

/** German abbreviates days of the week to two letters instead of three. */
const germanWeekdays = new Map(['so', 'mo', 'di', 'mi', 'do', 'fr', 'sa'].map((name, index) => [name, index]))

/** Finds the number for a name, or for its first three or more letters; undefined if several names match. */
function find(names: ReadonlyMap<string, number>, word: string): number | undefined {
  if (word.length < 3) return names === weekdays ? germanWeekdays.get(word) : undefined
  const found = new Set([...names].filter(([name]) => name.startsWith(word)).map(([, number]) => number))
  return found.size === 1 ? [...found][0] : undefined
}

export function parseMonth(name: string): string | undefined {
  const month = find(months, normalizeCell(name).replace(/\.$/, ''))
  return month === undefined ? undefined : String(month + 1)
}

const smallWords: ReadonlySet<string> = new Set(
  'de del of the le el den der am on o a st nd rd th er re at las la um alle as om uhr'.split(' '),
)

/** Parses a date in a normalized text; undefined if the text is anything else. `ambiguous` for 03/04/2026. */
export function findDate(text: string) {
  const words = (text.match(/\p{L}+/gu) ?? []).filter((word) => !smallWords.has(word))
  const numbers = text.match(/\d+/g) ?? []
  const asWeekday = words.map((word) => find(weekdays, word))
  const asMonth = words.map((word) => find(months, word))
  // `mar` is March, or Tuesday in French (mardi).
  const surely = words.findIndex((_, index) => asMonth[index] !== undefined && asWeekday[index] === undefined)
  const isAllNumbers = numbers.length === 3 && /\d([./-])\d+\1\d/.test(text)
  const either = isAllNumbers ? -1 : asMonth.findLastIndex((month) => month !== undefined)
  const monthIndex = surely >= 0 ? surely : either
  const weekdayWords = asWeekday.filter((_, index) => index !== monthIndex)
  if (weekdayWords.length > 1 || weekdayWords.includes(undefined)) return undefined
  const [weekday] = weekdayWords
  const month = asMonth[monthIndex]
  if (month !== undefined) return withMonth(numbers, String(month + 1), weekday)
  const [first = '', second = '', third = ''] = numbers
  if (!isAllNumbers) return undefined
  if (first.length === 4) return { year: first, month: second, day: third, weekday }
  if (third.length !== 4) return 'ambiguous'
  if (first !== second && Number(first) <= 12 && Number(second) <= 12) return 'ambiguous'
  const [day, monthNumber] = Number(first) > 12 ? [first, second] : [second, first]
  return { year: third, month: monthNumber, day, weekday }
}

/** Parses `24 Dec 2026`, `Dec 24 2026`, `2026 Dec 24`, and `24-Dec-26`, which spreadsheet programs write. */
function withMonth(numbers: readonly string[], month: string, weekday: number | undefined) {
  const year = numbers.find((number) => number.length === 4)
  const [day = '', last = ''] = year === undefined ? numbers : numbers.filter((number) => number !== year)
  if (numbers.length !== 2 || day.length > 2 || (year === undefined && last.length !== 2)) return undefined
  return { year: year ?? `20${last}`, month, day, weekday }
}

const timeSource = [
  '(?<hour>\\d{1,2})',
  '(?:(?:\\s?:\\s?|\\.|\\s?(?:h|hs|hrs|uhr)\\s?)(?<minute>\\d\\d)(?:\\s?(?:min|mn)\\b)?(?:\\s?[:.]\\s?(?<second>\\d\\d)(?:[.,]\\d+)?)?)?',
  '(?<suffix>\\s?(?:(?<half>[ap])\\.?\\s?m\\b\\.?|(?:uhr|h|hs|hrs|heures?|horas?|o.?clock)\\b\\.?))?',
].join('')
const wordSource = '(?<midnight>midnight|minuit|medianoche)|(?<noon>noon|midday|midi|mediodia)'
const time = new RegExp(`^(?:${timeSource}|${wordSource})$`)
const timeFirst = new RegExp(`^(?<time>${timeSource}|${wordSource})(?:\\s*,\\s*|\\s)(?<date>.*)$`)
const timeLast = new RegExp(`^(?<date>.*?)(?:\\s*,\\s*|\\s|(?<=\\d)t)(?<time>${timeSource}|${wordSource})$`)

type Groups = Readonly<Record<string, string | undefined>>

/** Parses a time of day to `HH:MM:SS`; undefined if the text is none. */
export function findTime(text: string): string | undefined {
  const groups: Groups = time.exec(text)?.groups ?? {}
  if (groups.midnight) return '00:00:00'
  return groups.noon ? '12:00:00' : formatClock(groups)
}

/** Formats the named groups of a pattern as `HH:MM:SS`; undefined for a time that does not exist, such as 13 a.m. */
export function formatClock({ hour, minute = '00', second = '00', half }: Groups): string | undefined {
  const isAfternoon = half?.toLowerCase() === 'p'
  const is24Hours = half === undefined || (isAfternoon && Number(hour) > 12)
  if (!is24Hours && Number(hour) > 12) return undefined
  const hours = is24Hours ? Number(hour) : (Number(hour) % 12) + (isAfternoon ? 12 : 0)
  const exists = hours <= 23 && Number(minute) <= 59 && Number(second) <= 59
  return exists ? [String(hours).padStart(2, '0'), minute, second].join(':') : undefined
}

/** Splits a normalized text into a date and a time, in either order. A single number is not read as a time. */
export function splitDateTime(text: string): { readonly date: string; readonly time: string } | undefined {
  for (const pattern of [timeLast, timeFirst]) {
    const { date, time: part, hour, minute, suffix } = pattern.exec(text)?.groups ?? {}
    const isTime = hour === undefined || minute !== undefined || suffix !== undefined
    if (date !== undefined && part !== undefined && isTime) return { date, time: part }
  }
  return undefined
}
