// The body parameters of venues and organizers, and the GraphQL input that they set.
import type { ParsedDate } from '../../basics/dates/natural-date.ts'
import { toRecordStatus } from '../../basics/record-status.ts'
import { toInstant, toWallClock } from '../../basics/time.ts'
import { lenientBodyFlag, type Params, positiveInteger, publicationDate } from './params.ts'
import { eachText } from './text.ts'
import { htmlOrEmpty, image, lineOrEmpty, nameOrNull, recordStatus, urlOrEmpty } from './write-params.ts'

/** Parameters of the publication, which events have, too. */
export const publicationParams = {
  author: positiveInteger.optional().describe('ID of the author.'),
  date: publicationDate.optional().describe("Publication date, in the site's time zone."),
  date_utc: publicationDate.optional().describe('Publication date in UTC.'),
}

const postBody = {
  ...publicationParams,
  description: htmlOrEmpty.optional().describe('Description.'),
  status: recordStatus.optional().describe('Status.'),
}

export const venueBody = {
  venue: nameOrNull.describe('Name.'),
  ...postBody,
  show_map: lenientBodyFlag.optional().describe('Whether events at this venue show a map.'),
  show_map_link: lenientBodyFlag.optional().describe('Whether events at this venue show a link to a map.'),
  ...eachText((_name, description) => lineOrEmpty.optional().describe(description)),
  stateprovince: lineOrEmpty.optional().describe('State or province.'),
  website: urlOrEmpty.optional().describe('Website.'),
  image: image.optional().describe('ID or URL of an image.'),
}

export const organizerBody = {
  organizer: nameOrNull.describe('Name.'),
  ...postBody,
  phone: lineOrEmpty.optional().describe('Telephone number.'),
  website: urlOrEmpty.optional().describe('Website.'),
  email: lineOrEmpty.optional().describe('E-mail address.'),
  image: image.optional().describe('ID or URL of an image.'),
}

export const venueInput = (body: Params<typeof venueBody>, now: Date, siteTimeZone: string) => ({
  ...postInput(body, now, siteTimeZone),
  showMap: body.show_map,
  showMapLink: body.show_map_link,
  ...eachText((name) => body[name]),
  stateProvince: body.stateprovince,
  website: body.website,
  ...body.image,
})

export const organizerInput = (body: Params<typeof organizerBody>, now: Date, siteTimeZone: string) => ({
  ...postInput(body, now, siteTimeZone),
  phone: body.phone,
  website: body.website,
  email: body.email,
  // Contract b.3: no check of the format.
  anyEmail: true,
  ...body.image,
})

const postInput = (body: Params<typeof postBody>, now: Date, siteTimeZone: string) => ({
  ...publicationInput(body, now, siteTimeZone),
  description: body.description,
  status: body.status && toRecordStatus(body.status),
})

/** Publication time (contract b.9): `date_utc` in UTC, or else `date` in the site's time zone. */
export function publicationInput(
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
