import type { LegacyCategoryFieldsFragment } from '../../generated/graphql/graphql.ts'
import { escapeText, plainText } from '../text.ts'
import type { Urls } from '../urls.ts'

/** Term object of a category, alone or in an event (contract c.5). */
export function serializeCategory(category: LegacyCategoryFieldsFragment, urls: Urls) {
  const parent = category.parent?.databaseId ?? 0
  return {
    id: category.databaseId,
    name: escapeText(category.name),
    slug: category.slug,
    taxonomy: 'cal_events_cat',
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
