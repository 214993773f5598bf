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
    if (order.sort) {
      const ids = (await read(context, kind, { where, order, query: { select: { id: true } } })).map((row) =>
        nodeOf<{ id: number }>(kind, order, row),
      )
      const wanted = await order.sort(
        ids.map(({ id }) => id),
        slice,
      )
      return inOrder(
        wanted,
        (await table(context, kind).findMany({ ...query, where: { id: { in: wanted } } })) as Node[],
      )
    }
    const rows = await read(context, kind, { where, order, query }, slice)
    return rows.map((row) => nodeOf<Node>(kind, order, row))
  }
  return toPage(slice, items, () => table(context, kind).count({ where }))
}

/** Rows in the order of the list: records, or rows of served text that lead to them. */
function read(
  { db, language }: Context,
  kind: TextKind,
  { where, order, query }: Wanted,
  { and = [], inverted = false, skip, take }: Span = {},
): Promise<object[]> {
  const part = { orderBy: orderBy(order.keys, inverted), skip, take }
  if (order.of === 'record') return table({ db }, kind).findMany({ ...query, where: { AND: [where, ...and] }, ...part })
  const columns = Object.fromEntries(order.keys.map(({ column }) => [column, true]))
  return table({ db }, `${kind}Text`).findMany({
    select: { ...columns, [kind]: query },
    where: { AND: [{ language, [kind]: where }, ...and] },
    ...part,
  })
}

const nodeOf = <Node>(kind: TextKind, { of }: ListOrder, row: object): Node =>
  of === 'record' ? (row as Node) : (row as Record<TextKind, Node>)[kind]

function inOrder<Node extends object>(ids: readonly number[], nodes: Node[]): Node[] {
  const place = new Map(ids.map((id, index) => [id, index]))
  const placeOf = (node: Node) => place.get((node as { id: number }).id) ?? 0
  return nodes.sort((a, b) => placeOf(a) - placeOf(b))
}

/** What lists need of Prisma's tables, alike for all kinds. */
interface Table {
  findMany(args: object): Promise<object[]>
  count(args: object): Promise<number>
}

const table = ({ db }: Pick<Context, 'db'>, name: TextKind | `${TextKind}Text`): Table => db[name] as unknown as Table
