// Finds the records of a list in order: one slice of it, or the same slice of one list for each of several parents.

import { badInput } from '../../basics/errors.ts'
import { withoutUnread } from '../../engine/postgres/record-reads.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { type Bounds, between, orderBy, parseCursor, toCursor } from '../../service/graphql/keyset.ts'
import { fewMatches } from './few-matches.ts'
import type { ListOrder, ListQuery, Parents, RowQuery, Rows } from './list-query.ts'
import { delegateOf } from './records.ts'
import { findAmongCandidates, findByScan, findByValue } from './rows-by-value.ts'
import { columnsOf, findPages, type Lists, recordSource, recordsOf, textKey, textRowId, textSource } from './source.ts'
import { isScannedValue } from './value-scan.ts'

/** A slice of the list or, with `parents`, of one list for each parent in the order of their IDs. */
export async function findLists<Node extends object>(
  context: Context,
  kind: RecordKind,
  list: ListQuery,
  query: RowQuery,
  parents?: Parents,
): Promise<Rows<Node>[]> {
  const lists: Lists = { context, kind, list, parents }
  if (query.take === 0) {
    const counts = await countRows(lists, query)
    return counts.map((total) => ({ rows: [], total }))
  }
  const { computed, of } = list.order
  if (computed?.candidates && !parents) return findAmongCandidates(lists, computed, query)
  const isScanned = !parents && kind === 'event' && (of === 'text' || computed?.scan !== undefined)
  const few = isScanned ? await fewMatches(context, recordSource(lists), computed?.scan?.maxSorted) : undefined
  if (few?.ids) {
    const pages = await findInOrder<Node>(withMatches(lists, few.ids), { ...query, total: false })
    return pages.map((page) => ({ ...page, total: query.total ? few.count : undefined }))
  }
  if (isScanned && isScannedValue(computed)) return findByScan(lists, computed, query, few)
  return findInOrder(lists, query)
}

function findInOrder<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { computed, of } = lists.list.order
  if (computed) return findByValue(lists, computed, query)
  return of === 'text' ? findByText(lists, query) : findByColumn(lists, query)
}

const countRows = async (lists: Lists, { total }: RowQuery): Promise<(number | undefined)[]> =>
  (await findPages(recordSource(lists), { take: 0, total, select: { id: true } })).map((page) => page.total)

const withMatches = ({ list, ...lists }: Lists, ids: readonly number[]): Lists => ({
  ...lists,
  list: { ...list, where: { id: { in: ids } } },
})

async function findByColumn<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { order, selection } = lists.list
  const columns = order.keys.map(({ column }) => column)
  const { select, toSource } = selection(columns.filter((column) => column !== 'id'))
  const pages = await findPages(recordSource(lists), {
    ...pageQuery(order, query),
    ...{ select, total: query.total, unread: query.unread },
  })
  return pages.map(({ records, total, found }) => ({
    rows: records.map((record) => ({ keys: record, record: toSource<Node>(record) })),
    total,
    found,
  }))
}

async function findByText<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { kind, list } = lists
  const bounds = await completeBounds(lists, query.bounds ?? {})
  const [pages, totals] = await Promise.all([
    findPages(textSource(lists), {
      ...pageQuery(list.order, { ...query, bounds }),
      select: columnsOf(list.order.keys),
    }),
    query.total ? countRows(lists, query) : [],
  ])
  const readRows = pages.map((page) => withoutUnread(page.records, query.take, query.unread))
  const records = await recordsOf<Node>(
    lists,
    readRows.map((rows) => rows.map((row) => textRowId(kind, row))),
  )
  return readRows.map((rows, index) => ({
    rows: rows.flatMap((keys) => {
      const record = records.get(textRowId(kind, keys))
      return record ? [{ keys, record }] : []
    }),
    total: totals[index],
    found: pages[index]?.records.length,
  }))
}

/** Bounds with all keys of the order. Throws badInput if the record of a cursor no longer exists. */
async function completeBounds({ context, kind, list }: Lists, bounds: Bounds): Promise<Bounds> {
  const { keys, cursorKeys } = list.order
  if (!cursorKeys) return bounds
  const complete = async (name: 'after' | 'before') => {
    const cursor = bounds[name]
    if (cursor === undefined) return undefined
    const [id] = parseCursor(cursorKeys, name, cursor)
    const where = { language: context.language, [textKey(kind)]: id }
    const row = await delegateOf(context, `${kind}Text`).findFirst({ where, select: columnsOf(keys) })
    if (!row) throw badInput({ [name]: `The ${kind} of this cursor no longer exists.` })
    return toCursor(keys, row)
  }
  const [after, before] = await Promise.all([complete('after'), complete('before')])
  return { after, before }
}

function pageQuery({ keys, bounds: scanBounds }: ListOrder, { bounds = {}, inverted = false, skip, take }: RowQuery) {
  const conditions = [...(scanBounds ? [scanBounds] : []), ...between<object>(keys, bounds)]
  return {
    orderBy: orderBy<object>(keys, inverted),
    ...(conditions.length > 0 && { pageWhere: { AND: conditions } }),
    ...{ skip, take },
  }
}
