import { builder } from '../../service/graphql/builder.ts'
import { LanguageCode } from '../../service/graphql/language-code.ts'
import { longText } from '../../service/graphql/limits/complexity.ts'
import { paragraphs } from './paragraphs.ts'
import type { OwnText } from './text-rows.ts'

export interface StoredTranslation {
  readonly language: string
  readonly name: string
  /** Long texts are there if they are selected. */
  readonly description?: string
  readonly excerpt?: string
  readonly slug: string
  /** There if it is selected. */
  readonly url?: string | null
  readonly written: readonly string[]
}

const writtenText = (translation: StoredTranslation, field: keyof OwnText) =>
  translation.written.includes(field) ? (translation[field] ?? null) : null

const html = (text: string | null) => (text === null ? null : paragraphs(text))

export const Translation = builder.objectRef<StoredTranslation>('Translation').implement({
  description:
    'Text that was written in one language. A field without a translation is null: another language is served for it.',
  fields: (t) => ({
    language: t.field({ type: LanguageCode, description: 'Language of this text.', resolve: (text) => text.language }),
    name: t.string({
      nullable: true,
      description: 'Title of an event, or name of another record.',
      resolve: (text) => writtenText(text, 'name'),
    }),
    title: t.string({
      nullable: true,
      description: 'The same as `name`, under the name that it has in events.',
      resolve: (text) => writtenText(text, 'name'),
    }),
    url: t.field({
      type: 'URL',
      nullable: true,
      description:
        'HTML page of the record in this language; null if there is none, because the site has no language fallback and the title or name is not translated.',
      resolve: (text) => text.url ?? null,
    }),
    description: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text) => writtenText(text, 'description'),
    }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The description as HTML with paragraphs.',
      extensions: longText,
      resolve: (text) => html(writtenText(text, 'description')),
    }),
    excerpt: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text) => writtenText(text, 'excerpt'),
    }),
    excerptHtml: t.string({
      nullable: true,
      description: 'The excerpt as HTML with paragraphs.',
      extensions: longText,
      resolve: (text) => html(writtenText(text, 'excerpt')),
    }),
    slug: t.string({
      nullable: true,
      description: 'Slug in this language.',
      resolve: (text) => writtenText(text, 'slug'),
    }),
  }),
})
