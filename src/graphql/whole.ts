// Records that were read whole answer for themselves: what Pothos does to find out whether a field was loaded, and to load
// it if not, is for the others. It would leave out what another plugin wraps around resolvers: there is none.
import { type GraphQLField, type GraphQLFieldResolver, type GraphQLSchema, isObjectType } from 'graphql'
import type { Context } from '../context.ts'
import { Whole } from '../db/selection.ts'

export type OwnResolver = (source: Whole, args: object, context: Context) => unknown

/** What resolves a field that says what it selects of a record; undefined for any other. */
export function ownResolver({ name, extensions }: GraphQLField<unknown, unknown>): OwnResolver | undefined {
  const { pothosPrismaSelect, pothosOriginalResolve, pothosExposedField } = extensions
  if (pothosPrismaSelect === undefined) return undefined
  if (pothosExposedField === name) return (record) => record[name]
  return pothosOriginalResolve as OwnResolver | undefined
}

/** The schema, with fields that resolve so whoever runs an operation. */
export function resolveWhole(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || type.extensions.pothosPrismaModel === undefined) continue
    for (const field of Object.values(type.getFields())) {
      const own = ownResolver(field)
      const loading: GraphQLFieldResolver<unknown, Context> | undefined = field.resolve
      if (!own || !loading) continue
      field.resolve = (parent, args, context, info) =>
        parent instanceof Whole ? own(parent, args, context) : loading(parent, args, context, info)
    }
  }
  return schema
}
