import { z } from 'zod'
import type { ResolvedDate } from '../../../basics/dates/natural-date.ts'
import { toRecordStatus } from '../../../basics/record-status.ts'
import { toInstant, toWallClock } from '../../../basics/time.ts'
import type {
  CreateEventInput,
  CreateOrganizerInput,
  CreateVenueInput,
  EventAttendanceMode,
} from '../../../generated/graphql/graphql.ts'
import { date, flag } from '../params.ts'
import {
  organizerBody,
  organizerInput,
  publicationInput,
  publicationParams,
  venueBody,
  venueInput,
} from '../post-body.ts'
import {
  costs,
  html,
  image,
  links,
  recordStatus,
  terms,
  title,
  urlOrEmpty,
  webUrlOrEmpty,
  zone,
} from '../write-params.ts'

const newVenue = z.object({ ...venueBody, venue: title })
const newOrganizer = z.object({ ...organizerBody, organizer: title })

export const eventBody = {
  title: title.optional().describe('Title.'),
  ...publicationParams,
  description: html.optional().describe('Description.'),
  slug: title.optional().describe('Slug.'),
  excerpt: html.optional().describe('Excerpt.'),
  status: recordStatus.optional().describe('Status.'),
  timezone: zone.optional().describe("Time zone; the site's time zone by default or if empty."),
  all_day: flag.optional().describe('Whether the event lasts whole days.'),
  start_date: date.optional().describe("Start, in the event's time zone."),
  end_date: date.optional().describe("End, in the event's time zone."),
  image: image.optional().describe('ID or URL of an image.'),
  cost: costs.optional().describe('Prices.'),
  website: urlOrEmpty.optional().describe('Website of the event.'),
  show_map: flag.optional().describe('Whether to show a map.'),
  show_map_link: flag.optional().describe('Whether to show a link to a map.'),
  hide_from_listings: flag.optional().describe('Whether lists leave the event out.'),
  sticky: flag.optional().describe('Whether the event comes first on its day.'),
  featured: flag.optional().describe('Whether the event is featured.'),
  categories: terms.optional().describe('Categories by ID, slug or name.'),
  tags: terms.optional().describe('Tags by ID, slug or name.'),
  venue: links(newVenue, 'IDs of venues, or new venues with their name in `venue`').optional().describe('Venues.'),
  organizer: links(newOrganizer, 'IDs of organizers, or new organizers with their name in `organizer`')
    .optional()
    .describe('Organizers.'),
  is_virtual: flag.optional().describe('Extension: whether people attend the event online.'),
  virtual_url: webUrlOrEmpty
    .optional()
    .describe('Extension: URL where people attend the event online. Only virtual events return it.'),
}

export type EventBody = z.output<z.ZodObject<typeof eventBody>>

interface BodyContext {
  readonly now: Date
  readonly siteTimeZone: string
  readonly timeZone: string
  /** How people attend the event before an update. */
  readonly attendanceMode?: EventAttendanceMode | undefined
}

/** The GraphQL input, without the title: only a new event must have one. */
export function eventInput(body: EventBody, bodyContext: BodyContext): Omit<CreateEventInput, 'title'> {
  const { now, siteTimeZone } = bodyContext
  return {
    ...publicationInput(body, now, siteTimeZone),
    description: body.description,
    slug: body.slug,
    excerpt: body.excerpt,
    status: body.status && toRecordStatus(body.status),
    timeZone: body.timezone === '' ? siteTimeZone : body.timezone,
    allDay: body.all_day,
    ...dates(body, bodyContext),
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
    attendanceMode: attendanceMode(body.is_virtual, bodyContext.attendanceMode),
    onlineUrl: body.virtual_url,
  }
}

const newRecord = <Input extends Omit<CreateVenueInput, 'name'> | Omit<CreateOrganizerInput, 'name'>>(
  name: string,
  input: Input,
) => ({ ...input, name, orExisting: true })

/** An event on site and online is virtual too, and stays as it is. */
function attendanceMode(isVirtual: boolean | undefined, before: EventAttendanceMode | undefined) {
  if (isVirtual === undefined) return undefined
  if (!isVirtual) return 'OFFLINE'
  return before === 'MIXED' ? 'MIXED' : 'ONLINE'
}

/** Whether resolving or comparing the dates of the body requires the stored time zone of the event. */
export function needsStoredTimeZone({ start_date, end_date, timezone }: EventBody): boolean {
  if (timezone !== undefined) return false
  const dates = [start_date, end_date].flatMap((date) => date ?? [])
  return dates.some(({ isRelative }) => isRelative) || dates.filter(({ hasInstant }) => hasInstant).length === 1
}

/** Start and end. An end before the start becomes the start (QUIRK-8). */
function dates({ start_date, end_date }: EventBody, { now, timeZone }: BodyContext) {
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
