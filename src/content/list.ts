// Lists of records, in an order of columns of the record or of its served text, or in one that is worked out.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { Context } from '../context.ts'
import { type Answered, type Asked, type Part, readPage } from '../db/page.ts'
import { badInput } from '../errors.ts'
import { between, orderBy, type SortKey } from '../graphql/keyset.ts'
import { type Page, type Slice, toConnection, toPage } from '../graphql/paging.ts'
import type { Selected } from '../graphql/selected.ts'
import { paced } from './pace.ts'
import { modelName, recordsOf, table } from './records.ts'
import type { TextKind } from './text.ts'

type Cut = Pick<Slice, 'skip' | 'take'>

export interface ListOrder {
  /** Whose columns the keys are: the record's, or those of its served text. */
  readonly of: 'record' | 'text'
  readonly keys: readonly SortKey[]
  /** What the filter says of the first column without naming it: an index starts there. Counts need no such help. */
  readonly bounds?: object | undefined
  /** The wanted part of an order that no column has, from the numbers of all that fit, which come by the keys. */
  readonly sort?: (ids: readonly number[], part: Cut) => Promise<number[]>
}

interface Wanted {
  readonly where: object
  readonly order: ListOrder
  /** What is read of each record, its `id` among it. */
  readonly query: Selected
  /** Whether one plan finds it best whatever the values in `where` are. */
  readonly isSteady?: boolean | undefined
}

/** Whether a filter asks for nothing beside these: then it is. Texts in a language alone are found by another plan. */
export const isSteady = (filter: object, fields: readonly string[], { settings }: Context): boolean =>
  settings.languageFallback &&
  Object.entries(filter).every(([name, value]) => value == null || name === 'mustExist' || fields.includes(name))

interface Span extends Partial<Cut> {
  readonly and?: readonly object[]
  readonly inverted?: boolean
}

/** A connection; throws badInput for an order that cursors can't carry. */
export function connectionOf<Node extends object>(
  context: Context,
  kind: TextKind,
  list: Wanted,
  args: DefaultConnectionArguments,
) {
  const { where, order, query, isSteady } = list
  if (order.sort) throw badInput({ orderBy: `This order goes by page number, not by cursor: ask for pages of it.` })
  const found = finder(context, kind, { where, order, isSteady })
  return toConnection(args, context.settings, {
    keys: order.keys,
    load: (bounds, inverted, take) =>
      read(context, kind, { order, query }, found.rows({ and: between(order.keys, bounds), inverted, take })),
    node: ({ record }) => record as Node,
    pace: (edges) => paced(edges, ({ node }) => node),
    count: found.total,
  })
}

export function pageOf<Node extends object>(context: Context, kind: TextKind, list: Wanted, slice: Slice): Page<Node> {
  const { where, order, query, isSteady } = list
  const { sort } = order
  const found = finder(context, kind, sort ? { where, order } : { where, order, isSteady, wanted: query.wanted })
  const items = async () => {
    if (!sort) {
      const rows = await read(context, kind, { order, query }, found.rows(slice))
      return paced(rows.map(({ record }) => record as Node))
    }
    const ids = (await found.rows({})).map((row) => idOf(kind, order, row))
    return paced(await recordsOf<Node>(context, kind, query, await sort(ids, slice)))
  }
  return toPage(slice, items, found.total)
}

interface Row {
  readonly record: object
}

const isRow = (row: object): row is Row => 'record' in row

/**
 * Rows in the order of the list, each with its record. Unless one plan is known to be best, what fits is found first, and
 * read then: in one statement the planner joins all that is wanted of a record to every candidate.
 */
async function read(
  context: Context,
  kind: TextKind,
  { order, query }: Omit<Wanted, 'where'>,
  found: Promise<object[]>,
): Promise<Row[]> {
  const rows = await found
  if (rows.every(isRow)) return rows
  const ids = rows.map((row) => idOf(kind, order, row))
  const nodes = await recordsOf<object>(context, kind, query, ids)
  const byId = new Map(nodes.map((node) => [(node as { id: number }).id, node]))
  return rows.flatMap((row) => {
    const record = byId.get(idOf(kind, order, row))
    return record ? [{ ...row, record }] : []
  })
}

interface Searched extends Pick<Wanted, 'where' | 'order' | 'isSteady'> {
  /** What is read of the records, where that may be read with them. */
  readonly wanted?: Selected['wanted']
}

/** What fits, by the columns of the keys, and how many there are: asked for together, they are found together. */
function finder(context: Context, kind: TextKind, list: Searched) {
  let asked: Asked | undefined
  let answer: Promise<Answered> | undefined
  const ask = (more: Asked) => {
    asked = { ...asked, ...more }
    answer ??= Promise.resolve().then(() => {
      const all = asked ?? {}
      asked = answer = undefined
      return find(context, kind, list, all)
    })
    return answer
  }
  return {
    rows: async (span: Span) => (await ask({ part: partOf(context, kind, list, span) })).rows,
    total: async () => (await ask({ count: list.where })).total,
  }
}

async function find(
  context: Context,
  kind: TextKind,
  { order, isSteady = false, wanted }: Searched,
  asked: Asked,
): Promise<Answered> {
  const name = order.of === 'record' ? kind : (`${kind}Text` as const)
  const models = { listed: modelName(name), counted: modelName(kind) }
  const found = await readPage(
    context,
    { ...models, isSteady, wanted: order.of === 'record' ? wanted : undefined },
    asked,
  )
  if (found) return found
  const { part, count } = asked
  const [rows, total] = await Promise.all([
    part ? table(context, name).findMany(part) : [],
    count ? table(context, kind).count({ where: count }) : 0,
  ])
  return { rows, total }
}

/** Of records, or of rows of served text that lead to them. */
function partOf(
  { language }: Context,
  kind: TextKind,
  { where, order }: Pick<Wanted, 'where' | 'order'>,
  { and = [], inverted = false, skip, take }: Span,
): Part {
  const select = Object.fromEntries(order.keys.map(({ column }) => [column, true as const]))
  const bounds = order.bounds ? [order.bounds] : []
  const wanted = order.of === 'record' ? [where, ...bounds] : [{ language, [kind]: where }]
  return { select, where: { AND: [...wanted, ...and] }, orderBy: orderBy(order.keys, inverted), skip, take }
}

/** Every order ends with the number of the record. */
const idOf = (kind: TextKind, { of }: ListOrder, row: object): number =>
  (row as Record<string, number>)[of === 'record' ? 'id' : `${kind}Id`] ?? 0
