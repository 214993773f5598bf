// Keyset pagination: a cursor contains the sort values of a row, so that a page can start after a row that was deleted.

import { badInputError } from '../../basics/errors.ts'
import { parseJson } from '../../basics/parse-json.ts'
import { isStorableDate } from './scalars.ts'

/** A column or computed value that a list is sorted by. */
export interface SortKey {
  /** Name of a column or of a computed value. */
  readonly column: string
  readonly descending?: boolean
  /** The IDs of logs (`bigint`) are larger than those of records. */
  readonly type: 'date' | 'text' | 'integer' | 'bigint' | 'number'
  /** Name of the sort order in cursors, set on its first key. The default is the name of the column. */
  readonly order?: string
  /** Whether the value can be null, as for the distance of an event without a venue. Columns of the database never are. */
  readonly isOptional?: boolean
}

/** Sort keys for the publication date, newest first. */
export const newestFirst: readonly SortKey[] = [
  { column: 'publishedAt', type: 'date', descending: true },
  { column: 'id', type: 'integer', descending: true },
]

/** The value of a sort key in a row. Only optional keys can be null. */
export type SortValue = Date | string | number | null
type Where = Record<string, unknown>

/** Returns the cursor of a row, which contains the name of the sort order and the values of the row for `keys`. */
export function toCursor(keys: readonly SortKey[], row: object): string {
  const values = keys.map(({ column }) => (row as Record<string, unknown>)[column])
  return Buffer.from(JSON.stringify([orderName(keys), ...values])).toString('base64url')
}

const orderName = ([key]: readonly SortKey[]) => `${key?.descending ? '-' : ''}${key?.order ?? key?.column}`

/** Cursors between which the rows of a page are. */
export interface CursorBounds {
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/**
 * Returns a Prisma `where` for the rows between two cursors. Throws badInputError for an invalid cursor or a cursor of another
 * order.
 */
export function betweenCursorsFilter<W extends object>(keys: readonly SortKey[], { after, before }: CursorBounds): W[] {
  const bounds: Where[] = []
  if (after !== undefined) bounds.push(rowsBeyond(keys, parseCursor(keys, 'after', after), false))
  if (before !== undefined) bounds.push(rowsBeyond(keys, parseCursor(keys, 'before', before), true))
  return bounds as W[]
}

/** Returns a Prisma `orderBy` for the sort keys, or for the reverse order if `inverted`. */
export function keysetOrderBy<O extends object>(keys: readonly SortKey[], inverted: boolean): O[] {
  return keys.map(({ column, descending = false }) => ({ [column]: descending !== inverted ? 'desc' : 'asc' })) as O[]
}

/**
 * Returns a filter for the rows after these values in the order of the keys, or before the values if `inverted`. `a >= x AND
 * (a > x OR (a = x AND rest))`: with the first condition, an index scan can start at the values.
 */
function rowsBeyond(keys: readonly SortKey[], values: readonly SortValue[], inverted: boolean): Where {
  const [key, ...otherKeys] = keys
  const [value, ...otherValues] = values
  if (key === undefined) return {}
  const isDescending = (key.descending ?? false) !== inverted
  const beyondKey = { [key.column]: isDescending ? { lt: value } : { gt: value } }
  if (otherKeys.length === 0) return beyondKey
  const tie = { AND: [{ [key.column]: value }, rowsBeyond(otherKeys, otherValues, inverted)] }
  return { AND: [{ [key.column]: isDescending ? { lte: value } : { gte: value } }, { OR: [beyondKey, tie] }] }
}

/** Returns the sort values in a cursor. Throws badInputError for an invalid cursor or a cursor of another order. */
export function parseCursor(keys: readonly SortKey[], name: 'after' | 'before', cursor: string): SortValue[] {
  const decoded = parseJson(Buffer.from(cursor, 'base64url').toString())
  const [order, ...values] = Array.isArray(decoded) ? decoded : []
  const parsed = keys.map((key, index) => parseValue(key, values[index]))
  const isComplete = values.length === keys.length && parsed.every((value) => value !== undefined)
  if (isComplete && order === orderName(keys)) return parsed as SortValue[]
  throw badInputError({ [name]: `${name} must be a cursor that this list returned, in the same order.` })
}

function parseValue({ type, isOptional }: SortKey, value: unknown): SortValue | undefined {
  if (isOptional && value === null) return null
  if (type === 'number') return typeof value === 'number' ? value : undefined
  if (type === 'integer')
    return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : undefined
  if (type === 'bigint') return /^\d{1,18}$/.test(String(value)) ? String(value) : undefined
  if (typeof value !== 'string' || value.includes('\0')) return undefined
  if (type === 'text') return value
  const date = new Date(value)
  return isStorableDate(date) ? date : undefined
}
