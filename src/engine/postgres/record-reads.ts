// Options of reads that Prisma Client does not have.
import { Prisma } from '../../generated/prisma/client.ts'

export interface PageOptions {
  readonly total?: boolean
  /** Conditions of the page that do not apply to the total. */
  readonly pageWhere?: object | undefined
  /** How many of the last records of the page are counted in `found` but not read. For `findPage` only. */
  readonly unread?: number | undefined
}

/** Returns the records of a page without the last `unread` ones, which are only counted. */
export const dropUnread = <Item>(items: readonly Item[], take: number | undefined, unread = 0): Item[] =>
  items.slice(0, take === undefined ? undefined : take - unread)

/** Stands for the ID of the parent in the conditions of `findPages`, which are compiled once for all parents. */
export const parentId = Symbol('parentId')

/**
 * Key of a filter that accepts the numbers that a SELECT returns: `{ id: { selectedIds: … } }`. For conditions that Prisma
 * does not have, such as full text search. A string, because Prisma Client throws for an unknown key; it would ignore a
 * symbol, and select all records.
 */
export const selectedIds = 'selectedIds'

export interface SelectedIds {
  /** The column with the numbers. */
  readonly id: Prisma.Sql
  /** FROM and WHERE. */
  readonly rows: Prisma.Sql
}

/** The SELECT of all numbers. */
export const selectIdsSql = ({ id, rows }: SelectedIds): Prisma.Sql => Prisma.sql`SELECT ${id} ${rows}`

/** A filter that accepts the numbers. */
export const selectedIdsFilter = (selected: SelectedIds): Prisma.IntFilter => ({ [selectedIds]: selected }) as object

/** Describes one list for each of several parent records, such as the events of each venue. */
export interface ListsOfParents {
  readonly ids: readonly number[]
  /** The condition for the list of one parent. */
  readonly where: (id: number | typeof parentId) => object
  /** Whether a parent may have a large part of the records, as tags have. */
  readonly hasLongLists?: boolean
}

/** Returns a SELECT of one page of the records that match `condition`, which belong to one parent. */
export type BuildPageSql = (condition: object) => Promise<Prisma.Sql>

/** Conditions by the names of their columns. Names are constants of the caller, because SQL contains them. */
export type BooleanColumns = Readonly<Record<string, object>>

export interface MatchingOptions {
  /** Whether the statement needs only the first of the matching records, or only the records that belong to a few others. */
  readonly stopsEarly?: boolean
  /**
   * Whether the query planner must not see the values. Then PostgreSQL uses one generic plan for a prepared statement, instead of
   * planning it for each set of values.
   */
  readonly usesGenericPlan?: boolean
}
