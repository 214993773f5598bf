import type { z } from 'zod'
import type { CreateVenueInput } from '../../generated/graphql/graphql.ts'
import { positiveInteger, publicationDate } from '../params.ts'
import { publishedAt } from '../publication.ts'
import { graphStatus } from '../text.ts'
import { htmlOrEmpty, image, lenientFlag, lineOrEmpty, nameOrNull, recordStatus, urlOrEmpty } from '../write-params.ts'

/** Fields of a venue, for creating and changing one (spec 2.2). */
export const venueBody = {
  venue: nameOrNull.describe('Name.'),
  author: positiveInteger.optional().describe('Number of the author.'),
  date: publicationDate.optional().describe('Publication date, in the zone of the site.'),
  date_utc: publicationDate.optional().describe('Publication date in UTC.'),
  description: htmlOrEmpty.optional().describe('Description.'),
  status: recordStatus.optional().describe('Status.'),
  show_map: lenientFlag.optional().describe('Whether events there show a map.'),
  show_map_link: lenientFlag.optional().describe('Whether events there show a link to a map.'),
  address: lineOrEmpty.optional().describe('Street and number.'),
  city: lineOrEmpty.optional().describe('City.'),
  country: lineOrEmpty.optional().describe('Country.'),
  province: lineOrEmpty.optional().describe('Province.'),
  state: lineOrEmpty.optional().describe('State.'),
  zip: lineOrEmpty.optional().describe('Postal code.'),
  phone: lineOrEmpty.optional().describe('Telephone number.'),
  stateprovince: lineOrEmpty.optional().describe('State or province.'),
  website: urlOrEmpty.optional().describe('Website.'),
  image: image.optional().describe('Number or URL of an image.'),
}

export type VenueBody = z.output<z.ZodObject<typeof venueBody>>

/** What to ask the graph for; without the name, which only a new venue must have. */
export function venueInput(body: VenueBody, now: Date, siteTimeZone: string): Omit<CreateVenueInput, 'name'> {
  return {
    authorId: body.author,
    publishedAt: publishedAt(body, now, siteTimeZone),
    description: body.description,
    status: body.status && graphStatus(body.status),
    showMap: body.show_map,
    showMapLink: body.show_map_link,
    address: body.address,
    city: body.city,
    country: body.country,
    province: body.province,
    state: body.state,
    zip: body.zip,
    phone: body.phone,
    stateProvince: body.stateprovince,
    website: body.website,
    ...body.image,
  }
}
