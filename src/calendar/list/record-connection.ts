// Adds connections to the types of records, such as the events of a venue. One batch loads the connections of all parents.
import type { DefaultConnectionArguments } from '@pothos/plugin-relay'
import type { GraphQLResolveInfo } from 'graphql'
import { memoizeOnce } from '../../basics/memoize.ts'
import type { ForEach } from '../../engine/postgres/record-reads.ts'
import { kinds, type RecordKind } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import type { Connection } from '../../service/graphql/pagination.ts'
import { selectionOf } from '../../service/graphql/record-selection.ts'
import { connectionType } from './connection-type.ts'
import { connectionsOf, nodePaths } from './pages.ts'
import { loadForParent } from './parent-loader.ts'
import type { RecordList } from './record-list.ts'

/** The ID of the parent, or what stands for it in a statement for several parents. */
type ParentId = Parameters<ForEach['where']>[0]

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
        resolve: (record, args, context, info) =>
          loadForParent(record, context, info, () => connectionLoader(parent, connection, args, context, info)),
      },
      connectionType(kind, list.type),
    ),
  }))
}

function connectionLoader(
  parent: RecordKind,
  { kind, list, ofParent }: RecordConnection,
  args: Args,
  context: Context,
  info: GraphQLResolveInfo,
): (ids: readonly number[]) => Promise<Connection<object>[]> {
  const query = memoizeOnce(() => list.list(args, context))
  const selection = selectionOf(context, info, nodePaths)
  return async (ids) => {
    const where = (id: ParentId) => ofParent(id, context)
    const parents = { ids, where, hasLongLists: kinds[parent].family === 'term' }
    return connectionsOf<object>(context, kind, { ...(await query()), selection }, args, info, { parents })
  }
}
