// Orders by a value that is computed for each record, such as relevance or distance.
import { createHash } from 'node:crypto'
import type { Prisma } from '../../generated/prisma/client.ts'
import { type Bounds, parseCursor, type SortKey, type SortValue } from '../../service/graphql/keyset.ts'
import { compareNames } from '../text/served-text.ts'

export interface ComputedValue {
  /** Identifies what is computed, such as the relevance for one search text: cursors contain it. */
  readonly name: string
  readonly descending: boolean
  /** Whether records with equal values are in the reverse order of the sort keys. */
  readonly invertsTies: boolean
  /** By default numbers. */
  readonly type?: 'number' | 'text'
  /** The values of the records, by ID. Records without a value come last in both directions. */
  values(ids: readonly number[]): Promise<ReadonlyMap<number, Value>>
  /** How the database reads records in the order of their values, so that a page does not need those of all records. */
  readonly scan?: ValueScan
  /** The first records of the order, more and more of them, so that a page does not need all records. */
  readonly prefixes?: readonly Prefix[]
  /** The records with a value among those that `where` selects; by default all of them. */
  readonly candidates?: (where: object) => Promise<Candidates>
}

/** The first records of an order. Not for lists of parents. */
export interface Prefix {
  /** The filter that selects them in the list; undefined for the whole list. */
  readonly where: object | undefined
  /** Their IDs in the order of the sort keys, and their values. */
  find(): Promise<ValuedIds>
}

interface ValuedIds {
  readonly ids: readonly number[]
  readonly values: ReadonlyMap<number, Value>
}

export interface ValueScan {
  /** Selects all records with a value. It may select others too: their value is NULL in the statements. */
  readonly with: object
  /** Selects exactly the records without a value. */
  readonly without: object
  /**
   * Selects all columns and the column `value` of the records in a statement. Each record with a value is in one of these
   * statements. `first` limits a statement of records with equal values to those that the page needs.
   */
  select(
    records: Prisma.Sql,
    first: (source: Prisma.Sql) => Prisma.Sql,
  ): readonly Prisma.Sql[] | Promise<readonly Prisma.Sql[]>
  /** The same for statements that compute the values of all records; by default `select`. */
  selectAll?(records: Prisma.Sql): Promise<readonly Prisma.Sql[]>
  /** Up to so many matches are sorted faster than a scan of the index finds the first; by default, only very few are. */
  readonly maxSorted?: number
}

export interface Candidates {
  /** In the order of the sort keys. */
  readonly ids: readonly number[]
  /** Whether no other records match. */
  readonly isComplete: boolean
}

export type Value = number | string

/** The only row of a statement that computes values: one row with arrays is faster to read than many rows. */
export interface ValuesById<Value = number> {
  readonly ids: readonly number[] | null
  readonly values: readonly Value[] | null
}

export const valuesById = <Value = number>([row]: readonly ValuesById<Value>[]): ReadonlyMap<number, Value> =>
  new Map(row?.ids?.map((id, index) => [id, row.values?.[index] as Value]))

/** A name for a value that depends on `inputs`, such as a search text. */
export const valueName = (field: string, ...inputs: readonly unknown[]): string =>
  `${field} ${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 12)}`

/** All sort keys of an order by a computed value. */
export const withValue = (
  { name, descending, type = 'number' }: ComputedValue,
  keys: readonly SortKey[],
): SortKey[] => [{ column: name, descending, type, isOptional: true }, ...keys]

/** A cursor as one end of a slice. */
export interface ValueBound {
  readonly value: Value | null
  readonly isAfter: boolean
  /** The sort keys of records with this value that are beyond the cursor come after `keys`, or before. */
  readonly keys: readonly SortValue[]
  readonly comeAfter: boolean
}

/** Throws badInput for an invalid cursor or one of another order. */
export function valueBounds(computed: ComputedValue, keys: readonly SortKey[], bounds: Bounds): ValueBound[] {
  return (['after', 'before'] as const).flatMap((name) => {
    const cursor = bounds[name]
    if (cursor === undefined) return []
    const [value, ...values] = parseCursor(withValue(computed, keys), name, cursor)
    const isAfter = name === 'after'
    return [{ value: value as Value | null, isAfter, keys: values, comeAfter: isAfter !== computed.invertsTies }]
  })
}

interface ValueSlice {
  /** `beyond` is the number of records whose sort keys are beyond those of the cursor. */
  readonly bounds: readonly (ValueBound & { readonly beyond: number })[]
  readonly inverted: boolean
  readonly skip: number
  readonly take: number
}

/** Sorts `ids`, which are in the order of the sort keys, by their values, and returns a slice. */
export function sliceByValue(
  ids: readonly number[],
  values: ReadonlyMap<number, Value>,
  { descending, invertsTies }: ComputedValue,
  { bounds, inverted, skip, take }: ValueSlice,
): number[] {
  const tieSign = invertsTies ? -1 : 1
  const compare = (one: Value | null, other: Value | null) => compareValues(one, other, descending)
  const isInside = (value: Value | null, index: number) =>
    bounds.every((bound) => {
      const distance = compare(value, bound.value) * (bound.isAfter ? 1 : -1)
      if (distance !== 0) return distance > 0
      return bound.comeAfter ? index >= ids.length - bound.beyond : index < bound.beyond
    })
  const sorted = ids
    .map((id, index) => ({ id, index, value: values.get(id) ?? null }))
    .filter(({ value, index }) => isInside(value, index))
    .sort((a, b) => compare(a.value, b.value) || tieSign * (a.index - b.index))
  if (inverted) sorted.reverse()
  return sorted.slice(skip, skip + take).map(({ id }) => id)
}

function compareValues(one: Value | null, other: Value | null, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  const order =
    typeof one === 'string' || typeof other === 'string' ? compareNames(String(one), String(other)) : one - other
  return descending ? -order : order
}
