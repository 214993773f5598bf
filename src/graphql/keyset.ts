// Keyset pagination: cursors contain the sort values of a row, so a page can start after a row that no longer exists.
import { badInput } from '../errors.ts'
import { isStorable } from './scalars.ts'

export interface SortKey {
  readonly column: string
  readonly descending?: boolean
  readonly type: 'date' | 'text' | 'integer'
}

/** By publication date, newest first. */
export const newestFirst: readonly SortKey[] = [
  { column: 'publishedAt', type: 'date', descending: true },
  { column: 'id', type: 'integer', descending: true },
]

type Value = Date | string | number
type Where = Record<string, unknown>

/** The cursor of a row: its values in the columns of `keys`. */
export function toCursor(keys: readonly SortKey[], row: object): string {
  const values = keys.map(({ column }) => (row as Record<string, unknown>)[column])
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

export interface Bounds {
  readonly after?: string | undefined
  readonly before?: string | undefined
}

/** The rows between two cursors, as a Prisma `where`. Throws badInput for an invalid cursor or one of another list. */
export function between<W extends object>(keys: readonly SortKey[], { after, before }: Bounds): W[] {
  const bounds: Where[] = []
  if (after !== undefined) bounds.push(rowsBeyond(keys, parseCursor(keys, 'after', after), false))
  if (before !== undefined) bounds.push(rowsBeyond(keys, parseCursor(keys, 'before', before), true))
  return bounds as W[]
}

/** The order of `keys` as a Prisma `orderBy`, or its reverse. */
export function orderBy<O extends object>(keys: readonly SortKey[], inverted: boolean): O[] {
  return keys.map(({ column, descending = false }) => ({ [column]: descending !== inverted ? 'desc' : 'asc' })) as O[]
}

/** `a >= x AND (a > x OR (a = x AND rest))`: with the first condition, an index scan can start at the cursor. */
function rowsBeyond(keys: readonly SortKey[], values: readonly Value[], inverted: boolean): Where {
  const [key, ...otherKeys] = keys
  const [value, ...otherValues] = values
  if (key === undefined) return {}
  const isDescending = (key.descending ?? false) !== inverted
  const beyondKey = { [key.column]: isDescending ? { lt: value } : { gt: value } }
  if (otherKeys.length === 0) return beyondKey
  const tie = { AND: [{ [key.column]: value }, rowsBeyond(otherKeys, otherValues, inverted)] }
  return { AND: [{ [key.column]: isDescending ? { lte: value } : { gte: value } }, { OR: [beyondKey, tie] }] }
}

function parseCursor(keys: readonly SortKey[], name: string, cursor: string): Value[] {
  const values = decode(cursor)
  const parsed = keys.map((key, index) => parseValue(key, values[index]))
  if (values.length === keys.length && parsed.every((value) => value !== undefined)) return parsed as Value[]
  throw badInput({ [name]: `${name} must be a cursor that this list returned.` })
}

function decode(cursor: string): unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Array.isArray(values) ? values : []
  } catch {
    return []
  }
}

function parseValue({ type }: SortKey, value: unknown): Value | undefined {
  if (type === 'integer')
    return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31 ? (value as number) : undefined
  if (typeof value !== 'string' || value.includes('\0')) return undefined
  if (type === 'text') return value
  const date = new Date(value)
  return isStorable(date) ? date : undefined
}
