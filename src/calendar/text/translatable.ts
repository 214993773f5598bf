// What all records with texts in several languages have in common.
import { type Arguments, builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { RecordLanguages } from './served-languages.ts'
import { Translation } from './translation-type.ts'

/** Arguments of the field `translation`; `arg` is `t.arg` of the field builder. */
export const languageArgs = (arg: Arguments) => ({
  language: arg({ type: LanguageCode, required: true, description: 'Language of the text.' }),
})

/** Its fields have resolvers in the types that implement it. */
export const Translatable = builder.interfaceRef<object>('Translatable').implement({
  description:
    'A record with texts in several languages. A normalized cache that holds several languages needs both `id` and `contentLanguage` as its key.',
  fields: (t) => ({
    id: t.id({ description: 'Global ID for `node`, the same in all languages.' }),
    contentLanguage: t.field({ type: LanguageCode, description: 'Language of the operation.' }),
    languages: t.field({ type: RecordLanguages, description: 'Languages in which the texts are served.' }),
    translations: t.field({ type: [Translation], description: 'Text by language, without fallbacks.' }),
    translation: t.field({
      type: Translation,
      nullable: true,
      description: 'Text that was written in one language; null if there is none.',
      args: languageArgs(t.arg),
    }),
  }),
})
