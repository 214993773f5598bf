// The total of a list in the cache of totals: one for all pages, orders and selections of the same filter.
import { hash } from 'node:crypto'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import { dependenciesOfTotal } from '../../graphql/dependencies.ts'
import type { RecordKind } from '../kinds.ts'

export interface ListTotal {
  /** Undefined if it must be counted. */
  get(): number | undefined
  /** Caches the total that was counted. */
  set(total: number | undefined): void
}

interface ListArgs {
  readonly filter?: object | null | undefined
}

/** Undefined for readers who may see more than a visitor, because their totals differ. */
export function listTotalOf(
  { recorder, viewer, password, forEditing, language }: Context,
  kind: RecordKind,
  { parentType, fieldName }: GraphQLResolveInfo,
  { filter }: ListArgs,
): ListTotal | undefined {
  const totals = viewer === undefined && password === undefined && !forEditing ? recorder?.totals : undefined
  const field = parentType.getFields()[fieldName]
  if (!totals || !field) return undefined
  const key = hash('sha256', JSON.stringify([kind, language, filter ?? {}], refuseFunction), 'base64url')
  return {
    get: () => totals.get(key),
    set(total) {
      if (total !== undefined) totals.set(key, total, dependenciesOfTotal(kind, field, { filter }))
    },
  }
}

/** JSON has no functions: two filters that differ in what a function returns would share a total. */
function refuseFunction(name: string, value: unknown): unknown {
  if (typeof value === 'function') throw new Error(`The filter value ${name} has no JSON.`)
  return value
}
