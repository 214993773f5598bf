import SchemaBuilder, { type ArgBuilder } from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import { GraphQLJSON } from 'graphql-scalars'
import type { ParsedDate } from '../../basics/dates/natural-date.ts'
import type PrismaTypes from '../../generated/pothos.ts'
import { getDatamodel } from '../../generated/pothos.ts'
import type { PrismaClient } from '../../generated/prisma/client.ts'
import type { Context } from '../context.ts'
import { pageSizeDescription } from './page-size.ts'
import {
  dateTimeScalar,
  dayExpressionScalar,
  fileScalar,
  localDateScalar,
  localDateTimeScalar,
  urlScalar,
} from './scalars.ts'

interface Types {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    DateTime: { Input: Date; Output: Date }
    LocalDate: { Input: string; Output: string }
    LocalDateTime: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
    File: { Input: File; Output: never }
    DayExpression: { Input: ParsedDate; Output: never }
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
    // The Prisma plugin only uses the models of the client, which `reads` has, too.
    client: (context) => context.reads as unknown as PrismaClient,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
  relay: {
    nodesOnConnection: { description: 'Items of this page.' },
    nodeTypeOptions: { description: 'A record that the query `node` can return.' },
    idFieldOptions: { description: 'Global ID for `node`.' },
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    firstArgOptions: {
      description: `Number of items from the start, or after the cursor \`after\`. ${pageSizeDescription}`,
    },
    lastArgOptions: {
      description: `Number of items from the end, or before the cursor \`before\`. ${pageSizeDescription}`,
    },
    afterArgOptions: { description: 'Return items after this cursor.' },
    beforeArgOptions: { description: 'Return items before this cursor.' },
    pageInfoTypeOptions: { description: 'Position of a page in a connection.' },
    pageInfoFieldOptions: { description: 'Position of this page in the list.' },
    hasNextPageFieldOptions: { description: 'Whether there are more items after this page.' },
    hasPreviousPageFieldOptions: { description: 'Whether there are more items before this page.' },
    startCursorFieldOptions: { description: 'Cursor of the first item, for `before`.' },
    endCursorFieldOptions: { description: 'Cursor of the last item, for `after`.' },
    cursorFieldOptions: { description: 'Cursor of this item.' },
    edgesFieldOptions: { description: 'Items with their cursors.' },
    nodeFieldOptions: { description: 'The record.' },
  },
})

builder.addScalarType('DateTime', dateTimeScalar)
builder.addScalarType('JSON', GraphQLJSON)
builder.addScalarType('File', fileScalar)
builder.addScalarType('DayExpression', dayExpressionScalar)
builder.addScalarType('LocalDate', localDateScalar)
builder.addScalarType('LocalDateTime', localDateTimeScalar)
builder.addScalarType('URL', urlScalar)
builder.queryType({ description: 'Everything that can be read.' })
builder.mutationType({ description: 'Everything that can be written.' })
builder.subscriptionType({ description: 'Everything that can be observed. Each subscription is a stream of events.' })

/** The Pothos option `id` of types that implement Node. */
export const nodeIdOptions = { field: 'id', description: 'Global ID for `node`.' } as const
