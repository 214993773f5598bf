// Imports every module that defines a part of the GraphQL schema, in order.
import './content/image/type.ts'
import './content/image/queries.ts'
import './content/image/mutations.ts'
import './content/event/type.ts'
import './content/event/relations.ts'
import './content/event/queries.ts'
import './content/event/related.ts'
import './content/event/calendar.ts'
import './content/event/facets/query.ts'
import './content/event/json-ld.ts'
import './content/event/mutations.ts'
import './content/event/subscription.ts'
import './content/venue/type.ts'
import './content/venue/relations.ts'
import './content/venue/queries.ts'
import './content/venue/json-ld.ts'
import './content/venue/mutations.ts'
import './content/organizer/type.ts'
import './content/organizer/relations.ts'
import './content/organizer/queries.ts'
import './content/organizer/json-ld.ts'
import './content/organizer/mutations.ts'
import './content/category/type.ts'
import './content/category/relations.ts'
import './content/category/queries.ts'
import './content/category/mutations.ts'
import './content/tag/type.ts'
import './content/tag/relations.ts'
import './content/tag/queries.ts'
import './content/tag/mutations.ts'
import './content/user/type.ts'
import './content/user/queries.ts'
import './content/user/mutations.ts'
import './content/credential/type.ts'
import './content/credential/mutations.ts'
import './content/nodes.ts'
import './content/search/suggestions.ts'
import './content/site-query.ts'
import './content/sitemap.ts'
import { assertEnumType, GraphQLSchema } from 'graphql'
import { resolvePreloadedFields } from './engine/execution/preloaded-fields.ts'
import { builder } from './service/graphql/builder.ts'
import { inContextDirective } from './service/graphql/in-context.ts'
import { setLanguageCodes } from './service/graphql/language-code.ts'
import { trackMutations } from './service/graphql/mutation-outcomes.ts'

/** The schema of a site with these languages. The committed schema.graphql has the default languages. */
export const createSchema = (languages: readonly string[]): GraphQLSchema => {
  setLanguageCodes(languages)
  const schema = builder.toSchema()
  const { directives, ...config } = schema.toConfig()
  const inContext = inContextDirective(assertEnumType(schema.getType('LanguageCode')))
  return trackMutations(
    resolvePreloadedFields(new GraphQLSchema({ ...config, directives: [...directives, inContext] })),
  )
}
