import { escapeHtml } from '../../../basics/strip-tags.ts'
import type { LegacyEventFieldsFragment } from '../../../generated/graphql/graphql.ts'
import {
  type SerializeOptions,
  serializeImage,
  serializeOrganizer,
  serializePostDates,
  serializePostIdentity,
  serializeVenue,
  type WithJsonLd,
} from '../posts.ts'
import { serializeCategory, serializeTag } from '../terms.ts'
import { escapeUrl, formatLegacyDate, formatLegacyInstant, removeTags, toDateParts } from '../text.ts'

/** Event object (contract c.2). Locked events show the fields of contract c.15. */
export function serializeEvent(event: LegacyEventFieldsFragment & WithJsonLd, options: SerializeOptions) {
  const { urls, siteTimeZone } = options
  return {
    id: event.databaseId,
    ...serializePostIdentity(event, urls),
    ...serializePostDates(event, siteTimeZone),
    url: event.url,
    rest_url: urls.link(`/events/${event.databaseId}`),
    title: escapeHtml(event.title),
    description: event.descriptionHtml ?? '',
    excerpt: event.excerptHtml ?? '',
    slug: event.slug,
    image: event.image ? serializeImage(event.image) : false,
    all_day: event.allDay,
    ...dates('', formatLegacyDate(event.startsLocal), formatLegacyDate(event.endsLocal)),
    ...dates('utc_', formatLegacyInstant(event.startsAt, 'UTC'), formatLegacyInstant(event.endsAt, 'UTC')),
    timezone: event.timeZone,
    timezone_abbr: event.timeZoneAbbreviation,
    cost: removeTags(event.cost?.text ?? ''),
    cost_details: {
      currency_symbol: event.cost?.currencySymbol ?? '',
      currency_code: '',
      currency_position: event.cost?.currencyPosition?.toLowerCase() ?? '',
      values: event.cost?.values.map(removeTags) ?? [],
    },
    website: websiteOf(event),
    show_map: event.showMap,
    show_map_link: event.showMapLink,
    hide_from_listings: event.hideFromListings,
    sticky: event.sticky,
    featured: event.featured,
    categories: event.categories.map((category) => serializeCategory(category, options)),
    tags: event.tags.map((tag) => serializeTag(tag, options)),
    venue: oneOrMany(event.venues.map((venue) => serializeVenue(venue, options))),
    organizer: event.organizers.map((organizer) => serializeOrganizer(organizer, options)),
    custom_fields: customFields(event),
    ...virtualFields(event),
    ...(event.jsonLd ? { json_ld: event.jsonLd } : {}),
    ...(event.series ? { series: seriesDate(event, event.series, urls) } : {}),
  }
}

function dates<Prefix extends string>(prefix: Prefix, start: string, end: string) {
  return {
    [`${prefix}start_date`]: start,
    [`${prefix}start_date_details`]: toDateParts(start),
    [`${prefix}end_date`]: end,
    [`${prefix}end_date_details`]: toDateParts(end),
  }
}

/** Returns the website of the event; if none was ever set, the URL of the event's page. */
function websiteOf({ locked, website, url }: LegacyEventFieldsFragment): string {
  return locked ? '' : escapeHtml(escapeUrl(website ?? url))
}

const oneOrMany = <Item>(items: readonly Item[]): Item | readonly Item[] => {
  const [only, ...others] = items
  return only !== undefined && others.length === 0 ? only : items
}

function customFields({ customFields: fields }: LegacyEventFieldsFragment): object {
  return fields.length === 0
    ? []
    : Object.fromEntries(
        fields.map(({ key, label, value }) => [key, { label: removeTags(label), value: withPlainText(value) }]),
      )
}

/** Returns the fields of online events, which an add-on of the legacy platform defined. */
function virtualFields({ attendanceMode, onlineUrl }: LegacyEventFieldsFragment): object {
  if (attendanceMode !== 'ONLINE' && attendanceMode !== 'MIXED') return {}
  return { is_virtual: true, virtual_url: onlineUrl && escapeUrl(onlineUrl), virtual_video_source: '' }
}

/** Returns the value of `series`, the only field that dates of series have and other events have not. */
const seriesDate = (
  { occurrence, originalStartsLocal, dateLabel, dateNote }: LegacyEventFieldsFragment,
  { databaseId, url }: NonNullable<LegacyEventFieldsFragment['series']>,
  { link }: SerializeOptions['urls'],
) => ({
  id: databaseId,
  url,
  rest_url: link('/events/', { series: databaseId }),
  occurrence: occurrence.toLowerCase(),
  original_start_date: formatLegacyDate(originalStartsLocal ?? ''),
  label: removeTags(dateLabel ?? ''),
  note: removeTags(dateNote ?? ''),
})

function withPlainText(value: unknown): unknown {
  if (typeof value === 'string') return removeTags(value)
  if (Array.isArray(value)) return value.map(withPlainText)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withPlainText(item)]))
}
