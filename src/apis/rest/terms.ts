// Term objects of categories and tags, alone or in an event (contract c.5).
import type { LegacyCategoryFieldsFragment, LegacyTermFieldsFragment } from '../../generated/graphql/graphql.ts'
import type { JsonOptions } from './posts.ts'
import { escapeHtml, withoutTags } from './text.ts'

const serializeTerm = (
  term: LegacyTermFieldsFragment,
  resource: 'categories' | 'tags',
  { urls, categoryTaxonomy }: JsonOptions,
  parent = 0,
) => ({
  id: term.databaseId,
  name: escapeHtml(term.name),
  slug: term.slug,
  taxonomy: resource === 'tags' ? 'post_tag' : categoryTaxonomy,
  description: withoutTags(term.description),
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

export const serializeCategory = (category: LegacyCategoryFieldsFragment, presentation: JsonOptions) =>
  serializeTerm(category, 'categories', presentation, category.parent?.databaseId)

export const serializeTag = (tag: LegacyTermFieldsFragment, presentation: JsonOptions) =>
  serializeTerm(tag, 'tags', presentation)
