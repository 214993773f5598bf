// The body parameters of venues and organizers, and the GraphQL input that they set.
import type { ParsedDate } from '../../basics/dates/natural-date.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import { toInstant, toWallClock } from '../../basics/time.ts'
import { lenientBodyFlagParam, type Params, positiveIntegerParam, publicationDateParam } from './params.ts'
import { mapVenueTexts } from './text.ts'
import {
  htmlOrEmptyParam,
  imageParam,
  lineOrEmptyParam,
  nameOrNullParam,
  statusParam,
  urlOrEmptyParam,
} from './write-params.ts'

/** Parameters of author and publication date, which events, venues and organizers share. */
export const publicationParams = {
  author: positiveIntegerParam.optional().describe('ID of the author.'),
  date: publicationDateParam.optional().describe("Publication date, in the site's time zone."),
  date_utc: publicationDateParam.optional().describe('Publication date in UTC.'),
}

const postBody = {
  ...publicationParams,
  description: htmlOrEmptyParam.optional().describe('Description.'),
  status: statusParam.optional().describe('Status.'),
}

export const venueBody = {
  venue: nameOrNullParam.describe('Name.'),
  ...postBody,
  show_map: lenientBodyFlagParam.optional().describe('Whether events at this venue show a map.'),
  show_map_link: lenientBodyFlagParam.optional().describe('Whether events at this venue show a link to a map.'),
  ...mapVenueTexts((_name, description) => lineOrEmptyParam.optional().describe(description)),
  stateprovince: lineOrEmptyParam.optional().describe('State or province.'),
  website: urlOrEmptyParam.optional().describe('Website.'),
  image: imageParam.optional().describe('ID or URL of an image.'),
}

export const organizerBody = {
  organizer: nameOrNullParam.describe('Name.'),
  ...postBody,
  phone: lineOrEmptyParam.optional().describe('Telephone number.'),
  website: urlOrEmptyParam.optional().describe('Website.'),
  email: lineOrEmptyParam.optional().describe('E-mail address.'),
  image: imageParam.optional().describe('ID or URL of an image.'),
}

export const toVenueInput = (body: Params<typeof venueBody>, now: Date, siteTimeZone: string) => ({
  ...postInput(body, now, siteTimeZone),
  showMap: body.show_map,
  showMapLink: body.show_map_link,
  ...mapVenueTexts((name) => body[name]),
  stateProvince: body.stateprovince,
  website: body.website,
  ...body.image,
})

export const toOrganizerInput = (body: Params<typeof organizerBody>, now: Date, siteTimeZone: string) => ({
  ...postInput(body, now, siteTimeZone),
  phone: body.phone,
  website: body.website,
  email: body.email,
  // The legacy contract (b.3) accepts any text as an e-mail address.
  anyEmail: true,
  ...body.image,
})

const postInput = (body: Params<typeof postBody>, now: Date, siteTimeZone: string) => ({
  ...toPublicationInput(body, now, siteTimeZone),
  description: body.description,
  status: body.status && toRecordStatus(body.status),
})

/** Returns the publication time (contract b.9): `date_utc` in UTC, or else `date` in the time zone of the site. */
export function toPublicationInput(
  { author, date, date_utc }: Params<typeof publicationParams>,
  now: Date,
  siteTimeZone: string,
) {
  const publishedAt = date_utc ? instantOf(date_utc, now, 'UTC') : date && instantOf(date, now, siteTimeZone)
  return { authorId: author, publishedAt }
}

function instantOf(date: ParsedDate, now: Date, zone: string): Date | undefined {
  const resolved = date.resolve(toWallClock(now, zone))
  return resolved && (resolved.instant ?? toInstant(resolved.wallClock, zone))
}
