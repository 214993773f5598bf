// What a list selects, in which order, and which of its rows are requested.

import { createHash } from 'node:crypto'
import type { NodeKind } from '../../basics/errors.ts'
import type { BooleanColumns, ListsOfParents } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { CursorBounds, SortKey } from '../../service/graphql/keyset.ts'
import type { RecordSelection } from '../../service/graphql/record-selection.ts'
import type { FindSearchMatch } from './search-input.ts'

const { sql, raw } = Prisma

/** A value that SQL computes for each record, to sort a list by it, such as a name, a price or a distance. */
export interface ComputedOrder {
  /** Identifies what is computed, such as the relevance for one search text: cursors contain it. */
  readonly name: string
  readonly descending: boolean
  readonly type: 'number' | 'text'
  /** A wider filter for `select`, which excludes the other records itself; by default the filter of the list. */
  readonly where?: object
  /** Separates records with and without a value; by default all records have a value. */
  readonly split?: FiltersByValue
  /** Replaces `split` for a list without parents, to compute the value only for some of the matches. */
  readonly splitOf?: (where: object) => Promise<FiltersByValue>
  /** Conditions that `select` finds as boolean columns of the records. */
  readonly flags?: BooleanColumns
  /** Selects all columns of the records in a statement, and the column `value`. */
  select(records: Prisma.Sql): Prisma.Sql | Promise<Prisma.Sql>
}

/** Filters of the records with and without a value. Records without a value come last in both directions. */
export interface FiltersByValue {
  /** Selects all records with a value, and possibly others, whose value is NULL in the statement. */
  readonly with: object
  readonly without: object
}

/** Returns a name for a computed value that depends on `inputs`, such as a search text. */
export const computedOrderName = (field: string, ...inputs: readonly unknown[]): string =>
  `${field} ${createHash('sha256').update(JSON.stringify(inputs)).digest('base64url').slice(0, 12)}`

/** Joins records with columns of their texts in the language of the operation. */
export const joinTextsSql = (
  kind: RecordKind,
  records: Prisma.Sql,
  columns: Prisma.Sql,
  { language }: Pick<Context, 'language'>,
): Prisma.Sql => sql`
  SELECT record.*, ${columns} FROM (${records}) AS record
    JOIN ${raw(`"${kind}_text"`)} AS texts ON texts.${raw(`"${kind}_id"`)} = record.id AND texts.language = ${language}`

/** Sorts by a text in the language of the operation, then by ID. */
export const createTextOrder = (
  kind: RecordKind,
  column: 'name' | 'slug' | 'description',
  descending: boolean,
  context: Pick<Context, 'language'>,
): { readonly keys: readonly SortKey[]; readonly value: ComputedOrder } => ({
  keys: [{ column: 'id', descending, type: 'integer' }],
  value: {
    ...{ name: column, descending },
    type: 'text',
    select: (records) => joinTextsSql(kind, records, sql`texts.${raw(column)} AS value`, context),
  },
})

/** The keys by which a list is sorted, and what its cursors contain. */
export interface ListOrder {
  readonly keys: readonly SortKey[]
  /** Redundant conditions on the first column, which let an index scan start at the right entry. */
  readonly bounds?: object | undefined
  /** A value to sort by before the keys, which all have the same direction then. */
  readonly value?: ComputedOrder
  /** Keys in cursors instead of a long value: only the ID, by which the value is read again. */
  readonly cursorKeys?: readonly SortKey[]
}

export interface ListQuery {
  readonly where: object
  readonly order: ListOrder
  readonly selection: RecordSelection
  readonly searchMatch?: FindSearchMatch
  /** The total in the cache of counts; undefined for viewers whose totals are not cached. */
  readonly cachedTotal?: {
    /** Returns undefined if the cache has no count. */
    get(): number | undefined
    set(total: number | undefined): void
  }
}

/** The query of a list or, with `parents`, of one list for each parent. */
export interface ListRequest {
  readonly context: Context
  readonly kind: NodeKind
  readonly list: ListQuery
  readonly parents?: ListsOfParents | undefined
}

/** Which rows of a list to return, such as the rows of a page. */
export interface RowSlice {
  readonly bounds?: CursorBounds
  /** Whether to return the last rows, in reverse order. */
  readonly inverted?: boolean
  readonly skip?: number
  /** Maximum of rows to return; with 0, only the total is counted. */
  readonly take: number
  readonly total: boolean
  /** Number of rows at the end of `take` that are only counted in `found`, and not read. */
  readonly unread?: number
}

/** Returns the keys that cursors contain: `cursorKeys` or else the value and all keys of the order. */
export function keysInCursors({ value, keys, cursorKeys }: ListOrder): readonly SortKey[] {
  if (cursorKeys || !value) return cursorKeys ?? keys
  const { name, descending, type } = value
  return [{ column: name, descending, type, isOptional: true }, ...keys]
}
