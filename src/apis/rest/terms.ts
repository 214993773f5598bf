// Term objects of categories and tags, alone or in an event (contract c.5).
import { escapeHtml } from '../../basics/strip-tags.ts'
import type { LegacyCategoryFieldsFragment, LegacyTermFieldsFragment } from '../../generated/graphql/graphql.ts'
import type { SerializeOptions } from './posts.ts'
import { removeTags } from './text.ts'

const serializeTerm = (
  term: LegacyTermFieldsFragment,
  resource: 'categories' | 'tags',
  { urls, categoryTaxonomy }: SerializeOptions,
  parent = 0,
) => ({
  id: term.databaseId,
  name: escapeHtml(term.name),
  slug: term.slug,
  taxonomy: resource === 'tags' ? 'post_tag' : categoryTaxonomy,
  description: removeTags(term.description),
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

export const serializeCategory = (category: LegacyCategoryFieldsFragment, options: SerializeOptions) =>
  serializeTerm(category, 'categories', options, category.parent?.databaseId)

export const serializeTag = (tag: LegacyTermFieldsFragment, options: SerializeOptions) =>
  serializeTerm(tag, 'tags', options)
