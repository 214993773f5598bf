// The languages that the texts of a record are served in.
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

/** A source of text as a value of LanguageCode, which has no languages that were removed from the site. */
export const siteLanguage = (
  source: string | null | undefined,
  { settings }: Pick<RecordContext, 'settings'>,
): string | null => (source != null && settings.languages.includes(source) ? source : null)

export const RecordLanguages = builder.interfaceRef<ServedLanguages>('RecordLanguages').implement({
  description:
    'The languages in which the texts of a record are served. Null for a field without text, and for a language that the site no longer has.',
  fields: (t) => ({
    tag: t.exposeString('tag', {
      description: 'BCP 47 tag of the language of the title or name, also of one that the site no longer has.',
    }),
    description: t.expose('description', {
      type: LanguageCode,
      nullable: true,
      description: 'Language of the description; null while the record is locked.',
    }),
  }),
})

/** The type of the field `languages` of a kind: with the title or name, the description, and the excerpt of posts. */
export function languagesType(kind: RecordKind) {
  const name = kind === 'event' ? 'title' : 'name'
  const whileLocked = isPost(kind) ? '; null while the record is locked' : ''
  return builder.objectRef<ServedLanguages>(`${kinds[kind].type}Languages`).implement({
    description: `The language in which each text of ${withArticle(kind)} is served. Null for a field without text, and for a language that the site no longer has.`,
    interfaces: [RecordLanguages],
    fields: (t) => {
      const language = (field: 'name' | 'description' | 'excerpt', description: string) =>
        t.expose(field, { type: LanguageCode, nullable: true, description })
      return {
        tag: t.exposeString('tag', {
          description: `BCP 47 tag of the language of the ${name}, also of one that the site no longer has. The header \`Content-Language\` of REST.`,
        }),
        [name]: language('name', `Language of the ${name}.`),
        description: language('description', `Language of the description${whileLocked}.`),
        ...(isPost(kind) && { excerpt: language('excerpt', `Language of the excerpt${whileLocked}.`) }),
      }
    },
  })
}
