import SchemaBuilder from '@pothos/core'
import PrismaPlugin from '@pothos/plugin-prisma'
import RelayPlugin from '@pothos/plugin-relay'
import { GraphQLDateTime, GraphQLJSON } from 'graphql-scalars'
import type { Context } from '../context.ts'
import type PrismaTypes from '../generated/pothos.ts'
import { getDatamodel } from '../generated/pothos.ts'
import { localDateTime, url } from './scalars.ts'

interface SchemaTypes {
  Context: Context
  PrismaTypes: PrismaTypes
  DefaultFieldNullability: false
  Scalars: {
    DateTime: { Input: Date; Output: Date }
    LocalDateTime: { Input: string; Output: string }
    URL: { Input: string; Output: string }
    JSON: { Input: unknown; Output: unknown }
  }
}

export const builder = new SchemaBuilder<SchemaTypes>({
  plugins: [RelayPlugin, PrismaPlugin],
  defaultFieldNullability: false,
  prisma: {
    client: (context) => context.db,
    dmmf: getDatamodel(),
    onUnusedQuery: 'error',
  },
  relay: {
    nodesOnConnection: true,
    nodeQueryOptions: { description: 'A record by its opaque ID; null when there is none that the caller may see.' },
    nodesQueryOptions: { description: 'Records by their opaque IDs, in the order given.' },
    pageInfoTypeOptions: { description: 'Where a page of a connection stands.' },
    cursorFieldOptions: { description: 'Place of this item in the list.' },
    edgesFieldOptions: { description: 'Items with their cursors.' },
    nodesFieldOptions: { description: 'Items of this page.' },
    nodeFieldOptions: { description: 'The record.' },
  },
})

builder.addScalarType('DateTime', GraphQLDateTime)
builder.addScalarType('JSON', GraphQLJSON)
builder.addScalarType('LocalDateTime', localDateTime)
builder.addScalarType('URL', url)
builder.queryType({ description: 'Everything that can be read.' })
