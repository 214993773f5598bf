// Loads lists of records as connections or pages, sorted by columns or by a computed value.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { Context } from '../../context.ts'
import { badInput } from '../../errors.ts'
import { between, orderBy, type SortKey } from '../../graphql/keyset.ts'
import { type Page, type Slice, toConnection, toPage } from '../../graphql/pagination.ts'
import type { RecordSelection } from '../../graphql/record-selection.ts'
import type { RecordKind } from '../kinds.ts'
import { delegateOf, findByIds } from './records.ts'
import { resolveOneByOne } from './resolve-one-by-one.ts'

type PageSlice = Pick<Slice, 'skip' | 'take'>

export interface ListOrder {
  /** The table of the sort columns: the record's, or its served texts. */
  readonly of: 'record' | 'text'
  readonly keys: readonly SortKey[]
  /** Redundant conditions on the first column, which let an index scan start at the right entry. */
  readonly bounds?: object | undefined
  /** Sorts by a computed value: returns one page of `ids`, which are all matches in the order of the keys. */
  readonly sort?: (ids: readonly number[], page: PageSlice) => Promise<number[]>
}

export interface ListQuery {
  readonly where: object
  readonly order: ListOrder
  readonly selection: RecordSelection
}

interface RowQuery extends Partial<PageSlice> {
  /** Further conditions. */
  readonly and?: readonly object[]
  readonly inverted?: boolean
  readonly total?: boolean
}

/** A row of a list: the record, and the values of its sort columns. */
interface Row<Node> {
  readonly keys: object
  readonly record: Node
}

/** A connection. Throws badInput for an order by a computed value, which cursors do not support. */
export function connectionOf<Node extends object>(
  context: Context,
  kind: RecordKind,
  list: ListQuery,
  args: DefaultConnectionArguments,
) {
  const { where, order } = list
  if (order.sort) throw badInput({ orderBy: 'This order has no cursors. Use the query with page numbers instead.' })
  return toConnection(args, context.settings, {
    keys: order.keys,
    load: async (bounds, inverted, take) => {
      const { rows } = await findRows<Node>(context, kind, list, { and: between(order.keys, bounds), inverted, take })
      return rows
    },
    keysOf: (row) => row.keys,
    node: (row) => row.record,
    pace: (edges) => resolveOneByOne(edges, ({ node }) => node),
    count: () => delegateOf(context, kind).count({ where }),
  })
}

export function pageOf<Node extends object>(
  context: Context,
  kind: RecordKind,
  list: ListQuery,
  slice: Slice,
): Page<Node> {
  const { where, order } = list
  if (order.sort) {
    const { sort } = order
    const items = async () => {
      const ids = await sort(await findIds(context, kind, list), slice)
      return resolveOneByOne(await findByIds<Node>(context, kind, list.selection, ids))
    }
    return toPage(slice, items, () => delegateOf(context, kind).count({ where }))
  }
  const load = pageLoader((query) => findRows<Node>(context, kind, list, query), slice)
  return toPage(
    slice,
    async () => resolveOneByOne((await load({ items: true })).rows.map(({ record }) => record)),
    async () => (await load({ total: true })).total ?? 0,
  )
}

/** Loads items and total together where both are selected in one operation. */
function pageLoader<Result>(find: (query: RowQuery) => Promise<Result>, { skip, take }: Slice) {
  let requested: { items?: boolean; total?: boolean } = {}
  let pending: Promise<Result> | undefined
  return (parts: { items?: boolean; total?: boolean }): Promise<Result> => {
    requested = { ...requested, ...parts }
    pending ??= Promise.resolve().then(() => {
      const { items, total = false } = requested
      requested = {}
      pending = undefined
      return find(items ? { skip, take, total } : { skip: 0, take: 0, total })
    })
    return pending
  }
}

async function findRows<Node extends object>(
  context: Context,
  kind: RecordKind,
  list: ListQuery,
  query: RowQuery,
): Promise<{ rows: Row<Node>[]; total: number | undefined }> {
  const { where, order, selection } = list
  const { and = [], inverted = false, skip, take, total = false } = query
  const columns = order.keys.map(({ column }) => column)
  if (order.of === 'record') {
    const { select, toSource } = selection(columns.filter((column) => column !== 'id'))
    const page = await delegateOf(context, kind).findPage({
      where: and.length === 0 ? where : { AND: [where, ...and] },
      orderBy: orderBy(order.keys, inverted),
      pageWhere: order.bounds,
      ...{ skip, take, select, total, longTextBudget: context.texts },
    })
    const rows = page.records.map((record) => ({ keys: record, record: toSource<Node>(record) }))
    return { rows, total: page.total }
  }
  const [keys, counted] = await Promise.all([
    take === 0 ? [] : findTextRows(context, kind, list, query),
    total ? delegateOf(context, kind).count({ where }) : undefined,
  ])
  const nodes = await findByIds<Node & { id: number }>(
    context,
    kind,
    selection,
    keys.map((row) => textRowId(kind, row)),
  )
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const rows = keys.flatMap((row) => {
    const record = byId.get(textRowId(kind, row))
    return record ? [{ keys: row, record }] : []
  })
  return { rows, total: counted }
}

function findTextRows(
  context: Context,
  kind: RecordKind,
  { where, order }: ListQuery,
  { and = [], inverted = false, skip, take }: RowQuery,
): Promise<object[]> {
  return delegateOf(context, `${kind}Text`).findMany({
    where: { AND: [{ language: context.language, [kind]: where }, ...and] },
    orderBy: orderBy(order.keys, inverted),
    select: Object.fromEntries(order.keys.map(({ column }) => [column, true])),
    ...{ skip, take },
  })
}

/** The IDs of all matches in the order of the keys. */
async function findIds(context: Context, kind: RecordKind, list: ListQuery): Promise<number[]> {
  const { where, order } = list
  if (order.of === 'text') return (await findTextRows(context, kind, list, {})).map((row) => textRowId(kind, row))
  const query = {
    where: { AND: [where, ...(order.bounds ? [order.bounds] : [])] },
    orderBy: orderBy(order.keys, false),
    select: { id: true },
  }
  return (await delegateOf(context, kind).findMany(query)).map((row) => (row as { id: number }).id)
}

/** The ID of the record; the last sort column of every order. */
const textRowId = (kind: RecordKind, row: object): number => (row as Record<string, number>)[`${kind}Id`] ?? 0
