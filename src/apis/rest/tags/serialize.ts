import type { LegacyTermFieldsFragment } from '../../../generated/graphql/graphql.ts'
import type { Presentation } from '../posts.ts'
import { escapeText, plainText } from '../text.ts'

/** Term object of a tag, alone or in an event (contract c.5). */
export function serializeTag(tag: LegacyTermFieldsFragment, { urls }: Presentation) {
  return {
    id: tag.databaseId,
    name: escapeText(tag.name),
    slug: tag.slug,
    taxonomy: 'post_tag',
    description: plainText(tag.description),
    parent: 0,
    count: tag.count,
    meta: [],
    url: tag.url,
    urls: { self: urls.link(`/tags/${tag.databaseId}`), collection: urls.link('/tags') },
  }
}
