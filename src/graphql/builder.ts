import SchemaBuilder, { type ArgBuilder } from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin, { resolveNodes } from '@pothos/plugin-relay'
import { GraphQLJSON } from 'graphql-scalars'
import type { Context } from '../context.ts'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import { complexity } from './limits/complexity.ts'
import { decodeNodeId, wrongId } from './nodes.ts'
import { dateTime, file, localDateTime, url } from './scalars.ts'

interface Types {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    DateTime: { Input: Date; Output: Date }
    LocalDateTime: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    File: { Input: File; Output: never }
  }
}

/** For types of references, such as `ObjectRef<SchemaTypes, object>`. */
export type SchemaTypes = PothosSchemaTypes.ExtendDefaultTypes<Types>

/** Builder of the fields of an input, for fields that several inputs share. */
export type InputFields = PothosSchemaTypes.InputFieldBuilder<SchemaTypes, 'InputObject'>

/** Builder of the arguments of a field, for arguments that several fields share. */
export type Arguments = ArgBuilder<SchemaTypes>

export const builder = new SchemaBuilder<Types>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.db,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
  relay: {
    decodeGlobalID: decodeNodeId,
    nodesOnConnection: { description: 'Items of this page.' },
    nodeTypeOptions: { description: 'A record that `node` finds.' },
    idFieldOptions: { description: 'Global ID for `node`.' },
    nodeQueryOptions: {
      description: 'A record by its global ID; null if it does not exist or you may not see it.',
      args: { id: { description: 'Global ID of any kind of record.' } },
      resolve: (_root, { id }, _context, info, resolveNode) => {
        const error = wrongId('id', id, info)
        if (error) throw error
        return resolveNode(id)
      },
    },
    nodesQueryOptions: {
      description:
        'Records by their global IDs, in the order of `ids`; null for those that `node` does not find, with an error for those that are no IDs.',
      args: { ids: { description: 'Global IDs of any kinds of records.' } },
      extensions: complexity({ slicingArguments: ['ids'] }),
      resolve: async (_root, { ids }, context, info): Promise<readonly unknown[]> => {
        const errors = ids.map((id) => wrongId('ids', id, info))
        const validIds = ids.map((id, index) => (errors[index] ? null : id))
        const nodes: readonly unknown[] = await resolveNodes(builder, context, info, validIds)
        return nodes.map((node, index) => errors[index] ?? node)
      },
    },
    firstArgOptions: { description: 'How many items from the start, or after `after`.' },
    lastArgOptions: { description: 'How many items from the end, or before `before`.' },
    afterArgOptions: { description: 'Cursor that the items come after.' },
    beforeArgOptions: { description: 'Cursor that the items come before.' },
    pageInfoTypeOptions: { description: 'Where a page of a connection stands.' },
    pageInfoFieldOptions: { description: 'Where this page stands.' },
    hasNextPageFieldOptions: { description: 'Whether items follow.' },
    hasPreviousPageFieldOptions: { description: 'Whether items come before.' },
    startCursorFieldOptions: { description: 'Place of the first item, for `before`.' },
    endCursorFieldOptions: { description: 'Place of the last item, for `after`.' },
    cursorFieldOptions: { description: 'Place of this item in the list.' },
    edgesFieldOptions: { description: 'Items with their cursors.' },
    nodeFieldOptions: { description: 'The record.' },
  },
})

builder.addScalarType('DateTime', dateTime)
builder.addScalarType('JSON', GraphQLJSON)
builder.addScalarType('File', file)
builder.addScalarType('LocalDateTime', localDateTime)
builder.addScalarType('URL', url)
builder.queryType({ description: 'Everything that can be read.' })
builder.mutationType({ description: 'Everything that can be written.' })
