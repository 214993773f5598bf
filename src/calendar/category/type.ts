import type { Context } from '../../service/context.ts'
import { builder } from '../../service/graphql/builder.ts'
import { complexity } from '../../service/graphql/limits/complexity.ts'
import { type RecordContext, recordResolver } from '../../service/graphql/record-resolver.ts'
import { addTermFields, recordTypeOptions } from '../fields/common-fields.ts'
import { Term } from '../fields/interfaces.ts'
import { icalendarUrl, pageUrl } from '../rules/page-url.ts'
import { getServedText, selectServedSlug, selectServedText } from '../text/served-text.ts'
import { Translatable } from '../text/translatable.ts'

interface Slugs {
  readonly texts: readonly { readonly slug: string; readonly source: string }[]
}

interface CategoryWithAncestors extends Slugs {
  readonly id: number
  readonly ancestors: readonly { readonly ancestor: { readonly texts: readonly { readonly slug: string }[] } }[]
}

const branchOf = (_args: object, context: Context) => ({
  ...selectServedSlug(context),
  ancestors: {
    orderBy: { depth: 'desc' as const },
    select: { ancestor: { select: selectServedText(context, 'slug') } },
  },
})

function categoryUrl(category: CategoryWithAncestors, context: RecordContext): string {
  const branch = category.ancestors.map(({ ancestor }) => getServedText(ancestor, 'slug'))
  return pageUrl(context, 'category', branch, { id: category.id, source: getServedText(category, 'source') })
}

export const Category = builder.prismaNode('Category', {
  description: 'A category of events. Categories form a tree: each category has at most one parent.',
  ...recordTypeOptions(() => ({})),
  interfaces: [Translatable, Term],
  fields: (t) => ({
    url: t.field({
      type: 'URL',
      description: 'HTML page of the category.',
      select: branchOf,
      resolve: recordResolver(categoryUrl),
    }),
    icalendarUrl: t.field({
      type: 'URL',
      nullable: true,
      description:
        'iCalendar feed of the events in the category and its descendants, to subscribe to; null without a slug.',
      select: branchOf,
      resolve: recordResolver((category: CategoryWithAncestors, context) =>
        icalendarUrl(categoryUrl(category, context), context),
      ),
    }),
    parent: t.relation('parent', {
      nullable: true,
      description: 'The parent category; null for root categories.',
      extensions: complexity({ leadsToParent: true }),
    }),
  }),
})

addTermFields('category', 'Number of published events in this category, without those in its descendants.')
