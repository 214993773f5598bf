// Connection types of records, and connection fields on other types, such as the events of a venue.
import type { InputRef, ObjectRef } from '@pothos/core'
import type { NodeKind } from '../../basics/errors.ts'
import { memoize, memoizeOnce } from '../../basics/memoize.ts'
import { takesInfo } from '../../engine/execution/record-resolvers.ts'
import type { ListsOfParents } from '../../engine/postgres/record-reads.ts'
import { kinds, type RecordKind, withCapitalArticle } from '../../kinds.ts'
import type { Context } from '../../service/context.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { type Connection, totalCount } from '../../service/graphql/pagination.ts'
import { buildSelection } from '../../service/graphql/record-selection.ts'
import { nodeTypeName, pluralNameOf } from '../rules/identify.ts'
import { loadFieldForParent } from './field-loader.ts'
import type { ListQuery } from './list-query.ts'
import { loadConnections, nodePaths } from './pages.ts'
import { searchMatchFieldOptions } from './search-input.ts'

/** How the lists of a kind are filtered and sorted, for the queries and for fields of other records. */
export interface RecordList<Filter = object, Order = object> {
  readonly type: ObjectRef<SchemaTypes, object>
  readonly filter: InputRef<Filter>
  readonly order: InputRef<Order>
  /** `withUnlisted` also selects records that lists leave out: in the trash or hidden from lists. */
  list(
    args: { readonly filter?: Filter | null | undefined; readonly orderBy?: Order | null | undefined },
    context: Context,
    withUnlisted?: boolean,
  ): Promise<Omit<ListQuery, 'selection'>>
}

/** Type-checks a list with its filter and order inputs, and returns it without these type parameters. */
export const defineRecordList = <Filter extends object, Order extends object>(
  list: RecordList<Filter, Order>,
): RecordList => list as unknown as RecordList

/** The connection type of a kind, which all fields share that return a connection of this kind. */
export const getConnectionType = memoize(
  { name: 'connectionTypes' },
  (kind: NodeKind, type: ObjectRef<SchemaTypes, object>) =>
    builder.connectionObject<typeof type, Connection<object>>(
      {
        type,
        name: `${nodeTypeName(kind)}Connection`,
        description: `A list of ${pluralNameOf(kind)} with cursors.`,
        fields: (field) => ({
          totalCount: field.int(totalCount),
          ...(kind === 'event' && { searchMatch: field.field(searchMatchFieldOptions) }),
        }),
      },
      { name: `${nodeTypeName(kind)}Edge`, description: `${withCapitalArticle(kind)} in a list.` },
    ),
)

/** The ID of the parent, or its placeholder in a statement for several parents. */
type ParentId = Parameters<ListsOfParents['where']>[0]

interface RecordConnection {
  readonly kind: RecordKind
  readonly list: RecordList
  readonly description: string
  /** The condition of the records that belong to a parent. */
  readonly ofParent: (id: ParentId, context: Context) => object
  /** Column with the ID of the parent, if its type reads another table. */
  readonly idColumn?: string
  readonly withUnlisted?: boolean
}

export function addConnectionField(
  parent: RecordKind | ObjectRef<SchemaTypes, object>,
  name: string,
  { kind, list, description, ofParent, idColumn = 'id', withUnlisted }: RecordConnection,
): void {
  const { plural } = kinds[kind]
  const hasLongLists = typeof parent === 'string' && kinds[parent].family === 'term'
  // All record types have an ID.
  builder.prismaObjectFields((typeof parent === 'string' ? kinds[parent].type : parent) as 'Venue', (t) => ({
    [name]: t.connection(
      {
        type: list.type,
        description,
        extensions: { ...complexity({ slicingArguments: ['first', 'last'] }), [takesInfo]: true },
        args: {
          filter: t.arg({ type: list.filter, description: `Selects the ${plural}.` }),
          orderBy: t.arg({ type: list.order, description: 'Sort order of the list.' }),
        },
        select: { [idColumn]: true } as { id: true },
        resolve: (record, args, context, info) =>
          loadFieldForParent({ id: (record as Record<string, unknown>)[idColumn] as number }, context, info, () => {
            const query = memoizeOnce(() => list.list(args, context, withUnlisted))
            const selection = buildSelection(context, info, nodePaths)
            const where = (id: ParentId) => ofParent(id, context)
            return async (ids) => {
              const source = { ...(await query()), selection }
              return loadConnections<object>(context, kind, source, args, info, { ids, where, hasLongLists })
            }
          }),
      },
      getConnectionType(kind, list.type),
    ),
  }))
}
