// What reads take besides the arguments of Prisma Client.
import { Prisma } from '../../generated/prisma/client.ts'

export interface PageOptions {
  readonly total?: boolean
  /** Conditions of the page that do not apply to the total. */
  readonly pageWhere?: object | undefined
  /** How many of the last records that `take` allows are only counted in `found`. For `findPage` only. */
  readonly unread?: number | undefined
}

/** The records of a page that are read. */
export const dropUnread = <Item>(items: readonly Item[], take: number | undefined, unread = 0): Item[] =>
  items.slice(0, take === undefined ? undefined : take - unread)

/** Stands for the ID of the parent in the conditions of `findPages`, which are compiled once for all parents. */
export const parentId = Symbol('parentId')

/**
 * In a filter of a number, the numbers that a SELECT returns: `{ id: { selectedIds: … } }`. For conditions that Prisma does not
 * have, such as full text search. Prisma Client throws for it; it would ignore a symbol, and select all records.
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

/** A list for each parent record. */
export interface ForEach {
  readonly ids: readonly number[]
  /** The condition for the list of one parent. */
  readonly where: (id: number | typeof parentId) => object
  /** Whether a parent may have a large part of the records, as tags have. */
  readonly hasLongLists?: boolean
}

/** Returns a SELECT of a page of the records that `condition` selects: those of one parent. */
export type BuildPageSql = (condition: object) => Promise<Prisma.Sql>

/** Conditions by the names of their columns. Names are constants of the caller, because SQL contains them. */
export type BooleanColumns = Readonly<Record<string, object>>

export interface MatchingOptions {
  /** Whether the statement needs only the first of the records, or those of a few others. */
  readonly stopsEarly?: boolean
  /**
   * Whether the values are hidden from the planner, so that a plan for them costs no less than a generic one. A prepared statement
   * with such rows is then not planned each time.
   */
  readonly usesGenericPlan?: boolean
}
