// Finds the rows of lists that are in the order of a computed value.
import { orderBy, rowsBeyond, type SortKey } from '../../service/graphql/keyset.ts'
import { sliceCandidates } from './candidates.ts'
import { type ComputedValue, sliceByValue, type Value, valueBounds } from './computed-order.ts'
import type { FewMatches } from './few-matches.ts'
import type { RowQuery, Rows } from './list-query.ts'
import {
  columnsOf,
  findPages,
  type Lists,
  recordSource,
  recordsOf,
  sourceOf,
  textKey,
  textRowId,
  textSource,
} from './source.ts'
import { type ScannedValue, scanByValue } from './value-scan.ts'

/** Finds the IDs of all matches and their values, and then the records of the slice. The first matches may be enough for that. */
export async function findByValue<Node extends object>(
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

/** Finds a slice in SQL. `few` is undefined if there are too many matches to sort all of them. */
export async function findByScan<Node extends object>(
  lists: Lists,
  computed: ScannedValue,
  query: RowQuery,
  few: FewMatches | undefined,
): Promise<Rows<Node>[]> {
  const { delegate, where } = recordSource(lists)
  const matches = { delegate, where, keys: lists.list.order.keys, areSorted: few !== undefined }
  const [{ ids, values }, total] = await Promise.all([
    scanByValue(lists.context, matches, computed, query),
    query.total ? (few?.count ?? delegate.count({ where })) : undefined,
  ])
  return toRows(lists, computed, [{ ids, total }], { values, withKeys: query.withKeys ?? false })
}

/** Finds a slice of a list that has no parents. Of many matches, only some have a value. */
export async function findAmongCandidates<Node extends object>(
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
