import { withoutEmpty } from '../../../basics/without-empty.ts'
import type { LegacyVenueFieldsFragment } from '../../../generated/graphql/graphql.ts'
import {
  emptyWithheldFields,
  namedPostFields,
  type Presentation,
  type WithJsonLd,
  withheldPostFields,
} from '../posts.ts'
import { plainText, safeUrl } from '../text.ts'
import { eachText } from './texts.ts'

/** Venue object (contract c.3). */
export function serializeVenue(venue: LegacyVenueFieldsFragment & WithJsonLd, presentation: Presentation) {
  return {
    ...withoutEmpty({
      ...namedPostFields('venue', venue, presentation),
      ...eachText((name) => line(venue[name])),
      website: venue.website && safeUrl(venue.website),
      stateprovince: line(venue.stateProvince),
      ...geoOf(venue.coordinates),
      json_ld: venue.jsonLd ?? null,
    }),
    ...emptyWithheldFields(legacyNames(venue.withheldFields), placeholders),
    show_map: venue.showMap,
    show_map_link: venue.showMapLink,
  }
}

const geoOf = (at: LegacyVenueFieldsFragment['coordinates']) =>
  at?.latitude && at.longitude ? { geo_lat: at.latitude, geo_lng: at.longitude } : undefined

const line = (text: string | null) => text && plainText(text)

/** What a locked venue shows instead of its values (contract c.15). */
const placeholders = {
  ...withheldPostFields,
  ...eachText(() => ''),
  website: '',
  stateprovince: '',
  geo_lat: 0,
  geo_lng: 0,
}

const legacyFieldNames: Readonly<Record<string, string | readonly string[]>> = {
  stateProvince: 'stateprovince',
  coordinates: ['geo_lat', 'geo_lng'],
}

const legacyNames = (fields: readonly string[]) => fields.flatMap((name) => legacyFieldNames[name] ?? name)
