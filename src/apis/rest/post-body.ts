// The body parameters that venues and organizers share, and the GraphQL input that they set.
import type { z } from 'zod'
import { toRecordStatus } from '../../basics/record-status.ts'
import { positiveInteger, publicationDate } from './params.ts'
import { publishedAt } from './publication-date.ts'
import { htmlOrEmpty, recordStatus } from './write-params.ts'

export const postBody = {
  author: positiveInteger.optional().describe('ID of the author.'),
  date: publicationDate.optional().describe("Publication date, in the site's time zone."),
  date_utc: publicationDate.optional().describe('Publication date in UTC.'),
  description: htmlOrEmpty.optional().describe('Description.'),
  status: recordStatus.optional().describe('Status.'),
}

type PostBody = z.output<z.ZodObject<typeof postBody>>

export const postInput = (body: PostBody, now: Date, siteTimeZone: string) => ({
  authorId: body.author,
  publishedAt: publishedAt(body, now, siteTimeZone),
  description: body.description,
  status: body.status && toRecordStatus(body.status),
})
