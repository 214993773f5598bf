// Counts in the cache of counts: the total of a list for all pages, orders and selections of the same filter, and the counts of
// facets and of days for all operations with the same filter.
import { hash } from 'node:crypto'
import type { Count } from '../../engine/cache/counts.ts'
import type { ReadRecord } from '../../engine/reads/read-record.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import type { ListQuery } from './list-query.ts'

interface CachedCount<Value extends Count> {
  /** Undefined if it must be counted. */
  get(): Value | undefined
  /** Caches what was counted, with what was read for it. */
  set(value: Value, read: ReadRecord): void
}

interface Counted {
  readonly filter: object | null | undefined
  /** What is counted: the records of this kind, or their facets or days. */
  readonly counted: RecordKind | readonly string[]
}

/** Undefined for readers who may see more than a visitor, because their counts differ. */
function cachedCountOf<Value extends Count>(
  { recorder, reads, viewer, password, forEditing, language }: Context,
  { filter, counted }: Counted,
): CachedCount<Value> | undefined {
  const counts = viewer === undefined && password === undefined && !forEditing ? recorder?.counts : undefined
  if (!counts) return undefined
  const key = hash('sha256', JSON.stringify([counted, language, filter ?? {}], refuseFunction), 'base64url')
  return {
    get() {
      const cached = counts.get(key)
      if (cached) reads.add(cached.read)
      return cached?.count as Value | undefined
    },
    set: (count, read) => counts.set(key, { count, read }),
  }
}

/** The total of a list. */
export interface ListTotal {
  /** Undefined if it must be counted. */
  get(): number | undefined
  /** Caches the total. */
  set(total: number | undefined): void
}

interface ListWithTotal<List> {
  readonly list: List
  readonly listTotal: ListTotal | undefined
}

/** Translates the filter of a list. Its total depends on what that reads, and on the records that the filter compares. */
export async function listWithTotal<List extends Pick<ListQuery, 'where'>>(
  context: Context,
  kind: RecordKind,
  { filter }: { readonly filter?: object | null | undefined },
  translate: (context: Context) => Promise<List>,
): Promise<ListWithTotal<List>> {
  const cached = cachedCountOf<number>(context, { filter, counted: kind })
  if (!cached) return { list: await translate(context), listTotal: undefined }
  const reads = context.reads.apart()
  const list = await translate({ ...context, reads })
  const { record } = reads
  const listTotal: ListTotal = {
    get: cached.get,
    set(total) {
      if (total !== undefined) cached.set(total, reads.recordOfFilter(kind, list.where, record))
    },
  }
  return { list, listTotal }
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
