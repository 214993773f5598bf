import { z } from 'zod'
import type { CreateEventInput, CreateOrganizerInput, CreateVenueInput } from '../../generated/graphql/graphql.ts'
import { toInstant, toWallClock } from '../../time.ts'
import type { ResolvedDate } from '../natural-date.ts'
import { organizerBody, organizerInput } from '../organizers/body.ts'
import { date, flag, positiveInteger, publicationDate } from '../params.ts'
import { publishedAt } from '../publication.ts'
import { graphStatus } from '../text.ts'
import { venueBody, venueInput } from '../venues/body.ts'
import { costs, html, image, links, recordStatus, terms, title, urlOrEmpty, zone } from '../write-params.ts'

const newVenue = z.object({ ...venueBody, venue: title })
const newOrganizer = z.object({ ...organizerBody, organizer: title })

/** Fields of an event, for creating and changing one (spec 2.1). */
export const eventBody = {
  title: title.optional().describe('Title.'),
  author: positiveInteger.optional().describe('Number of the author.'),
  date: publicationDate.optional().describe('Publication date, in the zone of the site.'),
  date_utc: publicationDate.optional().describe('Publication date in UTC.'),
  description: html.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  excerpt: html.optional().describe('Excerpt.'),
  status: recordStatus.optional().describe('Status.'),
  timezone: zone.optional().describe('Time zone; by default, and if empty, that of the site.'),
  all_day: flag.optional().describe('Lasts whole days.'),
  start_date: date.optional().describe('Start, in the time zone of the event.'),
  end_date: date.optional().describe('End, in the time zone of the event.'),
  image: image.optional().describe('Number or URL of an image.'),
  cost: costs.optional().describe('Prices.'),
  website: urlOrEmpty.optional().describe('Website of the event.'),
  show_map: flag.optional().describe('Show a map.'),
  show_map_link: flag.optional().describe('Show a link to a map.'),
  hide_from_listings: flag.optional().describe('Keep it out of lists.'),
  sticky: flag.optional().describe('Comes first on its day.'),
  featured: flag.optional().describe('Featured on the site.'),
  categories: terms.optional().describe('Categories, by number, slug or name.'),
  tags: terms.optional().describe('Tags, by number, slug or name.'),
  venue: links(newVenue, 'numbers of venues, or new venues with their name in `venue`').optional().describe('Venues.'),
  organizer: links(newOrganizer, 'numbers of organizers, or new ones with their name in `organizer`')
    .optional()
    .describe('Organizers.'),
}

export type EventBody = z.output<z.ZodObject<typeof eventBody>>

interface Circumstances {
  readonly now: Date
  readonly siteTimeZone: string
  /** Zone of the event, as far as it is known: that of the request, else of the record. */
  readonly timeZone: string
}

/** What to ask the graph for; without the title, which only a new event must have. */
export function eventInput(body: EventBody, circumstances: Circumstances): Omit<CreateEventInput, 'title'> {
  const { now, siteTimeZone } = circumstances
  return {
    authorId: body.author,
    publishedAt: publishedAt(body, now, siteTimeZone),
    description: body.description,
    slug: body.slug,
    excerpt: body.excerpt,
    status: body.status && graphStatus(body.status),
    timeZone: body.timezone === '' ? siteTimeZone : body.timezone,
    allDay: body.all_day,
    ...dates(body, circumstances),
    ...body.image,
    cost: body.cost,
    website: body.website,
    showMap: body.show_map,
    showMapLink: body.show_map_link,
    hideFromListings: body.hide_from_listings,
    sticky: body.sticky,
    featured: body.featured,
    categories: body.categories,
    tags: body.tags,
    venues: body.venue?.map((link) =>
      'id' in link ? link : { create: newRecord(link.create.venue, venueInput(link.create, now, siteTimeZone)) },
    ),
    organizers: body.organizer?.map((link) =>
      'id' in link
        ? link
        : { create: newRecord(link.create.organizer, organizerInput(link.create, now, siteTimeZone)) },
    ),
  }
}

const newRecord = <Input extends Omit<CreateVenueInput, 'name'> | Omit<CreateOrganizerInput, 'name'>>(
  name: string,
  input: Input,
) => ({ ...input, name, orExisting: true })

/** Whether the dates of the body can only be read, or told which comes first, with the zone of the event. */
export function needsZone({ start_date, end_date, timezone }: EventBody): boolean {
  if (timezone !== undefined) return false
  const dates = [start_date, end_date].flatMap((date) => date ?? [])
  return dates.some(({ isRelative }) => isRelative) || dates.filter(({ hasInstant }) => hasInstant).length === 1
}

/** Start and end; an end before a start of the same request is moved to it (QUIRK-8). */
function dates({ start_date, end_date }: EventBody, { now, timeZone }: Circumstances) {
  const anchor = toWallClock(now, timeZone)
  const start = start_date?.resolve(anchor)
  const end = end_date?.resolve(anchor)
  const last = start && end && instantOf(end, timeZone) < instantOf(start, timeZone) ? start : end
  return {
    ...(start && (start.instant ? { startsAt: start.instant } : { startsLocal: start.wallClock })),
    ...(last && (last.instant ? { endsAt: last.instant } : { endsLocal: last.wallClock })),
  }
}

const instantOf = ({ instant, wallClock }: ResolvedDate, timeZone: string) => instant ?? toInstant(wallClock, timeZone)
