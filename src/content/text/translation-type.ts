import { builder } from '../../graphql/builder.ts'
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

const own = (translation: StoredTranslation, field: keyof OwnText) =>
  translation.written.includes(field) ? (translation[field] ?? null) : null

export const Translation = builder.objectRef<StoredTranslation>('Translation').implement({
  description:
    'What was written in one language. A field that was never written in it is null: it is served in another.',
  fields: (t) => ({
    language: t.string({ description: 'BCP 47 tag.', resolve: (text) => text.language }),
    name: t.string({
      nullable: true,
      description: 'Title of an event, name of any other record.',
      resolve: (text) => own(text, 'name'),
    }),
    description: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text, _args, { texts }) => texts.spend(own(text, 'description')),
    }),
    descriptionHtml: t.string({
      nullable: true,
      description: 'With paragraphs as HTML.',
      extensions: longText,
      resolve: (text, _args, { texts }) => {
        texts.check()
        const description = own(text, 'description')
        return description === null ? null : texts.spend(paragraphs(description))
      },
    }),
    excerpt: t.string({
      nullable: true,
      description: 'As stored.',
      extensions: longText,
      resolve: (text, _args, { texts }) => texts.spend(own(text, 'excerpt')),
    }),
    slug: t.string({ nullable: true, description: 'Slug in this language.', resolve: (text) => own(text, 'slug') }),
  }),
})
