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
import { dateParam, flagParam } from '../params.ts'
import {
  organizerBody,
  publicationParams,
  toOrganizerInput,
  toPublicationInput,
  toVenueInput,
  venueBody,
} from '../post-body.ts'
import {
  costsParam,
  createLinksParam,
  htmlParam,
  imageParam,
  statusParam,
  termsParam,
  timeZoneParam,
  titleParam,
  urlOrEmptyParam,
  webUrlOrEmptyParam,
} from '../write-params.ts'

const newVenue = z.object({ ...venueBody, venue: titleParam })
const newOrganizer = z.object({ ...organizerBody, organizer: titleParam })

export const eventBody = {
  title: titleParam.optional().describe('Title.'),
  ...publicationParams,
  description: htmlParam.optional().describe('Description.'),
  slug: titleParam.optional().describe('Slug.'),
  excerpt: htmlParam.optional().describe('Excerpt.'),
  status: statusParam.optional().describe('Status.'),
  timezone: timeZoneParam.optional().describe("Time zone; the site's time zone by default or if empty."),
  all_day: flagParam.optional().describe('Whether the event lasts whole days.'),
  start_date: dateParam.optional().describe("Start, in the event's time zone."),
  end_date: dateParam.optional().describe("End, in the event's time zone."),
  image: imageParam.optional().describe('ID or URL of an image.'),
  cost: costsParam.optional().describe('Prices.'),
  website: urlOrEmptyParam.optional().describe('Website of the event.'),
  show_map: flagParam.optional().describe('Whether to show a map.'),
  show_map_link: flagParam.optional().describe('Whether to show a link to a map.'),
  hide_from_listings: flagParam.optional().describe('Whether lists leave the event out.'),
  sticky: flagParam.optional().describe('Whether the event comes first on its day.'),
  featured: flagParam.optional().describe('Whether the event is featured.'),
  categories: termsParam.optional().describe('Categories by ID, slug or name.'),
  tags: termsParam.optional().describe('Tags by ID, slug or name.'),
  venue: createLinksParam(newVenue, 'IDs of venues, or new venues with their name in `venue`')
    .optional()
    .describe('Venues.'),
  organizer: createLinksParam(newOrganizer, 'IDs of organizers, or new organizers with their name in `organizer`')
    .optional()
    .describe('Organizers.'),
  is_virtual: flagParam.optional().describe('Extension: whether people attend the event online.'),
  virtual_url: webUrlOrEmptyParam
    .optional()
    .describe('Extension: URL where people attend the event online. Only virtual events return it.'),
}

export type EventBody = z.output<z.ZodObject<typeof eventBody>>

interface BodyContext {
  readonly now: Date
  readonly siteTimeZone: string
  readonly timeZone: string
  /** The stored attendance mode, before an update. */
  readonly attendanceMode?: EventAttendanceMode | undefined
}

/** Converts the body to GraphQL input, without the title, which only a new event requires. */
export function toEventInput(body: EventBody, bodyContext: BodyContext): Omit<CreateEventInput, 'title'> {
  const { now, siteTimeZone } = bodyContext
  return {
    ...toPublicationInput(body, now, siteTimeZone),
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
      'id' in link ? link : { create: newRecord(link.create.venue, toVenueInput(link.create, now, siteTimeZone)) },
    ),
    organizers: body.organizer?.map((link) =>
      'id' in link
        ? link
        : { create: newRecord(link.create.organizer, toOrganizerInput(link.create, now, siteTimeZone)) },
    ),
    attendanceMode: attendanceMode(body.is_virtual, bodyContext.attendanceMode),
    onlineUrl: body.virtual_url,
  }
}

const newRecord = <Input extends Omit<CreateVenueInput, 'name'> | Omit<CreateOrganizerInput, 'name'>>(
  name: string,
  input: Input,
) => ({ ...input, name, orExisting: true })

/** Converts `is_virtual`. A hybrid event, on site and online, is virtual already and stays hybrid. */
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

/** Returns start and end of the body. An end before the start becomes the start (QUIRK-8 of the legacy contract). */
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
