// Resolves fields of preloaded records without the resolvers of Pothos, which check for each field whether its data is loaded.
// Only this file uses the private keys of Pothos in `extensions`.
import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql'
import { PreloadedRecord } from '../postgres/preloaded-record.ts'
import { isRecordResolver, readsRecord, takesInfo } from './record-resolvers.ts'
import type { PreloadedResolver } from './types.ts'

interface PothosExtensions {
  readonly pothosPrismaSelect?: unknown
  readonly pothosOriginalResolve?: unknown
  readonly pothosExposedField?: string
  readonly pothosPrismaRelationField?: unknown
}

type InfoResolver = PreloadedResolver<[info: GraphQLResolveInfo]>

/** Returns a resolver for preloaded records; undefined if the field declares no selection, or its resolver uses `info`. */
export function findPreloadedResolver(field: GraphQLField<unknown, unknown>): PreloadedResolver | undefined {
  return takesInfo in field.extensions ? undefined : (infoResolver(field) as PreloadedResolver | undefined)
}

function infoResolver({ extensions }: GraphQLField<unknown, unknown>): InfoResolver | undefined {
  const { pothosPrismaSelect, pothosOriginalResolve, pothosExposedField } = extensions as PothosExtensions
  if (pothosPrismaSelect === undefined) return undefined
  if (pothosExposedField !== undefined) return (record) => record[pothosExposedField]
  return pothosOriginalResolve as InfoResolver | undefined
}

/** Whether the value of a field depends only on its record and on the ResolverReader of the context. */
export function isCacheable(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
  if (field === TypeNameMetaFieldDef) return true
  const extensions = field.extensions as PothosExtensions
  // The resolvers that Pothos creates itself only read one property of the record.
  if (extensions.pothosExposedField !== undefined || extensions.pothosPrismaRelationField) return true
  if (field.name === 'id' && type.getInterfaces().some(({ name }) => name === 'Node')) return true
  return readsRecord in field.extensions || isRecordResolver(extensions.pothosOriginalResolve)
}

export const isRecordType = (type: GraphQLNamedType): boolean => type.extensions.pothosPrismaModel !== undefined

/** Changes the resolvers of the schema, so that graphql-js also resolves preloaded records without Pothos. */
export function addPreloadedResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || !isRecordType(type)) continue
    for (const field of Object.values(type.getFields())) {
      const preloaded = infoResolver(field)
      const { resolve: loading } = field
      if (!preloaded || !loading) continue
      field.resolve = (parent, args, context, info) =>
        parent instanceof PreloadedRecord
          ? preloaded(parent, args, context, info)
          : loading(parent, args, context, info)
    }
  }
  return schema
}
