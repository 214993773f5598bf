// The same words and forms as in imports by the command, whose functions these are.
import { findDate, findTime, normalizeCell, splitDateTime } from '../../../../src/tools/spreadsheets/written-dates.ts'

/** How 03/04/2027 is meant. */
export type DateOrder = 'dayFirst' | 'monthFirst'

interface LocalParts {
  /** Such as 2027-01-31. */
  readonly date: string
  /** Such as 18:00:00; undefined for a whole day. */
  readonly time: string | undefined
}

/** Reads a date, with or without a time; undefined if the cell has none that exists. */
export function readDate(cell: string, order: DateOrder): LocalParts | undefined {
  const text = normalizeCell(cell)
  const iso = /^(\d{4}-\d\d-\d\d)(?:[t ](\d\d:\d\d)(?::\d\d)?)?$/.exec(text)
  if (iso) return existing(iso[1] ?? '', iso[2] && `${iso[2]}:00`)
  const { date, time } = splitDateTime(text) ?? { date: text, time: undefined }
  const clock = time === undefined ? undefined : findTime(time)
  if (time !== undefined && clock === undefined) return undefined
  const numbers = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/.exec(date)
  if (numbers) {
    const [, first = '', second = '', year = ''] = numbers
    const [day, month] = order === 'dayFirst' ? [first, second] : [second, first]
    return existing(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, clock)
  }
  const found = findDate(date)
  if (found === undefined || found === 'ambiguous') return undefined
  return existing(`${found.year}-${found.month.padStart(2, '0')}-${found.day.padStart(2, '0')}`, clock)
}

/** Reads a time of day to a text such as 18:00:00; undefined if the cell has none. */
export const readTime = (cell: string): string | undefined => findTime(normalizeCell(cell))

function existing(date: string, time: string | undefined): LocalParts | undefined {
  const day = new Date(`${date}T00:00:00Z`)
  // Date moves 31 February to the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(date) ? { date, time } : undefined
}
