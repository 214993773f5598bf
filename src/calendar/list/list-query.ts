// What a list selects, in which order, and which of its rows are requested.
import type { ErrorKind } from '../../basics/errors.ts'
import type { ForEach } from '../../engine/postgres/record-reads.ts'
import type { Context } from '../../service/context.ts'
import type { Bounds, SortKey } from '../../service/graphql/keyset.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import { type OrderValue, withValue } from './order-value.ts'
import type { FindSearchMatch } from './search-input.ts'

export interface ListOrder {
  readonly keys: readonly SortKey[]
  /** Redundant conditions on the first column, which let an index scan start at the right entry. */
  readonly bounds?: object | undefined
  /** A value to sort by before the keys, which all have the same direction then. */
  readonly value?: OrderValue
  /** The keys in cursors, if the value is too long: the ID of the record, of which the value is read. */
  readonly cursorKeys?: readonly SortKey[]
}

export interface ListQuery {
  readonly where: object
  readonly order: ListOrder
  readonly selection: RecordSelection
  /** Only of events. */
  readonly searchMatch?: FindSearchMatch
  /** Undefined for readers whose totals are not cached. */
  readonly cachedTotal?: {
    /** Undefined if it must be counted. */
    get(): number | undefined
    set(total: number | undefined): void
  }
}

/** A list or, with `parents`, one for each parent. */
export interface Lists {
  readonly context: Context
  readonly kind: ErrorKind
  readonly list: ListQuery
  readonly parents?: ForEach | undefined
}

export interface RowQuery {
  readonly bounds?: Bounds
  /** Whether to return the last rows, in reverse order. */
  readonly inverted?: boolean
  readonly skip?: number
  /** 0 only counts the total. */
  readonly take: number
  readonly total: boolean
  /** How many of the last rows that `take` allows need not be read, only be counted in `found`. */
  readonly unread?: number
}

/** A row of a list: the record, and the values of its sort keys. */
interface Row<Node> {
  readonly keys: object
  readonly record: Node
}

export interface Rows<Node> {
  readonly rows: readonly Row<Node>[]
  /** Undefined unless it was queried. */
  readonly total: number | undefined
  /** Number of rows with those that are not read, if there may be any. */
  readonly found?: number | undefined
}

/** What cursors contain: the value and all keys of an order, unless it sets other keys. */
export const keysInCursors = ({ value, keys, cursorKeys }: ListOrder): readonly SortKey[] =>
  cursorKeys ?? (value ? withValue(value, keys) : keys)
