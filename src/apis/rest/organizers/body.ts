import type { CreateOrganizerInput } from '../../../generated/graphql/graphql.ts'
import type { Params } from '../params.ts'
import { postBody, postInput } from '../post-body.ts'
import { image, lineOrEmpty, nameOrNull, urlOrEmpty } from '../write-params.ts'

/** Body parameters for creating and updating an organizer. */
export const organizerBody = {
  organizer: nameOrNull.describe('Name.'),
  ...postBody,
  phone: lineOrEmpty.optional().describe('Telephone number.'),
  website: urlOrEmpty.optional().describe('Website.'),
  email: lineOrEmpty.optional().describe('E-mail address.'),
  image: image.optional().describe('ID or URL of an image.'),
}

/** The GraphQL input, without the name: only a new organizer must have one. */
export const organizerInput = (
  body: Params<typeof organizerBody>,
  now: Date,
  siteTimeZone: string,
): Omit<CreateOrganizerInput, 'name'> => ({
  ...postInput(body, now, siteTimeZone),
  phone: body.phone,
  website: body.website,
  email: body.email,
  // Contract b.3: no check of the format.
  anyEmail: true,
  ...body.image,
})
