import { assertEnumType, GraphQLSchema } from 'graphql'
import { addPreloadedResolvers } from '../../engine/execution/preloaded-fields.ts'
import { builder } from './builder.ts'
import { createInContextDirective } from './in-context.ts'
import { setLanguageCodes } from './language-code.ts'
import { trackMutations } from './mutation-outcomes.ts'

/** Builds the schema of all types and fields that were added to the builder, for a site with these languages. */
export function buildSchema(languages: readonly string[]): GraphQLSchema {
  setLanguageCodes(languages)
  const schema = builder.toSchema()
  const { directives, ...config } = schema.toConfig()
  const inContext = createInContextDirective(assertEnumType(schema.getType('LanguageCode')))
  return trackMutations(addPreloadedResolvers(new GraphQLSchema({ ...config, directives: [...directives, inContext] })))
}
