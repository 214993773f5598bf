// Finds the records of a list in order: one slice of it, or the same slice of one list for each of several parents.
import type { Context } from '../../context.ts'
import { type ForEach, withoutUnread } from '../../db/record-reads.ts'
import { badInput } from '../../errors.ts'
import { type Bounds, between, orderBy, parseCursor, rowsBeyond, type SortKey, toCursor } from '../../graphql/keyset.ts'
import type { RecordSelection } from '../../graphql/record-selection.ts'
import type { RecordKind } from '../kinds.ts'
import { sliceCandidates } from './candidates.ts'
import { type ComputedValue, sliceByValue, type Value, valueBounds, withValue } from './computed-order.ts'
import { fewMatches } from './few-matches.ts'
import { type Delegate, delegateOf, findByIds, type PageQuery, type PageRecords } from './records.ts'
import type { FindSearchMatch } from './search-input.ts'
import { isScannedValue, type ScannedValue, scanByValue } from './value-scan.ts'

export interface ListOrder {
  /** The table of the sort columns: the record's, or its served texts. */
  readonly of: 'record' | 'text'
  readonly keys: readonly SortKey[]
  /** Redundant conditions on the first column, which let an index scan start at the right entry. */
  readonly bounds?: object | undefined
  /** A value to sort by before the keys. */
  readonly computed?: ComputedValue
  /** The keys in cursors, if those of the order are too long: the ID of the text row, by which the others are read. */
  readonly cursorKeys?: readonly SortKey[]
}

export interface ListQuery {
  readonly where: object
  readonly order: ListOrder
  readonly selection: RecordSelection
  /** Only of events. */
  readonly searchMatch?: FindSearchMatch
}

/** Parents, and the condition of the records in the list of one. */
export type Parents = ForEach

export interface RowQuery {
  readonly bounds?: Bounds
  /** Whether to return the last rows, in reverse order. */
  readonly inverted?: boolean
  readonly skip?: number
  /** 0 only counts the total. */
  readonly take: number
  readonly total: boolean
  /** How many of the last rows that `take` allows need not be read, only be counted in `found`. */
  readonly unread?: number
  /** Whether rows need the values of their sort keys. */
  readonly withKeys?: boolean
}

/** A row of a list: the record, and the values of its sort keys. */
interface Row<Node> {
  readonly keys: object
  readonly record: Node
}

export interface Rows<Node> {
  readonly rows: readonly Row<Node>[]
  /** Undefined unless it was queried. */
  readonly total: number | undefined
  /** Number of rows with those that are not read, if there may be any. */
  readonly found?: number | undefined
}

/** What cursors contain: all keys of an order, the computed value included, unless the order sets other keys. */
export const keysInCursors = ({ computed, keys, cursorKeys }: ListOrder): readonly SortKey[] =>
  cursorKeys ?? (computed ? withValue(computed, keys) : keys)

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
  const few = isScanned ? await fewMatches(context, recordSource(lists)) : undefined
  if (few) {
    const pages = await findInOrder<Node>(withMatches(lists, few), { ...query, total: false })
    return pages.map((page) => ({ ...page, total: query.total ? few.length : undefined }))
  }
  if (isScanned && isScannedValue(computed)) return findByScan(lists, computed, query)
  return findInOrder(lists, query)
}

function findInOrder<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { computed, of } = lists.list.order
  if (computed) return findByValue(lists, computed, query)
  return of === 'text' ? findByText(lists, query) : findByColumn(lists, query)
}

interface Lists {
  readonly context: Context
  readonly kind: RecordKind
  readonly list: ListQuery
  readonly parents: Parents | undefined
}

const countRows = async (lists: Lists, { total }: RowQuery): Promise<(number | undefined)[]> =>
  (await findPages(recordSource(lists), { take: 0, total, select: { id: true } })).map((page) => page.total)

async function findByColumn<Node extends object>(lists: Lists, query: RowQuery): Promise<Rows<Node>[]> {
  const { context, list } = lists
  const { order, selection } = list
  const columns = order.keys.map(({ column }) => column)
  const { select, toSource } = selection(columns.filter((column) => column !== 'id'))
  const pages = await findPages(recordSource(lists), {
    ...pageQuery(order, query),
    ...{ select, total: query.total, unread: query.unread, longTextBudget: context.texts },
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

/** Finds the IDs of all matches and their values, and then the records of the slice. The first matches may be enough for that. */
async function findByValue<Node extends object>(
  lists: Lists,
  computed: ComputedValue,
  query: RowQuery,
): Promise<Rows<Node>[]> {
  const { inverted = false, take, total, withKeys = false } = query
  const { delegate, where } = recordSource(lists)
  for (const prefix of lists.parents ? [] : (computed.prefixes ?? [])) {
    if (prefix.where && inverted) continue
    const found = async () => {
      const { ids, values } = await prefix.find()
      return { allIds: [ids], values }
    }
    const among = prefix.where ? withCondition(lists, prefix.where) : lists
    const { slices, values } = await sliceLists(among, computed, query, found)
    if (!prefix.where) return toRows(lists, computed, slices, { values, withKeys })
    if (slices[0]?.ids.length !== take) continue
    const count = total ? await delegate.count({ where }) : undefined
    return toRows(lists, computed, [{ ids: slices[0].ids, total: count }], { values, withKeys })
  }
  const { slices, values } = await sliceLists(lists, computed, query, async () => {
    const allIds = await findIds(lists)
    const ids = allIds.length === 1 ? (allIds[0] ?? []) : [...new Set(allIds.flat())]
    return { allIds, values: await computed.values(ids) }
  })
  return toRows(lists, computed, slices, { values, withKeys })
}

const withMatches = ({ list, ...lists }: Lists, ids: readonly number[]): Lists => ({
  ...lists,
  list: { ...list, where: { id: { in: ids } } },
})

async function findByScan<Node extends object>(
  lists: Lists,
  computed: ScannedValue,
  query: RowQuery,
): Promise<Rows<Node>[]> {
  const { delegate, where } = recordSource(lists)
  const matches = { delegate, where, keys: lists.list.order.keys }
  const [{ ids, values }, total] = await Promise.all([
    scanByValue(lists.context, matches, computed, query),
    query.total ? delegate.count({ where }) : undefined,
  ])
  return toRows(lists, computed, [{ ids, total }], { values, withKeys: query.withKeys ?? false })
}

/** The IDs of each list in the order of the sort keys, and the values of all of them. */
interface ValuedLists {
  readonly allIds: readonly (readonly number[])[]
  readonly values: ReadonlyMap<number, Value>
}

const withCondition = ({ list, ...lists }: Lists, condition: object): Lists => ({
  ...lists,
  list: { ...list, where: { AND: [list.where, condition] } },
})

async function sliceLists(
  lists: Lists,
  computed: ComputedValue,
  { bounds = {}, inverted = false, skip = 0, take }: RowQuery,
  find: () => Promise<ValuedLists>,
) {
  const { order } = lists.list
  const ends = valueBounds(computed, order.keys, bounds)
  const [{ allIds, values }, ...counts] = await Promise.all([
    find(),
    ...ends.map(({ keys, comeAfter }) => countBeyond(lists, rowsBeyond(order.keys, keys, !comeAfter))),
  ])
  const slices = allIds.map((ids, list) => {
    const counted = ends.map((end, index) => ({ ...end, beyond: counts[index]?.[list] ?? 0 }))
    return { ids: sliceByValue(ids, values, computed, { bounds: counted, inverted, skip, take }), total: ids.length }
  })
  return { slices, values }
}

/** Finds a slice of a list that has no parents. Of many matches, only some have a value. */
async function findAmongCandidates<Node extends object>(
  lists: Lists,
  computed: ComputedValue,
  { bounds = {}, inverted = false, skip = 0, take, total: isCounted, withKeys = false }: RowQuery,
): Promise<Rows<Node>[]> {
  const { delegate, where } = recordSource(lists)
  const candidates = (await computed.candidates?.(where)) ?? { ids: [], isComplete: false }
  const { keys } = lists.list.order
  const [{ ids, values }, total] = await Promise.all([
    sliceCandidates({ delegate, where, keys }, computed, candidates, { bounds, inverted, skip, take }),
    isCounted && !candidates.isComplete ? delegate.count({ where }) : candidates.ids.length,
  ])
  return toRows(lists, computed, [{ ids, total: isCounted ? total : undefined }], { values, withKeys })
}

/** Reads the records of slices. */
async function toRows<Node extends object>(
  lists: Lists,
  computed: ComputedValue,
  slices: readonly { readonly ids: readonly number[]; readonly total: number | undefined }[],
  { values, withKeys }: { readonly values: ReadonlyMap<number, Value>; readonly withKeys: boolean },
): Promise<Rows<Node>[]> {
  const { order } = lists.list
  const idsOfSlices = slices.map(({ ids }) => ids)
  const [records, keysOf] = await Promise.all([
    recordsOf<Node>(lists, idsOfSlices, withKeys && order.of === 'record' ? order.keys : []),
    withKeys ? keysOfRows(lists, idsOfSlices) : undefined,
  ])
  return slices.map(({ ids, total }) => ({
    rows: ids.flatMap((id) => {
      const record = records.get(id)
      if (!record) return []
      const keys = withKeys
        ? { ...(keysOf?.get(id) ?? keysIn(record, order.keys)), [computed.name]: values.get(id) ?? null }
        : {}
      return [{ keys, record }]
    }),
    total,
  }))
}

const countBeyond = async (lists: Lists, condition: object): Promise<number[]> => {
  const source = sourceOf(lists)
  const pages = await findPages(
    { ...source, where: { AND: [source.where, condition] } },
    { take: 0, total: true, select: columnsOf(lists.list.order.keys) },
  )
  return pages.map(({ total }) => total ?? 0)
}

/** The IDs of all matches in the order of the keys, for each list. */
async function findIds(lists: Lists): Promise<number[][]> {
  const { kind, list } = lists
  const { of, keys, bounds } = list.order
  const column = of === 'text' ? textKey(kind) : 'id'
  const select = { [column]: true }
  const pages = await findPages(sourceOf(lists), { select, orderBy: orderBy(keys, false), pageWhere: bounds })
  return pages.map(({ records }) => records.map((row) => (row as Record<string, number>)[column] ?? 0))
}

/** Sort keys in the served texts, by ID of the record; undefined if the records have them. */
async function keysOfRows(
  lists: Lists,
  ids: readonly (readonly number[])[],
): Promise<ReadonlyMap<number, object> | undefined> {
  const { context, kind, list } = lists
  if (list.order.of === 'record') return undefined
  const where = { language: context.language, [textKey(kind)]: { in: [...new Set(ids.flat())] } }
  const rows = await textSource(lists).delegate.findMany({ where, select: columnsOf(list.order.keys) })
  return new Map(rows.map((row) => [textRowId(kind, row), row]))
}

const keysIn = (record: object, keys: readonly SortKey[]): object =>
  Object.fromEntries(keys.map(({ column }) => [column, (record as Record<string, unknown>)[column]]))

/** The records of all lists, by ID. */
async function recordsOf<Node extends object>(
  { context, kind, list }: Lists,
  ids: readonly (readonly number[])[],
  keys: readonly SortKey[] = [],
): Promise<ReadonlyMap<number, Node>> {
  const columns = keys.map(({ column }) => column).filter((column) => column !== 'id')
  const selection: RecordSelection = () => list.selection(columns)
  const records = await findByIds<Node & { readonly id: number }>(context, kind, selection, [...new Set(ids.flat())])
  return new Map(records.map((record) => [record.id, record]))
}

const columnsOf = (keys: readonly SortKey[]) => Object.fromEntries(keys.map(({ column }) => [column, true]))

const textKey = (kind: RecordKind) => `${kind}Id`

const textRowId = (kind: RecordKind, row: object): number => (row as Record<string, number>)[textKey(kind)] ?? 0

/** A table of records or texts, with the conditions of the list and of the list of one parent. */
interface Source {
  readonly delegate: Delegate
  readonly where: object
  readonly parents: Parents | undefined
}

const sourceOf = (lists: Lists): Source => (lists.list.order.of === 'text' ? textSource(lists) : recordSource(lists))

const recordSource = ({ context, kind, list: { where }, parents }: Lists): Source => ({
  delegate: delegateOf(context, kind),
  where,
  parents,
})

const textSource = ({ context, kind, list: { where }, parents }: Lists): Source => ({
  delegate: delegateOf(context, `${kind}Text`),
  where: { language: context.language, [kind]: where },
  parents: parents && { ids: parents.ids, where: (id) => ({ [kind]: parents.where(id) }) },
})

function pageQuery({ keys, bounds: scanBounds }: ListOrder, { bounds = {}, inverted = false, skip, take }: RowQuery) {
  const conditions = [...(scanBounds ? [scanBounds] : []), ...between<object>(keys, bounds)]
  return {
    orderBy: orderBy<object>(keys, inverted),
    ...(conditions.length > 0 && { pageWhere: { AND: conditions } }),
    ...{ skip, take },
  }
}

/** Reads the list of one parent like a list without parents, whose statement uses the values of the parent. */
async function findPages(
  { delegate, where, parents }: Source,
  { unread, ...query }: Omit<PageQuery, 'where'>,
): Promise<PageRecords[]> {
  const [id, ...others] = parents?.ids ?? []
  if (parents && others.length > 0) return delegate.findPages({ ...query, where, forEach: parents })
  const condition = parents && id !== undefined ? { AND: [where, parents.where(id)] } : where
  return [await delegate.findPage({ ...query, unread, where: condition })]
}
