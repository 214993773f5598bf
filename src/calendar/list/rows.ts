import { badInputError } from '../../basics/errors.ts'
import { dropUnread, type ListsOfParents } from '../../engine/postgres/record-reads.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import {
  betweenCursorsFilter,
  keysetOrderBy,
  parseCursor,
  type SortKey,
  type SortValue,
} from '../../service/graphql/keyset.ts'
import type { LoadedRows } from '../../service/graphql/pagination.ts'
import { boundOperator, columnName, type KeysetBound, keysetCondition } from './keyset-sql.ts'
import { type ComputedOrder, keysInCursors, type ListRequest, type RowSlice } from './list-query.ts'
import { findRecordsByIds, getRecordReads, type ListPageArgs, type LoadedPage } from './records.ts'

const { sql, raw, join } = Prisma

/** A slice of the list or, with `parents`, of one list for each parent in the order of their IDs. */
export async function readLists<Node extends object>(lists: ListRequest, query: RowSlice): Promise<LoadedRows<Node>[]> {
  if (query.take === 0) {
    const counts = await countRows(lists)
    return counts.map((total) => ({ rows: [], total }))
  }
  const { value } = lists.list.order
  return value ? findByValue(lists, value, query) : findByColumn(lists, query)
}

const countRows = async (lists: ListRequest): Promise<(number | undefined)[]> =>
  (await findPages(lists, { take: 0, total: true, select: { id: true } })).map((page) => page.total)

async function findByColumn<Node extends object>(lists: ListRequest, query: RowSlice): Promise<LoadedRows<Node>[]> {
  const { order, selection } = lists.list
  const { bounds = {}, inverted = false, skip, take, total, unread } = query
  const columns = order.keys.map(({ column }) => column)
  const { select, toSource } = selection(columns.filter((column) => column !== 'id'))
  const conditions = [...(order.bounds ? [order.bounds] : []), ...betweenCursorsFilter<object>(order.keys, bounds)]
  const pages = await findPages(lists, {
    ...{ select, skip, take, total, unread },
    orderBy: keysetOrderBy<object>(order.keys, inverted),
    ...(conditions.length > 0 && { pageWhere: { AND: conditions } }),
  })
  return pages.map(({ records, total, found }) => ({
    rows: records.map((record) => ({ keys: record, record: toSource<Node>(record) })),
    total,
    found,
  }))
}

/** Finds the IDs and the values of a page, and then its records. */
async function findByValue<Node extends object>(
  lists: ListRequest,
  value: ComputedOrder,
  query: RowSlice,
): Promise<LoadedRows<Node>[]> {
  const [pages, totals] = await Promise.all([findValuePages(lists, value, query), query.total ? countRows(lists) : []])
  const readPages = pages.map((page) => dropUnread(page, query.take, query.unread))
  const { context, kind, list } = lists
  const ids = readPages.flat().map(({ id }) => id)
  const records = await findRecordsByIds<Node>(context, kind, list.selection, ids)
  return readPages.map((page, index) => ({
    rows: page.flatMap((keys) => {
      const record = records.get(keys.id)
      return record ? [{ keys, record }] : []
    }),
    total: totals[index],
    found: pages[index]?.length,
  }))
}

async function findPages(lists: ListRequest, { unread, ...query }: Omit<ListPageArgs, 'where'>): Promise<LoadedPage[]> {
  const { where } = lists.list
  const { several, condition } = parentsOf(lists)
  const delegate = getRecordReads(lists.context, lists.kind)
  if (several) return delegate.findPages({ ...query, where, forEach: several })
  return [await delegate.findPage({ ...query, unread, where: { AND: [where, condition] } })]
}

/** Treats the list of a single parent like a list without parents, with the ID of the parent in the filter. */
function parentsOf({ parents }: ListRequest): { readonly several?: ListsOfParents; readonly condition: object } {
  const [id, ...others] = parents?.ids ?? []
  if (!parents || id === undefined) return { condition: {} }
  return others.length > 0 ? { several: parents, condition: {} } : { condition: parents.where(id) }
}

/** A record of a page: its ID, its value, and its sort keys. */
interface ValueRow {
  readonly id: number
  readonly [key: string]: unknown
}

/** A cursor at one end of a page, with the value by which the list is sorted first. */
interface End extends KeysetBound {
  readonly value: SortValue
}

/** Reads, with one statement, the page of each list that is sorted by a value, in the order of the parents. */
async function findValuePages(
  lists: ListRequest,
  value: ComputedOrder,
  { bounds = {}, inverted = false, skip = 0, take }: RowSlice,
): Promise<ValueRow[][]> {
  const { context, kind, list, parents } = lists
  const { where, order: listOrder } = list
  const { keys } = listOrder
  const delegate = getRecordReads(context, kind)
  const ends: End[] = []
  if (bounds.after !== undefined) ends.push(await readCursor(lists, value, 'after', bounds.after))
  if (bounds.before !== undefined) ends.push(await readCursor(lists, value, 'before', bounds.before))
  const ranked = parents ? undefined : await value.splitOf?.(where)
  const split = ranked ?? value.split

  const columns = raw(['value', ...keys.map(({ column }) => columnName(column))].join())
  const direction = (isDescending = false) => (isDescending !== inverted ? 'DESC' : 'ASC')
  const keyOrder = keys.map(({ column, descending }) => `${columnName(column)} ${direction(descending)}`).join()
  const valueOrder = `value ${direction(value.descending)}`
  const order = raw(`${valueOrder} NULLS ${inverted ? 'FIRST' : 'LAST'}, ${keyOrder}`)
  const limit = sql`LIMIT ${take}::bigint OFFSET ${skip}::bigint`
  const pageOf = async (condition: object): Promise<Prisma.Sql> => {
    const rows = (part: object, stopsEarly: boolean) =>
      delegate.matchingRowsSql({ AND: [value.where ?? where, condition, part] }, value.flags, { stopsEarly })
    const isBetween = join([raw('TRUE'), ...ends.map((end) => isBeyond(value, keys, end))], ' AND ')
    const valued = sql`FROM (${await value.select(await rows(split?.with ?? {}, ranked !== undefined))}) AS valued WHERE ${isBetween}`
    if (!split) return sql`SELECT ${columns} ${valued} ORDER BY ${raw(`${valueOrder}, ${keyOrder}`)} ${limit}`
    const isOtherBetween = join([raw('TRUE'), ...ends.map((end) => isOtherBeyond(keys, end))], ' AND ')
    const others = sql`
      FROM (SELECT *, NULL::${typeOf(value)} AS value FROM (${await rows(split.without, true)}) AS record) AS others
      WHERE ${isOtherBetween}`
    const first = sql`LIMIT ${skip + take}::bigint`
    return sql`SELECT * FROM (
      (SELECT ${columns} ${valued} AND value IS NOT NULL ORDER BY ${raw(`${valueOrder}, ${keyOrder}`)} ${first})
      UNION ALL (SELECT ${columns} ${others} ORDER BY ${raw(keyOrder)} ${first})) AS page ORDER BY ${order} ${limit}`
  }
  const { several, condition } = parentsOf(lists)
  const pages = several
    ? await delegate.pagesOfParentsSql(several, pageOf)
    : sql`SELECT 1 AS list, page.* FROM (${await pageOf(condition)}) AS page`
  const names = keys.map(({ column }) => `${columnName(column)} AS "${column}"`)
  const rows = await context.reads.rows<ValueRow & { readonly list: number }>(
    sql`SELECT list, value AS ${raw(`"${value.name}"`)}, ${raw(names.join())} FROM (${pages}) AS pages ORDER BY list, ${order}`,
  )
  const byList = Map.groupBy(rows, ({ list }) => list)
  return (parents?.ids ?? [1]).map((_, index) => byList.get(index + 1) ?? [])
}

const typeOf = ({ type }: Pick<ComputedOrder, 'type'>): Prisma.Sql => raw(type === 'text' ? 'text' : 'float8')

/** Throws badInputError for an invalid cursor, for a cursor of another order, and if a needed record no longer exists. */
async function readCursor(
  { context, kind, list }: ListRequest,
  value: ComputedOrder,
  name: 'after' | 'before',
  cursor: string,
): Promise<End> {
  const isAfter = name === 'after'
  const [first = null, ...keys] = parseCursor(keysInCursors(list.order), name, cursor)
  if (!list.order.cursorKeys) return { isAfter, value: first, keys }
  const record = await getRecordReads(context, kind).matchingRowsSql({ id: first })
  const [row] = await context.reads.rows<{ value: SortValue }>(
    sql`SELECT value FROM (${await value.select(record)}) AS valued`,
  )
  if (!row) throw badInputError({ [name]: `The ${kind} of this cursor no longer exists.` })
  return { isAfter, value: row.value, keys: [first] }
}

/** Returns the condition that keeps one end of the page. The first comparison lets an index scan start at the value. */
function isBeyond(value: ComputedOrder, keys: readonly SortKey[], end: End): Prisma.Sql {
  // Records without a value come last.
  if (end.value === null) return raw(end.isAfter ? 'FALSE' : 'TRUE')
  const operator = boundOperator(value.descending, end)
  const bound = sql`${end.value}::${typeOf(value)}`
  return sql`value ${raw(`${operator}=`)} ${bound} AND (value ${raw(operator)} ${bound} OR ${keysetCondition(keys, end)})`
}

const isOtherBeyond = (keys: readonly SortKey[], end: End): Prisma.Sql =>
  end.value === null ? keysetCondition(keys, end) : raw(end.isAfter ? 'TRUE' : 'FALSE')
