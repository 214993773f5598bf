// What all records with texts in several languages have in common.
import { type Arguments, builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { RecordLanguages } from './served-languages.ts'
import { Translation } from './translation-type.ts'

/** Arguments of the field `translation`; `arg` is `t.arg` of the field builder. */
export const languageArgs = (arg: Arguments) => ({
  language: arg({ type: LanguageCode, required: true, description: 'Language of the text.' }),
})

/** The types that implement this interface have the resolvers of its fields. */
export const Translatable = builder.interfaceRef<object>('Translatable').implement({
  description:
    'A record with texts in several languages. A normalized client cache with records in several languages needs both `id` and `contentLanguage` as its key.',
  fields: (t) => ({
    id: t.id({ description: 'Global ID for `node`, the same in all languages.' }),
    contentLanguage: t.field({ type: LanguageCode, description: 'Language of the operation.' }),
    languages: t.field({ type: RecordLanguages, description: 'Language of each text of the record.' }),
    translations: t.field({ type: [Translation], description: 'The texts that clients wrote, by language.' }),
    translation: t.field({
      type: Translation,
      nullable: true,
      description: 'The texts that clients wrote in this language; null if there are no such texts.',
      args: languageArgs(t.arg),
    }),
  }),
})
