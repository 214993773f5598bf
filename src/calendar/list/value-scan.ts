// Slices of a list that the database reads in the order of a value, so that the time for a page does not grow with the number
// of matches.

import { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { type Bounds, orderBy, rowsBeyond, type SortKey } from '../../service/graphql/keyset.ts'
import { type ComputedValue, type Value, type ValueBound, type ValueScan, valueBounds } from './computed-order.ts'
import type { Delegate } from './records.ts'

const { sql, raw, join } = Prisma

export type ScannedValue = ComputedValue & { readonly scan: ValueScan }

export const isScannedValue = (computed: ComputedValue | undefined): computed is ScannedValue =>
  computed?.scan !== undefined

/** The records that match. */
interface Matches {
  readonly delegate: Delegate
  readonly where: object
  readonly keys: readonly SortKey[]
  /** Whether to compute the values of all matches and sort them, since they are few. */
  readonly areSorted: boolean
}

interface Slice {
  readonly bounds?: Bounds | undefined
  readonly inverted?: boolean | undefined
  readonly skip?: number | undefined
  readonly take: number
}

interface ValuedSlice {
  readonly ids: readonly number[]
  readonly values: ReadonlyMap<number, Value>
}

interface Row {
  readonly id: number
  readonly value?: Value
}

/** The records with a value between the cursors, or those without. */
interface Part {
  find(skip: number, take: number): Promise<readonly Row[]>
  count(): Promise<number>
}

export async function scanByValue(
  context: Context,
  matches: Matches,
  computed: ScannedValue,
  { bounds = {}, inverted = false, skip = 0, take }: Slice,
): Promise<ValuedSlice> {
  const ends = valueBounds(computed, matches.keys, bounds)
  const parts = [
    ...(await recordsWith(context, matches, computed, ends, inverted)),
    ...recordsWithout(matches, computed, ends, inverted),
  ]
  const rows: Row[] = []
  let toSkip = skip
  for (const part of inverted ? parts.toReversed() : parts) {
    if (rows.length === take) break
    const found = await part.find(toSkip, take - rows.length)
    rows.push(...found)
    if (found.length > 0) toSkip = 0
    else if (toSkip > 0) toSkip -= await part.count()
  }
  return {
    ids: rows.map(({ id }) => id),
    values: new Map(rows.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value] as const]))),
  }
}

async function recordsWith(
  { reads }: Context,
  { delegate, where: matching, keys, areSorted }: Matches,
  computed: ScannedValue,
  ends: readonly ValueBound[],
  inverted: boolean,
): Promise<Part[]> {
  // Those without a value come last in both directions.
  if (ends.some(({ isAfter, value }) => isAfter && value === null)) return []
  const { scan, type, descending, invertsTies } = computed
  const sqlType = raw(type === 'text' ? 'text' : 'float8')
  const direction = (isDescending: boolean) => raw(isDescending !== inverted ? 'DESC' : 'ASC')
  const columns = keys.map(({ column }) => column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
  const keyOrder = join(columns.map((column) => sql`${raw(column)} ${direction(invertsTies)}`))
  const order = sql`value ${direction(descending)}, ${keyOrder}`
  const selected = raw(`value, ${columns.join()}`)
  const ranges = await Promise.all(
    indexRanges(ends, keys, descending).map(async ({ conditions, comparisons }) => {
      const where = { AND: [matching, scan.with, ...conditions] }
      // A page stops after the first records.
      const records = await delegate.matchingRows(where, {}, { stopsEarly: true })
      const isBetween = comparisons.map(({ operator, value }) => sql`value ${raw(operator)} ${value}::${sqlType}`)
      return { records, condition: join([sql`value IS NOT NULL`, ...isBetween], ' AND ') }
    }),
  )
  const sources = async (first?: (source: Prisma.Sql) => Prisma.Sql) => {
    const selects = await Promise.all(
      ranges.map(async ({ records, condition }) =>
        (await (first ? scan.select(records, first) : selectAll(scan, records))).map(
          (source) => sql`SELECT ${selected} FROM (${source}) AS valued WHERE ${condition}`,
        ),
      ),
    )
    return selects.flat()
  }
  return [
    {
      async find(skip, take) {
        const limit = sql`LIMIT ${skip + take}::int`
        const selects = await sources(areSorted ? undefined : (source) => sql`${source} ORDER BY ${keyOrder} ${limit}`)
        const first = selects.map((select) => sql`(${select} ORDER BY ${order} ${limit})`)
        return reads.rows<Row>(sql`SELECT id, value FROM (${join(first, ' UNION ALL ')}) AS found
            ORDER BY ${order} LIMIT ${take}::int OFFSET ${skip}::int`)
      },
      async count() {
        const selects = await sources()
        const statement = sql`SELECT count(*)::int AS count FROM (${join(selects, ' UNION ALL ')}) AS found`
        const [row] = await reads.rows<{ count: number }>(statement)
        return row?.count ?? 0
      },
    },
  ]
}

/** Statements that read all records with their values, in any order. */
export const selectAll = (scan: ValueScan, records: Prisma.Sql) =>
  scan.selectAll?.(records) ?? scan.select(records, (source) => source)

interface Range {
  readonly conditions: readonly object[]
  readonly comparisons: readonly { readonly operator: string; readonly value: Value }[]
}

/** Ranges of an index: those with the value of a cursor are apart from those beyond it. */
function indexRanges(ends: readonly ValueBound[], keys: readonly SortKey[], descending: boolean): Range[] {
  return ends.reduce<Range[]>(
    (ranges, { value, isAfter, keys: values, comeAfter }) => {
      if (value === null) return ranges
      return ranges.flatMap(({ conditions, comparisons }) => [
        {
          conditions: [...conditions, rowsBeyond(keys, values, !comeAfter)],
          comparisons: [...comparisons, { operator: '=', value }],
        },
        { conditions, comparisons: [...comparisons, { operator: isAfter === descending ? '<' : '>', value }] },
      ])
    },
    [{ conditions: [], comparisons: [] }],
  )
}

function recordsWithout(
  { delegate, where, keys }: Matches,
  { scan, invertsTies }: ScannedValue,
  ends: readonly ValueBound[],
  inverted: boolean,
): Part[] {
  if (ends.some(({ isAfter, value }) => !isAfter && value !== null)) return []
  const beyond = ends.filter(({ value }) => value === null).map((end) => rowsBeyond(keys, end.keys, !end.comeAfter))
  const remaining = { AND: [where, scan.without, ...beyond] }
  const order = orderBy<object>(keys, invertsTies !== inverted)
  return [
    {
      find: (skip, take) =>
        delegate.findMany({ select: { id: true }, where: remaining, orderBy: order, skip, take }) as Promise<Row[]>,
      count: () => delegate.count({ where: remaining }),
    },
  ]
}
