// Converts between values and the text of spreadsheet cells.
import { parseJson } from '../../basics/parse-json.ts'
import { isZone } from '../../basics/time.ts'
import { normalizeUnicode } from '../../calendar/text/normalize.ts'

/** A cell with an invalid value. The message says what is valid. */
export class CellError extends Error {}

/** Removes the apostrophe at the start, by which spreadsheet programs mark a cell as text. */
const unmarked = (cell: string): string => cell.trim().replace(/^['’]/, '').trim()

/** What spreadsheet programs show for formulas with errors and for too wide numbers, in four languages. */
const formulaError =
  /^(?:#(?:(?:[¡¿]?(?:REF|VALUE|VALEUR|VALOR|WERT|BEZUG|NUM|NOMBRE|ZAHL|NULL|NUL|NULO|DIV\/0|SPILL|CALC|ERROR)!)|[¡¿]?(?:NAME|NOM|NOMBRE)\?|N\/[AD]|NV)|Err:\d{3}|#{3,})$/

export const isFormulaError = (cell: string): boolean => formulaError.test(cell.trim())

const yes: readonly string[] = ['true', 'yes', '1', 'on', 'x', 'vrai', 'oui', 'verdadero', 'si', 'sí']
const no: readonly string[] = ['', 'false', 'no', '0', 'off', 'faux', 'non', 'falso']

/** Parses true or false, also as yes or no in English, French or Spanish. */
export function parseBoolean(cell: string): boolean {
  const text = unmarked(cell).toLowerCase()
  if (yes.includes(text) || no.includes(text)) return yes.includes(text)
  throw new CellError(`"${shorten(cell)}" is neither true nor false.`)
}

/** Parses a number with a decimal point or a decimal comma; null for an empty cell. */
export function parseNumber(cell: string): number | null {
  const text = unmarked(cell)
  if (text === '') return null
  const number = /^[+-]?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN
  if (Number.isFinite(number)) return number
  throw new CellError(`"${shorten(cell)}" is not a number such as 48.8566.`)
}

export function parseId(cell: string): number {
  const text = unmarked(cell).replace(/^#/, '')
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new CellError(`"${shorten(cell)}" is not the ID of a record, which is a number such as 123.`)
}

export function parseChoice<Choice extends string>(
  cell: string,
  choices: readonly Choice[],
  byDefault?: Choice,
): Choice {
  const text = cell.trim().toLowerCase().replace(/[ -]/g, '_')
  const found = text === '' ? byDefault : choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw new CellError(`"${shorten(cell)}" must be one of ${choices.join(', ')}.`)
}

export function parseInstant(cell: string): Date {
  const text = unmarked(cell)
  const hasOffset = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/.test(text)
  const instant = new Date(hasOffset ? text.replace(' ', 'T') : Number.NaN)
  if (!Number.isNaN(instant.getTime())) return instant
  throw new CellError(`"${shorten(cell)}" is not a date and time with an offset, such as 2027-01-31T18:00:00Z.`)
}

/** Parses the value of a custom field whose stored value is not text. */
export function parseJsonCell(cell: string): unknown {
  const value = parseJson(cell)
  if (value !== undefined) return value
  throw new CellError(`"${shorten(cell.trim())}" is not JSON, like the value that the field has now.`)
}

export function parseZone(cell: string): string {
  const text = cell.trim()
  if (text === '' || isZone(text)) return text
  throw new CellError(`"${shorten(cell)}" is not a time zone such as Europe/Paris or UTC+5:30.`)
}

/** Normalizes a cell to one line of text, as names are stored. */
export const parseLine = (cell: string): string =>
  normalizeUnicode(cell.toWellFormed(), 'NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()

/** Joins items by `|`. In an item, `\|` stands for `|` and `\\` for `\`. */
export const joinItems = (items: readonly string[]): string =>
  items.map((item) => item.replace(/[\\|]/g, (character) => `\\${character}`)).join('|')

/** Splits a cell into items at `|`: the inverse of joinItems. */
export function splitItems(cell: string): string[] {
  const items = ['']
  for (const [token] of cell.matchAll(/\\[\\|]|./gs)) {
    if (token === '|') items.push('')
    else items.push(`${items.pop()}${token.length === 2 ? token[1] : token}`)
  }
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** Cuts a text to 60 characters, to quote it in a message. */
export const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
