// Counts in the cache of counts: the total of a list for all pages, orders and selections of the same filter, and the counts of
// facets and of days for all operations with the same filter.
import { hash } from 'node:crypto'
import type { Count } from '../../engine/cache/counts.ts'
import type { ReadRecord } from '../../engine/reads/read-record.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { ListQuery } from './list-query.ts'
import type { RecordList } from './record-connection.ts'

interface Counted {
  readonly filter: object | null | undefined
  /** Cache key of the kind of count: records of this kind, facets or days. */
  readonly counted: RecordKind | readonly string[]
}

/** Returns the cache entry of a count; undefined for viewers who may see more than a visitor: their counts differ and are not cached. */
function cachedCountOf<Value extends Count>(
  { recorder, reads, viewer, password, forEditing, language }: Context,
  { filter, counted }: Counted,
) {
  const counts = viewer === undefined && password === undefined && !forEditing ? recorder?.counts : undefined
  if (!counts) return undefined
  const key = hash('sha256', JSON.stringify([counted, language, filter ?? {}], refuseFunction), 'base64url')
  return {
    /** Returns undefined if the cache has no count. */
    get() {
      const cached = counts.get(key)
      if (cached) reads.add(cached.read)
      return cached?.count as Value | undefined
    },
    /** Caches what was counted, with what was read for it. */
    set: (count: Value, read: ReadRecord) => counts.set(key, { count, read }),
  }
}

/** Converts the filter of a list, and adds the cached total, which expires when records change that the filter reads or compares. */
export async function withCachedTotal(
  context: Context,
  kind: RecordKind,
  args: Parameters<RecordList['list']>[0],
  translate: RecordList['list'],
): Promise<Omit<ListQuery, 'selection'>> {
  const cached = cachedCountOf<number>(context, { filter: args.filter, counted: kind })
  if (!cached) return translate(args, context)
  const reads = context.reads.apart()
  const list = await translate(args, { ...context, reads })
  const { record } = reads
  const cachedTotal = {
    get: cached.get,
    set(total: number | undefined) {
      if (total !== undefined) cached.set(total, reads.recordOfFilter(kind, list.where, record))
    },
  }
  return { ...list, cachedTotal }
}

/** Returns the cached value, or calls `count` and caches the result as JSON. */
export async function getOrComputeCount<Value>(
  context: Context,
  counted: Counted,
  count: (context: Context) => Promise<Value>,
): Promise<Value> {
  const cached = cachedCountOf<string>(context, counted)
  const json = cached?.get()
  if (json !== undefined) return JSON.parse(json)
  const reads = context.reads.apart()
  const value = await count({ ...context, reads })
  cached?.set(JSON.stringify(value), reads.record)
  return value
}

/** Throws for functions, which JSON omits: two different filters would otherwise share a count. */
function refuseFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`The filter value ${name} is a function, which JSON cannot contain.`)
  return value
}
