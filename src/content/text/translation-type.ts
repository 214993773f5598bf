import { builder } from '../../graphql/builder.ts'
import { LanguageCode } from '../../graphql/language-code.ts'
import { longText } from '../../graphql/limits/complexity.ts'
import { paragraphs } from './paragraphs.ts'
import type { OwnText } from './text-rows.ts'

export interface StoredTranslation {
  readonly language: string
  readonly name: string
  /** Long texts are there if they are selected. */
  readonly description?: string
  readonly excerpt?: string
  readonly slug: string
  readonly written: readonly string[]
}

const writtenText = (translation: StoredTranslation, field: keyof OwnText) =>
  translation.written.includes(field) ? (translation[field] ?? null) : null

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
    description: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text, _args, { texts }) => texts.spend(writtenText(text, 'description')),
    }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'The description as HTML with paragraphs.',
      extensions: longText,
      resolve: (text, _args, { texts }) => {
        texts.check()
        const description = writtenText(text, 'description')
        return description === null ? null : texts.spend(paragraphs(description))
      },
    }),
    excerpt: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text, _args, { texts }) => texts.spend(writtenText(text, 'excerpt')),
    }),
    slug: t.string({
      nullable: true,
      description: 'Slug in this language.',
      resolve: (text) => writtenText(text, 'slug'),
    }),
  }),
})
