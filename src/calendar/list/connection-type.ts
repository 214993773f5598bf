import type { ObjectRef } from '@pothos/core'
import { memoize } from '../../basics/memoize.ts'
import { kinds, type RecordKind, withCapitalArticle } from '../../kinds.ts'
import { builder, type SchemaTypes } from '../../service/graphql/builder.ts'
import { type Connection, totalCount } from '../../service/graphql/pagination.ts'
import { searchMatch } from './search-input.ts'

/** The connection type of a kind, which all fields share that return a connection of this kind. */
export const connectionType = memoize(
  { name: 'connectionTypes' },
  (kind: RecordKind, type: ObjectRef<SchemaTypes, object>) => {
    const { type: typeName, plural } = kinds[kind]
    return builder.connectionObject<typeof type, Connection<object>>(
      {
        type,
        name: `${typeName}Connection`,
        description: `A list of ${plural} with cursors.`,
        fields: (field) => ({
          totalCount: field.int(totalCount),
          ...(kind === 'event' && { searchMatch: field.field(searchMatch) }),
        }),
      },
      { name: `${typeName}Edge`, description: `${withCapitalArticle(kind)} in a list.` },
    )
  },
)
