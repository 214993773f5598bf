// Options of database reads that go beyond those of Prisma Client.
import { Prisma } from '../../generated/prisma/client.ts'

export interface PageOptions {
  readonly total?: boolean
  /** Additional conditions for the records of the page, which do not apply to the total count. */
  readonly pageWhere?: object | undefined
  /** Number of records at the end of the page that are counted in `found` but not read. For `findPage` only. */
  readonly unread?: number | undefined
}

/** Returns the records of a page without the last `unread` ones, which are only counted. */
export const dropUnread = <Item>(items: readonly Item[], take: number | undefined, unread = 0): Item[] =>
  items.slice(0, take === undefined ? undefined : take - unread)

/** Placeholder for the ID of the parent in conditions of `findPages`, which are compiled once for all parents. */
export const parentId = Symbol('parentId')

/**
 * Key of a filter for the numbers that a SELECT returns: `{ id: { selectedIds: … } }`. Used for conditions that Prisma lacks,
 * such as full-text search. Not a symbol, because Prisma Client would ignore a symbol and select all records.
 */
export const selectedIds = 'selectedIds'

/** A SELECT of numbers, such as the IDs of the records that match a search. */
export interface SelectedIds {
  /** The column with the numbers. */
  readonly id: Prisma.Sql
  /** The clauses FROM and WHERE of the SELECT. */
  readonly rows: Prisma.Sql
}

/** Returns the SQL of the SELECT. */
export const selectIdsSql = ({ id, rows }: SelectedIds): Prisma.Sql => Prisma.sql`SELECT ${id} ${rows}`

/** Returns a Prisma filter that accepts the numbers that the SELECT returns. */
export const selectedIdsFilter = (selected: SelectedIds): Prisma.IntFilter => ({ [selectedIds]: selected }) as object

/** Describes a list for each of several parent records, such as the events of each venue. */
export interface ListsOfParents {
  readonly ids: readonly number[]
  /** The condition for the list of one parent. */
  readonly where: (id: number | typeof parentId) => object
  /** Whether a parent may have a large part of the records, as tags have. */
  readonly hasLongLists?: boolean
}

/** Returns a SELECT of one page of the records of one parent, which match `condition`. */
export type BuildPageSql = (condition: object) => Promise<Prisma.Sql>

/** Conditions that a SELECT returns as boolean columns, by column name. SQL contains the names, so they must be constants. */
export type BooleanColumns = Readonly<Record<string, object>>

/** Options of `matchingRowsSql`. */
export interface MatchingOptions {
  /** Whether the statement needs only the first of the matching records, or only the records that belong to a few others. */
  readonly stopsEarly?: boolean
  /**
   * Whether the query planner must not see the values. Then PostgreSQL uses one generic plan for a prepared statement, instead of
   * planning it for each set of values.
   */
  readonly usesGenericPlan?: boolean
}
