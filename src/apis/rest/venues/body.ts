import type { CreateVenueInput } from '../../../generated/graphql/graphql.ts'
import { lenientBodyFlag, type Params } from '../params.ts'
import { postBody, postInput } from '../post-body.ts'
import { image, lineOrEmpty, nameOrNull, urlOrEmpty } from '../write-params.ts'
import { eachText } from './texts.ts'

/** Body parameters for creating and updating a venue. */
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

/** The GraphQL input, without the name: only a new venue must have one. */
export const venueInput = (
  body: Params<typeof venueBody>,
  now: Date,
  siteTimeZone: string,
): Omit<CreateVenueInput, 'name'> => ({
  ...postInput(body, now, siteTimeZone),
  showMap: body.show_map,
  showMapLink: body.show_map_link,
  ...eachText((name) => body[name]),
  stateProvince: body.stateprovince,
  website: body.website,
  ...body.image,
})
