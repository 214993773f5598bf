// Loads the value of a field for all items of a list at once, instead of with one statement for each item.
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import type { NodeKind } from '../../basics/errors.ts'
import { memoizeByObject, objectNumber } from '../../basics/memoize.ts'
import type { Context } from '../../service/context.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { nodeTypeName } from '../rules/identify.ts'
import { findRecordsByIds } from './records.ts'

type Key = number | string
type Load<LoadedKey, Result> = (keys: readonly LoadedKey[]) => Promise<Result[]>

/** DataLoaders of the operation, by field of the document, number of previous writes, and kind of the keys. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, DataLoader<Key, unknown>>())

/** Loads the value of the field for a parent. `createLoad` is called once for all parents of the field. */
export const loadFieldForParent = <Result>(
  { id }: { readonly id: number },
  context: Context,
  info: GraphQLResolveInfo,
  createLoad: () => Load<number, Result>,
): Promise<Result> => loadFieldByKey(id, context, info, createLoad)

/** Loads the value of the field for a key. `createLoad` is called once for all keys of a `kind`. */
export function loadFieldByKey<LoadedKey extends Key, Result>(
  key: LoadedKey,
  context: Context,
  info: GraphQLResolveInfo,
  createLoad: () => Load<LoadedKey, Result>,
  kind = '',
): Promise<Result> {
  const loaders = loadersOf(context)
  const field = `${info.parentType.name} ${info.fieldNodes.map(objectNumber).join()}`
  const name = `${field} ${context.writes.all.length} ${kind}`
  const loader = loaders.get(name) ?? createLoader(createLoad() as Load<Key, Result>)
  loaders.set(name, loader)
  return loader.load(key) as Promise<Result>
}

/** Loads a record that an item of a list shows, from `source`; null if there is none. One statement reads those of all items. */
export async function loadRecordById<Record extends { readonly id: number }>(
  kind: NodeKind,
  id: number | null,
  context: Context,
  info: GraphQLResolveInfo,
  source = context,
): Promise<Record | null> {
  if (id === null) return null
  const load = async (ids: readonly number[]) => {
    const selection = buildSelection(source, info, { typeName: nodeTypeName(kind) })
    const found = await findRecordsByIds<Record>(source, kind, selection, ids)
    return ids.map((each) => found.get(each) ?? null)
  }
  return loadFieldByKey(id, context, info, () => load, kind)
}

function createLoader<Result>(load: Load<Key, Result>) {
  const loadAll = async (keys: readonly Key[]) => {
    const distinct = [...new Set(keys)]
    const results = await load(distinct)
    const byKey = new Map(distinct.map((key, index) => [key, results[index]]))
    return keys.map((key) => byKey.get(key) as Result)
  }
  // Not cached: a later field of a mutation may change the records.
  return new DataLoader(loadAll, { cache: false })
}
