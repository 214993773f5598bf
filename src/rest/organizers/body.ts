import type { z } from 'zod'
import type { CreateOrganizerInput } from '../../generated/graphql/graphql.ts'
import { positiveInteger, publicationDate } from '../params.ts'
import { publishedAt } from '../publication.ts'
import { graphStatus } from '../text.ts'
import { htmlOrEmpty, image, lineOrEmpty, nameOrNull, recordStatus, urlOrEmpty } from '../write-params.ts'

/** Fields of an organizer, for creating and changing one (spec 2.3). */
export const organizerBody = {
  organizer: nameOrNull.describe('Name.'),
  author: positiveInteger.optional().describe('Number of the author.'),
  date: publicationDate.optional().describe('Publication date, in the zone of the site.'),
  date_utc: publicationDate.optional().describe('Publication date in UTC.'),
  description: htmlOrEmpty.optional().describe('Description.'),
  status: recordStatus.optional().describe('Status.'),
  phone: lineOrEmpty.optional().describe('Telephone number.'),
  website: urlOrEmpty.optional().describe('Website.'),
  email: lineOrEmpty.optional().describe('E-mail address.'),
  image: image.optional().describe('Number or URL of an image.'),
}

export type OrganizerBody = z.output<z.ZodObject<typeof organizerBody>>

/** What to ask the graph for; without the name, which only a new organizer must have. */
export function organizerInput(
  body: OrganizerBody,
  now: Date,
  siteTimeZone: string,
): Omit<CreateOrganizerInput, 'name'> {
  return {
    authorId: body.author,
    publishedAt: publishedAt(body, now, siteTimeZone),
    description: body.description,
    status: body.status && graphStatus(body.status),
    phone: body.phone,
    website: body.website,
    email: body.email,
    ...body.image,
  }
}
