// Term objects of categories and tags, alone or in an event (contract c.5).
import type { LegacyCategoryFieldsFragment, LegacyTermFieldsFragment } from '../../generated/graphql/graphql.ts'
import type { Presentation } from './posts.ts'
import { escapeText, plainText } from './text.ts'

interface Place {
  readonly resource: 'categories' | 'tags'
  readonly taxonomy: string
  readonly parent: number
}

const serializeTerm = (
  term: LegacyTermFieldsFragment,
  { resource, taxonomy, parent }: Place,
  { urls }: Presentation,
) => ({
  id: term.databaseId,
  name: escapeText(term.name),
  slug: term.slug,
  taxonomy,
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

export const serializeCategory = (category: LegacyCategoryFieldsFragment, presentation: Presentation) => {
  const parent = category.parent?.databaseId ?? 0
  return serializeTerm(
    category,
    { resource: 'categories', taxonomy: presentation.categoryTaxonomy, parent },
    presentation,
  )
}

export const serializeTag = (tag: LegacyTermFieldsFragment, presentation: Presentation) =>
  serializeTerm(tag, { resource: 'tags', taxonomy: 'post_tag', parent: 0 }, presentation)
