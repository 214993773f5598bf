// Adds connections to the types of records, such as the events of a venue. One batch loads the connections of all parents.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import DataLoader from 'dataloader'
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import type { ForEach } from '../../db/record-reads.ts'
import { builder } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import type { Connection } from '../../graphql/pagination.ts'
import { selectionOf } from '../../graphql/record-selection.ts'
import { memoizeByObject, memoizeOnce, objectNumber } from '../../memoize.ts'
import { kinds, type RecordKind } from '../kinds.ts'
import { connectionType } from './connection-type.ts'
import { connectionsOf, nodePaths } from './pages.ts'
import type { RecordList } from './record-list.ts'
import { siblingsOf } from './resolve-one-by-one.ts'

/** The ID of the parent, or what stands for it in a statement for several parents. */
export type ParentId = Parameters<ForEach['where']>[0]

interface RecordConnection {
  /** The kind of the listed records. */
  readonly kind: RecordKind
  readonly list: RecordList
  readonly description: string
  /** The condition of the records that belong to a parent. */
  readonly ofParent: (id: ParentId, context: Context) => object
}

type Args = DefaultConnectionArguments & Parameters<RecordList['list']>[0]

/** Adds a field to the type of `parent`, with the same arguments as the list query of the kind. */
export function addRecordConnection(parent: RecordKind, name: string, connection: RecordConnection): void {
  const { kind, list, description } = connection
  const { plural } = kinds[kind]
  // All record types have an ID.
  builder.prismaObjectFields(kinds[parent].type as 'Venue', (t) => ({
    [name]: t.connection(
      {
        type: list.type,
        description,
        extensions: complexity({ slicingArguments: ['first', 'last'] }),
        args: {
          filter: t.arg({ type: list.filter, description: `Selects the ${plural}.` }),
          orderBy: t.arg({ type: list.order, description: 'Sort order of the list.' }),
        },
        resolve: (record, args, context, info) => loaderOf(connection, args, context, info)(record),
      },
      connectionType(kind, list.type),
    ),
  }))
}

interface Parent {
  readonly id: number
}

type ConnectionLoader = (parent: Parent) => Promise<Connection<object>>

/** By field of the document, whose arguments are the same for all parents, and by the writes before it in a mutation. */
const loadersOf = memoizeByObject((_context: Context) => new Map<string, ConnectionLoader>())

function loaderOf(
  connection: RecordConnection,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
): ConnectionLoader {
  const loaders = loadersOf(context)
  const key = `${info.parentType.name} ${info.fieldNodes.map(objectNumber).join()} ${context.writes.all.length}`
  const loader = loaders.get(key) ?? createLoader(connection, args, context, info)
  loaders.set(key, loader)
  return loader
}

function createLoader(
  { kind, list, ofParent }: RecordConnection,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
): ConnectionLoader {
  const query = memoizeOnce(() => list.list(args, context))
  const selection = selectionOf(context, info, nodePaths)
  const load = async (ids: readonly number[]) => {
    const parents = [...new Set(ids)]
    const forEach = { ids: parents, where: (id: ParentId) => ofParent(id, context) }
    const found = await connectionsOf<object>(context, kind, { ...(await query()), selection }, args, info, forEach)
    const byParent = new Map(parents.map((id, index) => [id, found[index]]))
    return ids.map((id) => byParent.get(id) as Connection<object>)
  }
  // Not cached: a later field of a mutation may change the records.
  const batches = new DataLoader(load, { cache: false })
  const ofList = memoizeByObject(async (list: readonly Parent[]) => {
    const ids = list.map(({ id }) => id)
    const connections = await load(ids)
    return new Map(ids.map((id, index) => [id, connections[index]]))
  })
  return async (parent) => {
    const list = siblingsOf(parent)
    if (!list) return batches.load(parent.id)
    return (await ofList(list as readonly Parent[])).get(parent.id) as Connection<object>
  }
}
