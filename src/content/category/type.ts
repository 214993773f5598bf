import { builder } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { databaseIdOfTerm, termFields } from '../fields.ts'
import { nodeWhere } from '../identify.ts'
import { countField } from '../list/term-counts.ts'
import { pageUrl } from '../page-url.ts'
import { servedColumn, servedSlug, textOf } from '../text/served-text.ts'

interface Slugs {
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

interface CategoryWithAncestors extends Slugs {
  readonly id: number
  readonly ancestors: readonly { readonly ancestor: { readonly texts: readonly { readonly slug: string }[] } }[]
}

export const Category = builder.prismaNode('Category', {
  description: 'A category of events. Categories form a tree.',
  id: { field: 'id', description: 'Global ID for `node`.' },
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
      description: 'HTML page of the category.',
      select: (_args, context) => ({
        ...servedSlug(context),
        ancestors: { orderBy: { depth: 'desc' }, select: { ancestor: { select: servedColumn(context, 'slug') } } },
      }),
      resolve: fromRecord((category: CategoryWithAncestors, context) => {
        const branch = category.ancestors.map(({ ancestor }) => textOf(ancestor, 'slug'))
        return pageUrl(context, ['events', 'category', ...branch], {
          id: category.id,
          source: textOf(category, 'source'),
        })
      }),
    }),
    count: t.int({
      description: 'Number of published events in this category, without those in its descendants.',
      ...countField,
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'The parent category; null for root categories.',
      extensions: complexity({ leadsToParent: true }),
    }),
    children: t.relation('children', {
      description: 'Direct child categories.',
      extensions: complexity({ assumedSize: 20 }),
      query: { orderBy: { id: 'asc' } },
    }),
  }),
})
