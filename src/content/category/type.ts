import { builder } from '../../graphql/builder.ts'
import { complexity } from '../../graphql/limits/complexity.ts'
import { fromRecord } from '../../graphql/record-resolver.ts'
import { addTermFields, recordType } from '../common-fields.ts'
import { pageUrl } from '../page-url.ts'
import { servedColumn, servedSlug, textOf } from '../text/served-text.ts'
import { Translatable } from '../text/translatable.ts'

interface Slugs {
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

interface CategoryWithAncestors extends Slugs {
  readonly id: number
  readonly ancestors: readonly { readonly ancestor: { readonly texts: readonly { readonly slug: string }[] } }[]
}

export const Category = builder.prismaNode('Category', {
  description: 'A category of events. Categories form a tree.',
  ...recordType(() => ({})),
  interfaces: [Translatable],
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      description: 'HTML page of the category.',
      select: (_args, context) => ({
        ...servedSlug(context),
        ancestors: { orderBy: { depth: 'desc' }, select: { ancestor: { select: servedColumn(context, 'slug') } } },
      }),
      resolve: fromRecord((category: CategoryWithAncestors, context) => {
        const branch = category.ancestors.map(({ ancestor }) => textOf(ancestor, 'slug'))
        return pageUrl(context, 'category', branch, { id: category.id, source: textOf(category, 'source') })
      }),
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'The parent category; null for root categories.',
      extensions: complexity({ leadsToParent: true }),
    }),
  }),
})

addTermFields('category', 'Number of published events in this category, without those in its descendants.')
