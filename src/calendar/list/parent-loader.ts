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
type Load<Loaded, Result> = (keys: readonly Loaded[]) => Promise<Result[]>

/** DataLoaders of the operation, by field of the document and number of previous writes. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, DataLoader<Key, unknown>>())

/** Loads the value of the field for a parent. `createLoad` is called once for all parents of the field. */
export const loadFieldForParent = <Result>(
  { id }: { readonly id: number },
  context: Context,
  info: GraphQLResolveInfo,
  createLoad: () => Load<number, Result>,
): Promise<Result> => loadFieldByKey(id, context, info, createLoad)

/** Loads the value of the field that belongs to a key. `createLoad` is called once for all keys, of each `kind`. */
export function loadFieldByKey<Loaded extends Key, Result>(
  loaded: Loaded,
  context: Context,
  info: GraphQLResolveInfo,
  createLoad: () => Load<Loaded, Result>,
  kind = '',
): Promise<Result> {
  const loaders = loadersOf(context)
  const field = info.fieldNodes.map(objectNumber).join()
  const key = `${info.parentType.name} ${field} ${context.writes.all.length} ${kind}`
  const loader = loaders.get(key) ?? createLoader(createLoad() as Load<Key, Result>)
  loaders.set(key, loader)
  return loader.load(loaded) as Promise<Result>
}

/** Reads the record that an item shows, from `source`; null if it does not exist. One statement reads those of all items. */
export const loadShownRecord = (
  kind: NodeKind,
  id: number | null,
  context: Context,
  info: GraphQLResolveInfo,
  source = context,
): Promise<Node | null> | null =>
  id === null
    ? null
    : loadFieldByKey(
        id,
        context,
        info,
        () => async (ids) => {
          const selection = buildSelection(source, info, { typeName: nodeTypeName(kind) })
          const found = await findRecordsByIds<Node>(source, kind, selection, ids)
          return ids.map((each) => found.get(each) ?? null)
        },
        kind,
      )

interface Node {
  readonly id: number
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
