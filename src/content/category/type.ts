import { builder } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { databaseIdOfTerm, termFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { countField } from '../list/term-counts.ts'
import { pageUrl } from '../page-url.ts'
import { served, servedSlug, textOf } from '../text/served-text.ts'

interface Slugs {
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

interface Branch extends Slugs {
  readonly id: number
  readonly ancestors: readonly { readonly ancestor: { readonly texts: readonly { readonly slug: string }[] } }[]
}

export const Category = builder.prismaNode('Category', {
  description: 'A kind of event; categories form a tree.',
  id: { field: 'id', description: 'Opaque ID, for `node`.' },
  nullable: true,
  select: { id: true },
  findUnique: (id) => nodeWhere(id, {}),
  fields: (t) => ({
    databaseId: t.exposeInt('id', databaseIdOfTerm),
    language: t.string(termFields.language),
    translations: t.field(termFields.translations('category')),
    name: t.string({ ...termFields.name, description: 'Plain text, never empty.' }),
    description: t.string(termFields.description),
    slug: t.string(termFields.slug),
    url: t.field({
      type: 'URL',
      description: 'Page of the category for people.',
      select: (_args, context) => ({
        ...servedSlug(context),
        ancestors: { orderBy: { depth: 'desc' }, select: { ancestor: { select: served(context, 'slug') } } },
      }),
      resolve: fromRecord((category: Branch, context) => {
        const branch = category.ancestors.map(({ ancestor }) => textOf(ancestor, 'slug'))
        return pageUrl(context, ['events', 'category', ...branch], {
          id: category.id,
          source: textOf(category, 'source'),
        })
      }),
    }),
    count: t.int({
      description: 'Published events in this category itself.',
      ...countField,
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'The category that this one is part of.',
      extensions: complexity({ leadsToParent: true }),
    }),
    children: t.relation('children', {
      description: 'Categories that are part of this one.',
      extensions: complexity({ assumedSize: 20 }),
      query: { orderBy: { id: 'asc' } },
    }),
  }),
})
