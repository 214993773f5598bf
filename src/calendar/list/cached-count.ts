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
  /** What is counted: the records of this kind, or their facets or days. */
  readonly counted: RecordKind | readonly string[]
}

/** Undefined for readers who may see more than a visitor, because their counts differ. */
function cachedCountOf<Value extends Count>(
  { recorder, reads, viewer, password, forEditing, language }: Context,
  { filter, counted }: Counted,
) {
  const counts = viewer === undefined && password === undefined && !forEditing ? recorder?.counts : undefined
  if (!counts) return undefined
  const key = hash('sha256', JSON.stringify([counted, language, filter ?? {}], refuseFunction), 'base64url')
  return {
    /** Undefined if it must be counted. */
    get() {
      const cached = counts.get(key)
      if (cached) reads.add(cached.read)
      return cached?.count as Value | undefined
    },
    /** Caches what was counted, with what was read for it. */
    set: (count: Value, read: ReadRecord) => counts.set(key, { count, read }),
  }
}

/** Translates the filter of a list. Its total depends on what that reads, and on the records that the filter compares. */
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

/** The value whose JSON is cached. If there is none, `count` returns it, and it is cached. */
export async function cachedJson<Value>(
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

/** JSON has no functions: two filters that differ in what a function returns would share a count. */
function refuseFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`The filter value ${name} has no JSON.`)
  return value
}
