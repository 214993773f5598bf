import type { LegacyCategoryFieldsFragment } from '../../../generated/graphql/graphql.ts'
import type { Presentation } from '../posts.ts'
import { escapeText, plainText } from '../text.ts'

/** Term object of a category, alone or in an event (contract c.5). */
export function serializeCategory(category: LegacyCategoryFieldsFragment, { urls, categoryTaxonomy }: Presentation) {
  const parent = category.parent?.databaseId ?? 0
  return {
    id: category.databaseId,
    name: escapeText(category.name),
    slug: category.slug,
    taxonomy: categoryTaxonomy,
    description: plainText(category.description),
    parent,
    count: category.count,
    meta: [],
    url: category.url,
    urls: {
      self: urls.link(`/categories/${category.databaseId}`),
      collection: urls.link('/categories'),
      ...(parent === 0 ? {} : { up: urls.link(`/categories/${parent}`) }),
    },
  }
}
