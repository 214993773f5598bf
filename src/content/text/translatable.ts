// What all records with texts in several languages have in common.
import { builder } from '../../graphql/builder.ts'
import { LanguageCode } from '../../graphql/language-code.ts'
import { Translation } from './translation-type.ts'

/** Its fields have resolvers in the types that implement it. */
export const Translatable = builder.interfaceRef<object>('Translatable').implement({
  description:
    'A record with texts in several languages. A normalized cache that holds several languages needs both `id` and `contentLanguage` as its key.',
  fields: (t) => ({
    id: t.id({ description: 'Global ID for `node`, the same in all languages.' }),
    contentLanguage: t.field({ type: LanguageCode, description: 'Language of the operation.' }),
    translations: t.field({ type: [Translation], description: 'Text by language, without fallbacks.' }),
  }),
})
