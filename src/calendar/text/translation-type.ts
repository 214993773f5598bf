import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { longTextComplexity } from '../../service/graphql/limits/complexity.ts'
import { textToHtmlParagraphs } from './paragraphs.ts'
import type { OwnText } from './text-rows.ts'

export interface StoredTranslation {
  readonly language: string
  readonly name: string
  /** Description; like the excerpt, only set if the operation selects the field. */
  readonly description?: string
  readonly excerpt?: string
  readonly slug: string
  /** URL of the page; only set if the operation selects the field. */
  readonly url?: string | null
  readonly written: readonly string[]
}

/** Options of a field that is null unless the text was written in this language. */
const written = (field: keyof OwnText, description: string, show = (text: string) => text) => ({
  nullable: true as const,
  description,
  resolve: (row: StoredTranslation) => {
    const text = row.written.includes(field) ? row[field] : undefined
    return text === undefined ? null : show(text)
  },
})

const long = (...options: Parameters<typeof written>) => ({ ...written(...options), extensions: longTextComplexity })

export const Translation = builder.objectRef<StoredTranslation>('Translation').implement({
  description:
    'Texts of a record that were written in one language. A field that was not written in this language is null; the record itself returns the text in another language.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, description: 'Language of this text.', resolve: (text) => text.language }),
    name: t.string(written('name', 'Title of an event, or name of another record.')),
    title: t.string(written('name', 'The same text as `name`, under the field name that events use.')),
    url: t.field({
      type: 'URL',
      nullable: true,
      description:
        'HTML page of the record in this language; null if there is no page, because the site has no language fallback and the title or name is not translated.',
      resolve: (text) => text.url ?? null,
    }),
    description: t.string(long('description', 'As stored.')),
    descriptionHtml: t.string(
      long('description', 'The description as HTML: line breaks become `<p>` and `<br>`.', textToHtmlParagraphs),
    ),
    excerpt: t.string(long('excerpt', 'As stored.')),
    excerptHtml: t.string(
      long('excerpt', 'The excerpt as HTML: line breaks become `<p>` and `<br>`.', textToHtmlParagraphs),
    ),
    slug: t.string(written('slug', 'Slug in this language.')),
  }),
})
