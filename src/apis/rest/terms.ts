// Term objects of categories and tags, alone or in an event (contract c.5).
import type { LegacyCategoryFieldsFragment, LegacyTermFieldsFragment } from '../../generated/graphql/graphql.ts'
import type { Presentation } from './posts.ts'
import { escapeText, plainText } from './text.ts'

const serializeTerm = (
  term: LegacyTermFieldsFragment,
  resource: 'categories' | 'tags',
  { urls, categoryTaxonomy }: Presentation,
  parent = 0,
) => ({
  id: term.databaseId,
  name: escapeText(term.name),
  slug: term.slug,
  taxonomy: resource === 'tags' ? 'post_tag' : categoryTaxonomy,
  description: plainText(term.description),
  parent,
  count: term.count,
  meta: [],
  url: term.url,
  urls: {
    self: urls.link(`/${resource}/${term.databaseId}`),
    collection: urls.link(`/${resource}`),
    ...(parent === 0 ? {} : { up: urls.link(`/${resource}/${parent}`) }),
  },
})

export const serializeCategory = (category: LegacyCategoryFieldsFragment, presentation: Presentation) =>
  serializeTerm(category, 'categories', presentation, category.parent?.databaseId)

export const serializeTag = (tag: LegacyTermFieldsFragment, presentation: Presentation) =>
  serializeTerm(tag, 'tags', presentation)
