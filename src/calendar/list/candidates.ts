// Slices of a list of which only some matches, the candidates, have the value that it is sorted by: the others follow in the
// order of the sort keys. So the time for a page does not grow with the number of matches.
import { type Bounds, orderBy, rowsBeyond, type SortKey } from '../../service/graphql/keyset.ts'
import { type Candidates, type ComputedValue, sliceByValue, type Value, valueBounds } from './computed-order.ts'
import type { Delegate } from './records.ts'

/** The records that match. */
interface Matches {
  readonly delegate: Delegate
  readonly where: object
  readonly keys: readonly SortKey[]
}

interface Slice {
  readonly bounds: Bounds
  readonly inverted: boolean
  readonly skip: number
  readonly take: number
}

interface ValuedSlice {
  readonly ids: readonly number[]
  /** Those of all candidates. */
  readonly values: ReadonlyMap<number, Value>
}

export async function sliceCandidates(
  matches: Matches,
  computed: ComputedValue,
  { ids, isComplete }: Candidates,
  { bounds, inverted, skip, take }: Slice,
): Promise<ValuedSlice> {
  const { delegate, keys } = matches
  const ends = valueBounds(computed, keys, bounds)
  const countBeyond = (condition: object) => delegate.count({ where: { AND: [{ id: { in: [...ids] } }, condition] } })
  const [values, ...counts] = await Promise.all([
    computed.values(ids),
    ...ends.map((end) => countBeyond(rowsBeyond(keys, end.keys, !end.comeAfter))),
  ])
  const counted = ends.map((end, index) => ({ ...end, beyond: counts[index] ?? 0 }))
  const ranked = sliceByValue(ids, values, computed, { bounds: counted, inverted, skip: 0, take: ids.length })
  if (isComplete) return { ids: ranked.slice(skip, skip + take), values }
  // A record without a value comes last in both directions: all others are before it.
  const isBeforeRest = ends.some((end) => !end.isAfter && end.value !== null)
  const findRest = async (page: { skip: number; take: number }): Promise<number[]> => {
    if (isBeforeRest || page.take <= 0) return []
    const beyond = ends.filter((end) => end.value === null).map((end) => rowsBeyond(keys, end.keys, !end.comeAfter))
    const where = { AND: [matches.where, { id: { notIn: [...ids] } }, ...beyond] }
    const order = orderBy<object>(keys, computed.invertsTies !== inverted)
    const records = await delegate.findMany({ select: { id: true }, where, orderBy: order, ...page })
    return records.map((record) => (record as { id: number }).id)
  }
  if (inverted) {
    const rest = await findRest({ skip, take })
    return { ids: [...rest, ...ranked.slice(0, take - rest.length)], values }
  }
  const first = ranked.slice(skip, skip + take)
  const rest = await findRest({ skip: Math.max(0, skip - ranked.length), take: take - first.length })
  return { ids: [...first, ...rest], values }
}
