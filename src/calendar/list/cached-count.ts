// Counts in the cache of counts: the total of a list for all pages, orders and selections of the same filter, and the counts of
// facets and of days for all operations with the same filter.
import { hash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import type { CachedKind } from '../../engine/cache/changes.ts'
import type { Count } from '../../engine/cache/counts.ts'
import type { RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { dependenciesOfCount } from '../../service/graphql/dependencies.ts'

export interface CachedCount<Value extends Count> {
  /** Undefined if it must be counted. */
  get(): Value | undefined
  /** Caches what was counted. */
  set(value: Value | undefined): void
}

interface CountedList {
  /** The field that returns the list, the facets or the days. */
  readonly field: Pick<GraphQLResolveInfo, 'parentType' | 'fieldName'>
  readonly filter: object | null | undefined
  /** What is counted: the records of this kind, or their facets or days. */
  readonly counted: RecordKind | readonly string[]
  /** The kinds of records that the count reads, besides those that the field and the filter declare. */
  readonly reads: readonly CachedKind[]
}

/** Undefined for readers who may see more than a visitor, because their counts differ. */
export function cachedCountOf<Value extends Count>(
  { recorder, viewer, password, forEditing, language }: Context,
  { field: { parentType, fieldName }, filter, counted, reads }: CountedList,
): CachedCount<Value> | undefined {
  const counts = viewer === undefined && password === undefined && !forEditing ? recorder?.counts : undefined
  const field = parentType.getFields()[fieldName]
  if (!counts || !field) return undefined
  const key = hash('sha256', JSON.stringify([counted, language, filter ?? {}], refuseFunction), 'base64url')
  return {
    get: () => counts.get(key) as Value | undefined,
    set(value) {
      if (value !== undefined) counts.set(key, value, dependenciesOfCount(reads, field, { filter }))
    },
  }
}

/** The total of a list. */
export const listTotalOf = (
  context: Context,
  kind: RecordKind,
  field: CountedList['field'],
  { filter }: { readonly filter?: object | null | undefined },
): CachedCount<number> | undefined => cachedCountOf(context, { field, filter, counted: kind, reads: [kind] })

/** The value whose JSON is cached. If there is none, `count` returns it, and it is cached. */
export async function cachedJson<Value>(
  cached: CachedCount<string> | undefined,
  count: () => Promise<Value>,
): Promise<Value> {
  const json = cached?.get()
  if (json !== undefined) return JSON.parse(json)
  const value = await count()
  cached?.set(JSON.stringify(value))
  return value
}

/** JSON has no functions: two filters that differ in what a function returns would share a count. */
function refuseFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`The filter value ${name} has no JSON.`)
  return value
}
