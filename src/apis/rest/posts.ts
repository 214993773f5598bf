// The JSON of venues and organizers, and the fields that events share with them.

import { omitEmpty } from '../../basics/omit-empty.ts'
import { fromRecordStatus } from '../../basics/record-status.ts'
import { escapeHtml } from '../../basics/strip-tags.ts'
import type {
  LegacyImageFieldsFragment,
  LegacyOrganizerFieldsFragment,
  LegacyPostFieldsFragment,
  LegacyVenueFieldsFragment,
} from '../../generated/graphql/graphql.ts'
import type { PostKind } from '../../kinds.ts'
import type { RestRequest } from './route.ts'
import { escapeUrl, formatLegacyAuthor, formatLegacyInstant, mapVenueTexts, removeTags } from './text.ts'
import type { LinkBuilder } from './urls.ts'

/** Options of the conversion of a record to JSON. */
export interface SerializeOptions {
  readonly urls: LinkBuilder
  readonly siteTimeZone: string
  readonly categoryTaxonomy: string
  /** Cache key of the JSON: different options have different keys. */
  readonly key: string
}

export const serializeOptionsOf = ({ urls, settings }: RestRequest): SerializeOptions => ({
  urls,
  siteTimeZone: settings.siteTimeZone,
  categoryTaxonomy: settings.restCategoryTaxonomy,
  key: `${urls.key} ${settings.restCategoryTaxonomy}`,
})

/** JSON-LD of a record, which only reads of a single record select. Null while a password protects the record. */
export interface WithJsonLd {
  readonly jsonLd?: unknown
}

type Post = LegacyPostFieldsFragment

export function serializePostDates({ publishedAt, modifiedAt }: Post, siteTimeZone: string) {
  return {
    date: formatLegacyInstant(publishedAt, siteTimeZone),
    date_utc: formatLegacyInstant(publishedAt, 'UTC'),
    modified: formatLegacyInstant(modifiedAt, siteTimeZone),
    modified_utc: formatLegacyInstant(modifiedAt, 'UTC'),
  }
}

export const serializePostIdentity = (post: Post, urls: LinkBuilder) => ({
  global_id: urls.globalId(post.databaseId),
  global_id_lineage: [urls.globalId(post.databaseId)],
  author: formatLegacyAuthor(post.author),
  status: fromRecordStatus(post.status),
})

/** Returns the first fields in the JSON of a venue or organizer. The kind is the key of the name, as in `"venue": "Hall"`. */
const namedPostFields = <Kind extends Exclude<PostKind, 'event'>>(
  kind: Kind,
  post: Post & { readonly name: string },
  { urls, siteTimeZone }: SerializeOptions,
) => ({
  id: post.databaseId,
  ...serializePostIdentity(post, urls),
  ...serializePostDates(post, siteTimeZone),
  url: post.url,
  [kind]: escapeHtml(post.name),
  description: post.descriptionHtml,
  excerpt: post.excerptHtml,
  slug: post.slug,
  image: post.image && serializeImage(post.image),
})

/** Values in place of fields that a password withholds (contract c.15). */
const placeholders = {
  ...{ description: '', excerpt: '', image: false },
  ...mapVenueTexts(() => ''),
  ...{ website: '', stateprovince: '', geo_lat: 0, geo_lng: 0, email: '' },
} as const

const legacyFieldNames: Readonly<Record<string, string | readonly string[]>> = {
  stateProvince: 'stateprovince',
  coordinates: ['geo_lat', 'geo_lng'],
}

/** Returns placeholders for the fields that a password withholds. Fields without a value stay absent. */
function withheldFields({ withheldFields: fields }: { readonly withheldFields: readonly string[] }) {
  const withheld = fields.flatMap((name) => legacyFieldNames[name] ?? name)
  const shown = Object.entries(placeholders).filter(([name]) => withheld.includes(name))
  return Object.fromEntries(shown) as Partial<typeof placeholders>
}

/** Image object (contract c.6). Without smaller versions, `sizes` has the file as `full`, for clients that read only `sizes`. */
export function serializeImage(image: LegacyImageFieldsFragment) {
  const { databaseId, url, mimeType, width, height, fileSize, sizes } = image
  const full = width && height ? [{ name: 'full', url, width, height, mimeType, fileSize }] : []
  const entries = (sizes.length > 0 ? sizes : full).map((size) => [
    size.name,
    omitEmpty({
      width: size.width,
      height: size.height,
      'mime-type': size.mimeType,
      filesize: size.fileSize,
      url: size.url,
    }),
  ])
  return {
    url,
    id: databaseId,
    extension: fileExtension(url, mimeType),
    ...omitEmpty({ width, height, filesize: fileSize }),
    ...(entries.length > 0 ? { sizes: Object.fromEntries(entries) } : {}),
  }
}

function fileExtension(url: string, mimeType: string): string {
  const inPath = /\.([a-z0-9]{2,5})$/i.exec(new URL(url).pathname)?.[1]
  return (inPath ?? mimeType.replace(/^image\/(x-)?/, '').replace(/\+.*/, '')).toLowerCase().replace('jpeg', 'jpg')
}

/** Organizer object (contract c.4). */
export function serializeOrganizer(organizer: LegacyOrganizerFieldsFragment & WithJsonLd, options: SerializeOptions) {
  return {
    ...omitEmpty({
      ...namedPostFields('organizer', organizer, options),
      phone: organizer.phone && removeTags(organizer.phone),
      website: organizer.website && escapeUrl(organizer.website),
      email: organizer.email && removeTags(organizer.email),
      json_ld: organizer.jsonLd ?? null,
    }),
    ...withheldFields(organizer),
  }
}

/** Venue object (contract c.3). */
export function serializeVenue(venue: LegacyVenueFieldsFragment & WithJsonLd, options: SerializeOptions) {
  return {
    ...omitEmpty({
      ...namedPostFields('venue', venue, options),
      ...mapVenueTexts((name) => line(venue[name])),
      website: venue.website && escapeUrl(venue.website),
      stateprovince: line(venue.stateProvince),
      ...geoOf(venue.coordinates),
      json_ld: venue.jsonLd ?? null,
    }),
    ...withheldFields(venue),
    show_map: venue.showMap,
    show_map_link: venue.showMapLink,
  }
}

const geoOf = (at: LegacyVenueFieldsFragment['coordinates']) =>
  at?.latitude && at.longitude ? { geo_lat: at.latitude, geo_lng: at.longitude } : undefined

const line = (text: string | null) => text && removeTags(text)
