// Fields that events, venues and organizers share in the legacy JSON.

import { fromRecordStatus } from '../../basics/record-status.ts'
import type { LegacyImageFieldsFragment, RecordStatus } from '../../generated/graphql/graphql.ts'
import type { PostKind } from '../../kinds.ts'
import { serializeImage } from './images.ts'
import type { RestRequest } from './route.ts'
import { escapeText, legacyAuthor, legacyInstant } from './text.ts'
import type { Urls } from './urls.ts'

/** Options of the serializers. */
export interface Presentation {
  readonly urls: Urls
  readonly siteTimeZone: string
  readonly categoryTaxonomy: string
  /** Cache key: differs for different options. */
  readonly key: string
}

export const presentation = ({ urls, settings }: RestRequest): Presentation => ({
  urls,
  siteTimeZone: settings.siteTimeZone,
  categoryTaxonomy: settings.restCategoryTaxonomy,
  key: `${urls.key} ${settings.restCategoryTaxonomy}`,
})

/** Only the operations that read a single record select it. Null while the record is locked. */
export interface WithJsonLd {
  readonly jsonLd?: unknown
}

interface Post {
  readonly databaseId: number
  readonly author: { databaseId: number } | null
  readonly status: RecordStatus
  readonly publishedAt: Date
  readonly modifiedAt: Date
  readonly url: string
}

interface NamedPost extends Post {
  readonly name: string
  readonly descriptionHtml: string | null
  readonly excerptHtml: string | null
  readonly slug: string
  readonly image: LegacyImageFieldsFragment | null
}

export function postDates({ publishedAt, modifiedAt }: Post, siteTimeZone: string) {
  return {
    date: legacyInstant(publishedAt, siteTimeZone),
    date_utc: legacyInstant(publishedAt, 'UTC'),
    modified: legacyInstant(modifiedAt, siteTimeZone),
    modified_utc: legacyInstant(modifiedAt, 'UTC'),
  }
}

export const postIdentity = (post: Post, urls: Urls) => ({
  global_id: urls.globalId(post.databaseId),
  global_id_lineage: [urls.globalId(post.databaseId)],
  author: legacyAuthor(post.author),
  status: fromRecordStatus(post.status),
})

/** The fields of a venue or organizer that start its JSON. The name has the kind as its key. */
export const namedPostFields = <Kind extends Exclude<PostKind, 'event'>>(
  kind: Kind,
  post: NamedPost,
  { urls, siteTimeZone }: Presentation,
) => ({
  id: post.databaseId,
  ...postIdentity(post, urls),
  ...postDates(post, siteTimeZone),
  url: post.url,
  [kind]: escapeText(post.name),
  description: post.descriptionHtml,
  excerpt: post.excerptHtml,
  slug: post.slug,
  image: post.image && serializeImage(post.image),
})

/** What a locked venue or organizer shows instead of its values (contract c.15). */
export const withheldPostFields = { description: '', excerpt: '', image: false } as const

/** The placeholders of the withheld fields. Fields without a value are not withheld, and stay absent. */
export const emptyWithheldFields = <Fields extends object>(
  withheld: readonly string[],
  placeholders: Fields,
): Partial<Fields> =>
  Object.fromEntries(Object.entries(placeholders).filter(([name]) => withheld.includes(name))) as Partial<Fields>
