import type { LegacyVenueFieldsFragment } from '../../generated/graphql/graphql.ts'
import { venueJsonLd } from '../../json-ld/json-ld.ts'
import { withoutEmpty } from '../../json-ld/without-empty.ts'
import { serializeImage } from '../images.ts'
import { masked, maskedPost, type Presentation, postDates, postIdentity } from '../posts.ts'
import { escapeText, plainText, safeUrl } from '../text.ts'

/** Venue object (contract c.3). */
export function serializeVenue(venue: LegacyVenueFieldsFragment, { urls, siteTimeZone, single }: Presentation) {
  return {
    ...withoutEmpty({
      id: venue.databaseId,
      ...postIdentity(venue, urls),
      ...postDates(venue, siteTimeZone),
      url: venue.url,
      venue: escapeText(venue.name),
      description: venue.descriptionHtml,
      excerpt: venue.excerptHtml,
      slug: venue.slug,
      image: venue.image && serializeImage(venue.image),
      address: line(venue.address),
      city: line(venue.city),
      country: line(venue.country),
      province: line(venue.province),
      state: line(venue.state),
      zip: line(venue.zip),
      phone: line(venue.phone),
      website: venue.website && safeUrl(venue.website),
      stateprovince: line(venue.stateProvince),
      ...(venue.latitude && venue.longitude ? { geo_lat: venue.latitude, geo_lng: venue.longitude } : {}),
      json_ld: single && !venue.locked && venueJsonLd(venue),
    }),
    ...masked(legacyNames(venue.withheldFields), shownWhileLocked),
    show_map: venue.showMap,
    show_map_link: venue.showMapLink,
  }
}

const line = (text: string | null) => text && plainText(text)

/** What a lock leaves of a venue's fields (contract c.15). */
const shownWhileLocked = {
  ...maskedPost,
  address: '',
  city: '',
  country: '',
  province: '',
  state: '',
  zip: '',
  phone: '',
  website: '',
  stateprovince: '',
  geo_lat: 0,
  geo_lng: 0,
}

const renamed: Readonly<Record<string, string>> = {
  stateProvince: 'stateprovince',
  latitude: 'geo_lat',
  longitude: 'geo_lng',
}

const legacyNames = (fields: readonly string[]) => fields.map((name) => renamed[name] ?? name)
