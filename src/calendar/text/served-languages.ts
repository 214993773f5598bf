// The languages in which the texts of a record are served.
import { memoize } from '../../basics/memoize.ts'
import { isPost, kinds, type RecordKind, withArticle } from '../../kinds.ts'
import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import type { RecordContext } from '../../service/graphql/record-resolver.ts'

export interface ServedLanguages {
  readonly tag: string
  readonly name: string | null
  readonly description: string | null
  readonly excerpt: string | null
}

/** Returns the language for LanguageCode; null if the language was removed from the site. */
export const toSiteLanguage = (
  source: string | null | undefined,
  { settings }: Pick<RecordContext, 'settings'>,
): string | null => (source != null && settings.languages.includes(source) ? source : null)

export const RecordLanguages = builder.interfaceRef<ServedLanguages>('RecordLanguages').implement({
  description:
    'The language in which each text of a record is returned. Null for an empty text, and for a language that the site no longer has.',
  fields: (t) => ({
    tag: t.exposeString('tag', {
      description: 'BCP 47 tag of the language of the title or name, even if the site no longer has this language.',
    }),
    description: t.expose('description', {
      type: LanguageCode,
      nullable: true,
      description: 'Language of the description; null while the record is locked.',
    }),
  }),
})

/** Returns the type of the field `languages` of a kind: the language of the title or name, the description and the excerpt. */
export const languagesTypeOf = memoize({ name: 'languagesTypes' }, (kind: RecordKind) => {
  const name = kind === 'event' ? 'title' : 'name'
  const whileLocked = isPost(kind) ? '; null while the record is locked' : ''
  return builder.objectRef<ServedLanguages>(`${kinds[kind].type}Languages`).implement({
    description: `The language in which each text of ${withArticle(kind)} is returned. Null for an empty text, and for a language that the site no longer has.`,
    interfaces: [RecordLanguages],
    fields: (t) => {
      const language = (field: 'name' | 'description' | 'excerpt', description: string) =>
        t.expose(field, { type: LanguageCode, nullable: true, description })
      return {
        tag: t.exposeString('tag', {
          description: `BCP 47 tag of the language of the ${name}, even if the site no longer has this language. REST responses send the tag in the header \`Content-Language\`.`,
        }),
        [name]: language('name', `Language of the ${name}.`),
        description: language('description', `Language of the description${whileLocked}.`),
        ...(isPost(kind) && { excerpt: language('excerpt', `Language of the excerpt${whileLocked}.`) }),
      }
    },
  })
})
