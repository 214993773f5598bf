// Lists of records, in an order of columns of the record or of its served text, or in one that is worked out.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { Context } from '../context.ts'
import { badInput } from '../errors.ts'
import { between, orderBy, type SortKey } from '../graphql/keyset.ts'
import { type Page, type Slice, toConnection, toPage } from '../graphql/paging.ts'
import type { TextKind } from './text.ts'

type Part = Pick<Slice, 'skip' | 'take'>

export interface ListOrder {
  /** Whose columns the keys are: the record's, or those of its served text. */
  readonly of: 'record' | 'text'
  readonly keys: readonly SortKey[]
  /** What the filter says of the first column without naming it: an index starts there. Counts need no such help. */
  readonly bounds?: object | undefined
  /** The wanted part of an order that no column has, from the numbers of all that fit, which come by the keys. */
  readonly sort?: (ids: readonly number[], part: Part) => Promise<number[]>
}

interface Wanted {
  readonly where: object
  readonly order: ListOrder
  /** What Prisma reads of each record, its `id` and the columns of the keys among it. */
  readonly query: object
}

interface Span extends Partial<Part> {
  readonly and?: readonly object[]
  readonly inverted?: boolean
}

/** A connection; throws badInput for an order that cursors can't carry. */
export function connectionOf<Node extends object>(
  context: Context,
  kind: TextKind,
  { where, order, query }: Wanted,
  args: DefaultConnectionArguments,
) {
  if (order.sort) throw badInput({ orderBy: `This order goes by page number, not by cursor: ask for pages of it.` })
  return toConnection(args, context.settings, {
    keys: order.keys,
    load: (bounds, inverted, take) =>
      read(context, kind, { where, order, query }, { and: between(order.keys, bounds), inverted, take }),
    node: (row) => nodeOf<Node>(kind, order, row),
    count: () => table(context, kind).count({ where }),
  })
}

export function pageOf<Node extends object>(
  context: Context,
  kind: TextKind,
  { where, order, query }: Wanted,
  slice: Slice,
): Page<Node> {
  const items = async () => {
    if (!order.sort) {
      const rows = await read(context, kind, { where, order, query }, slice)
      return rows.map((row) => nodeOf<Node>(kind, order, row))
    }
    const ids = (await find(context, kind, { where, order })).map((row) => idOf(kind, order, row))
    return nodesOf<Node>(context, kind, query, await order.sort(ids, slice))
  }
  return toPage(slice, items, () => table(context, kind).count({ where }))
}

/**
 * Rows in the order of the list, each with its record. What fits is found first, and read then: in one statement the
 * planner joins all that is wanted of a record to every candidate.
 */
async function read(context: Context, kind: TextKind, { where, order, query }: Wanted, span: Span): Promise<object[]> {
  const rows = await find(context, kind, { where, order }, span)
  const ids = rows.map((row) => idOf(kind, order, row))
  const nodes = await nodesOf<object>(context, kind, query, ids)
  if (order.of === 'record') return nodes
  const byId = new Map(nodes.map((node) => [(node as { id: number }).id, node]))
  return rows.flatMap((row) => {
    const node = byId.get(idOf(kind, order, row))
    return node ? [{ ...row, [kind]: node }] : []
  })
}

/** What fits, by the columns of the keys: of records, or of rows of served text that lead to them. */
function find(
  { db, language }: Context,
  kind: TextKind,
  { where, order }: Pick<Wanted, 'where' | 'order'>,
  { and = [], inverted = false, skip, take }: Span = {},
): Promise<object[]> {
  const part = { orderBy: orderBy(order.keys, inverted), skip, take }
  const select = Object.fromEntries(order.keys.map(({ column }) => [column, true]))
  const bounds = order.bounds ? [order.bounds] : []
  if (order.of === 'record') {
    return table({ db }, kind).findMany({ select, where: { AND: [where, ...bounds, ...and] }, ...part })
  }
  return table({ db }, `${kind}Text`).findMany({
    select,
    where: { AND: [{ language, [kind]: where }, ...and] },
    ...part,
  })
}

/** Every order ends with the number of the record. */
const idOf = (kind: TextKind, { of }: ListOrder, row: object): number =>
  (row as Record<string, number>)[of === 'record' ? 'id' : `${kind}Id`] ?? 0

/** Records in the order of their numbers; one that is gone meanwhile is left out. */
async function nodesOf<Node extends object>(context: Context, kind: TextKind, query: object, ids: readonly number[]) {
  if (ids.length === 0) return []
  const nodes = (await table(context, kind).findMany({ ...query, where: { id: { in: [...ids] } } })) as Node[]
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = (node: Node) => place.get((node as { id?: number }).id ?? 0) ?? 0
  return nodes.sort((a, b) => placeOf(a) - placeOf(b))
}

const nodeOf = <Node>(kind: TextKind, { of }: ListOrder, row: object): Node =>
  of === 'record' ? (row as Node) : (row as Record<TextKind, Node>)[kind]

/** What lists need of Prisma's tables, alike for all kinds. */
interface Table {
  findMany(args: object): Promise<object[]>
  count(args: object): Promise<number>
}

const table = ({ db }: Pick<Context, 'db'>, name: TextKind | `${TextKind}Text`): Table => db[name] as unknown as Table
