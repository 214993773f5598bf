// Loads the value of a field for all records of a list at once, instead of with one statement for each record.
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import { memoizeByObject, objectNumber } from '../../basics/memoize.ts'
import type { Context } from '../../service/context.ts'

type Load<Result> = (ids: readonly number[]) => Promise<Result[]>

/** DataLoaders of the operation, by field of the document and number of previous writes. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, DataLoader<number, unknown>>())

/** Loads the value of the field for a parent. `createLoad` is called once for all parents of the field. */
export function loadFieldForParent<Result>(
  { id }: { readonly id: number },
  context: Context,
  info: GraphQLResolveInfo,
  createLoad: () => Load<Result>,
): Promise<Result> {
  const loaders = loadersOf(context)
  const key = `${info.parentType.name} ${info.fieldNodes.map(objectNumber).join()} ${context.writes.all.length}`
  const loader = loaders.get(key) ?? createLoader(createLoad())
  loaders.set(key, loader)
  return loader.load(id) as Promise<Result>
}

function createLoader<Result>(load: Load<Result>) {
  const loadAll = async (ids: readonly number[]) => {
    const distinct = [...new Set(ids)]
    const results = await load(distinct)
    const byId = new Map(distinct.map((id, index) => [id, results[index]]))
    return ids.map((id) => byId.get(id) as Result)
  }
  // Not cached: a later field of a mutation may change the records.
  return new DataLoader(loadAll, { cache: false })
}
