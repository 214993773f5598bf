// What a list selects, in which order, and which of its rows are requested.
import type { ForEach } from '../../engine/postgres/record-reads.ts'
import type { Bounds, SortKey } from '../../service/graphql/keyset.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import { type ComputedValue, withValue } from './computed-order.ts'
import type { FindSearchMatch } from './search-input.ts'

export interface ListOrder {
  /** The table of the sort columns: the record's, or its served texts. */
  readonly of: 'record' | 'text'
  readonly keys: readonly SortKey[]
  /** Redundant conditions on the first column, which let an index scan start at the right entry. */
  readonly bounds?: object | undefined
  /** A value to sort by before the keys. */
  readonly computed?: ComputedValue
  /** The keys in cursors, if those of the order are too long: the ID of the text row, by which the others are read. */
  readonly cursorKeys?: readonly SortKey[]
}

export interface ListQuery {
  readonly where: object
  readonly order: ListOrder
  readonly selection: RecordSelection
  /** Only of events. */
  readonly searchMatch?: FindSearchMatch
}

/** Parents, and the condition of the records in the list of one. */
export type Parents = ForEach

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
  /** Whether rows need the values of their sort keys. */
  readonly withKeys?: boolean
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

/** What cursors contain: all keys of an order, the computed value included, unless the order sets other keys. */
export const keysInCursors = ({ computed, keys, cursorKeys }: ListOrder): readonly SortKey[] =>
  cursorKeys ?? (computed ? withValue(computed, keys) : keys)
