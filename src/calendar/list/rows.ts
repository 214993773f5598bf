// Finds the rows of lists.
import type { ErrorKind } from '../../basics/errors.ts'
import { type ForEach, withoutUnread } from '../../engine/postgres/record-reads.ts'
import type { Context } from '../../service/context.ts'
import { between, orderBy } from '../../service/graphql/keyset.ts'
import type { ListOrder, ListQuery, Lists, RowQuery, Rows } from './list-query.ts'
import type { OrderValue } from './order-value.ts'
import { delegateOf, findByIds, type PageQuery, type PageRecords } from './records.ts'
import { findValuePages } from './value-pages.ts'

/** A slice of the list or, with `parents`, of one list for each parent in the order of their IDs. */
export async function findLists<Node extends object>(
  context: Context,
  kind: ErrorKind,
  list: ListQuery,
  query: RowQuery,
  parents?: ForEach,
): Promise<Rows<Node>[]> {
  const lists: Lists = { context, kind, list, parents }
  if (query.take === 0) {
    const counts = await countRows(lists, query)
    return counts.map((total) => ({ rows: [], total }))
  }
  const { value } = list.order
  return value ? findByValue(lists, value, query) : findByColumn(lists, query)
}

const countRows = async (lists: Lists, { total }: RowQuery): Promise<(number | undefined)[]> =>
  (await findPages(lists, { take: 0, total, select: { id: true } })).map((page) => page.total)

async function findByColumn<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { order, selection } = lists.list
  const columns = order.keys.map(({ column }) => column)
  const { select, toSource } = selection(columns.filter((column) => column !== 'id'))
  const pages = await findPages(lists, {
    ...pageQuery(order, query),
    ...{ select, total: query.total, unread: query.unread },
  })
  return pages.map(({ records, total, found }) => ({
    rows: records.map((record) => ({ keys: record, record: toSource<Node>(record) })),
    total,
    found,
  }))
}

/** Finds the IDs and the values of a page, and then its records. */
async function findByValue<Node extends object>(
  lists: Lists,
  value: OrderValue,
  query: RowQuery,
): Promise<Rows<Node>[]> {
  const [pages, totals] = await Promise.all([
    findValuePages(lists, value, query),
    query.total ? countRows(lists, query) : [],
  ])
  const readPages = pages.map((page) => withoutUnread(page, query.take, query.unread))
  const { context, kind, list } = lists
  const ids = readPages.flat().map(({ id }) => id)
  const records = await findByIds<Node>(context, kind, list.selection, ids)
  return readPages.map((page, index) => ({
    rows: page.flatMap((keys) => {
      const record = records.get(keys.id)
      return record ? [{ keys, record }] : []
    }),
    total: totals[index],
    found: pages[index]?.length,
  }))
}

/** Reads the list of one parent like a list without parents, whose statement uses the values of the parent. */
async function findPages(
  { context, kind, list: { where }, parents }: Lists,
  { unread, ...query }: Omit<PageQuery, 'where'>,
): Promise<PageRecords[]> {
  const delegate = delegateOf(context, kind)
  const [id, ...others] = parents?.ids ?? []
  if (parents && others.length > 0) return delegate.findPages({ ...query, where, forEach: parents })
  const condition = parents && id !== undefined ? { AND: [where, parents.where(id)] } : where
  return [await delegate.findPage({ ...query, unread, where: condition })]
}

function pageQuery({ keys, bounds: scanBounds }: ListOrder, { bounds = {}, inverted = false, skip, take }: RowQuery) {
  const conditions = [...(scanBounds ? [scanBounds] : []), ...between<object>(keys, bounds)]
  return {
    orderBy: orderBy<object>(keys, inverted),
    ...(conditions.length > 0 && { pageWhere: { AND: conditions } }),
    ...{ skip, take },
  }
}
