// Imports every module that defines a part of the GraphQL schema, in order.
import './calendar/image/type.ts'
import './calendar/image/queries.ts'
import './calendar/image/mutations.ts'
import './calendar/event/type.ts'
import './calendar/event/relations.ts'
import './calendar/event/queries.ts'
import './calendar/event/related.ts'
import './calendar/event/calendar.ts'
import './calendar/event/facets/query.ts'
import './calendar/event/json-ld.ts'
import './calendar/event/write.ts'
import './calendar/event/subscription.ts'
import './calendar/venue/type.ts'
import './calendar/venue/queries.ts'
import './calendar/venue/json-ld.ts'
import './calendar/venue/write.ts'
import './calendar/organizer/type.ts'
import './calendar/organizer/queries.ts'
import './calendar/organizer/json-ld.ts'
import './calendar/organizer/write.ts'
import './calendar/category/type.ts'
import './calendar/category/queries.ts'
import './calendar/category/write.ts'
import './calendar/tag/type.ts'
import './calendar/tag/queries.ts'
import './calendar/tag/write.ts'
import './calendar/user/type.ts'
import './calendar/user/queries.ts'
import './calendar/user/mutations.ts'
import './calendar/credential/type.ts'
import './calendar/credential/mutations.ts'
import './calendar/site/nodes.ts'
import './calendar/site/suggestions.ts'
import './calendar/site/site-query.ts'
import './calendar/site/sitemap.ts'
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
