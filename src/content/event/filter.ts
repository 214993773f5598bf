import { requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { searchComplexity } from '../../graphql/limits/complexity.ts'
import { comparesTimes, dependsOn } from '../../response-cache/dependencies.ts'
import { enumValues, RecordStatus } from '../enums.ts'
import { idDescription } from '../identify.ts'
import { lockedFor, unlocked } from '../lifecycle/record-password.ts'
import { inStatus, statusErrors, untrashedInLists } from '../lifecycle/status.ts'
import { Near, venuesNear } from '../list/distance.ts'
import { mustExist, type ReferencedIds, resolveReferences, termReferences } from '../list/references.ts'
import { translationFilterFields, translationWhere } from '../list/translation-filter.ts'
import { listedOrganizers } from '../organizer/visibility.ts'
import { eventTextMatches } from '../text/search.ts'
import { inLanguage } from '../text/served-text.ts'
import { listedVenues } from '../venue/visibility.ts'
import { DayRange, selectDays } from './days.ts'
import { EventAttendanceMode, EventStatus } from './state.ts'
import { type EventTimes, timesWhere } from './times.ts'
import { withUids } from './uid.ts'
import { visibleEvents } from './visibility.ts'

const rangeInput = <Scalar extends 'DateTime' | 'LocalDateTime'>(name: string, type: Scalar, description: string) =>
  builder.inputType(name, {
    description,
    fields: (t) => ({
      gt: t.field({ type, description: 'After.' }),
      gte: t.field({ type, description: 'At or after.' }),
      lt: t.field({ type, description: 'Before.' }),
      lte: t.field({ type, description: 'At or before.' }),
    }),
  })

const InstantRange = rangeInput('InstantRange', 'DateTime', 'A range of instants. Bounds combine with AND.')

const LocalRange = rangeInput(
  'LocalRange',
  'LocalDateTime',
  'A range of local times, compared with the local time of each event. Bounds combine with AND.',
)

const EventTime = builder.enumType('EventTime', {
  description: 'Whether events are over.',
  values: enumValues({
    upcoming: 'Events that have not ended, including running ones.',
    past: 'Events that have ended.',
  }),
})

export const EventFilter = builder.inputType('EventFilter', {
  description: 'Selects events. Criteria combine with AND, values within one criterion with OR.',
  fields: (t) => ({
    include: t.idList({ description: `Only these events. ${idDescription('event')}` }),
    uids: t.stringList({ description: 'Only events with one of these `uid`s.' }),
    search: t.string({
      description:
        'Words that must all occur in the title, excerpt or description. Ignores case and accents. Quotes make a phrase, a leading hyphen excludes a word. Of locked events, only the title is searched.',
      extensions: searchComplexity,
    }),
    when: t.field({
      type: EventTime,
      description: 'Only events that are over, or only others.',
      extensions: comparesTimes,
    }),
    runningAt: t.field({ type: 'DateTime', description: 'Events that have started and have not ended at this time.' }),
    startsAt: t.field({ type: InstantRange, description: 'Instant of the start.' }),
    endsAt: t.field({ type: InstantRange, description: 'Instant of the end.' }),
    startsLocal: t.field({ type: LocalRange, description: 'Local time of the start.' }),
    endsLocal: t.field({ type: LocalRange, description: 'Local time of the end.' }),
    startsOn: t.field({
      type: 'DayExpression',
      description:
        'Events that start on this day. Compares as `between` does without `timeZone`; for a day of a time zone, use `between` with `match: STARTING`.',
    }),
    between: t.field({ type: DayRange, description: 'Events in a range of whole days.' }),
    venues: t.idList({
      description: `At one of these venues. ${idDescription('venue')}`,
      extensions: dependsOn('venue'),
    }),
    organizers: t.idList({
      description: `Of one of these organizers. ${idDescription('organizer')}`,
      extensions: dependsOn('organizer'),
    }),
    categories: t.idList({
      description: `In one of these categories or their descendants. ${termReferences}`,
      extensions: dependsOn('category'),
    }),
    tags: t.idList({
      description: `With one of these tags. ${termReferences}`,
      extensions: dependsOn('tag'),
    }),
    eventStatus: t.field({ type: [EventStatus], description: 'Only events with one of these statuses.' }),
    attendanceMode: t.field({
      type: [EventAttendanceMode],
      description: 'Only events that people attend in one of these ways.',
    }),
    featured: t.boolean({ description: 'True: only featured events. False: only others.' }),
    ticketed: t.boolean({ description: 'True: only events with tickets. False: only others.' }),
    located: t.boolean({
      description: 'True: only events at a venue with coordinates. False: only others.',
      extensions: dependsOn('venue'),
    }),
    near: t.field({
      type: Near,
      description: 'At a venue within this circle.',
      extensions: { ...dependsOn('venue'), ...searchComplexity },
    }),
    locked: t.boolean({
      description: 'True: only events whose fields are withheld because of a password. False: only others.',
    }),
    parent: t.id({ description: `Children of this event. ${idDescription('event')}` }),
    status: t.field({
      type: [RecordStatus],
      description: 'Only records with one of these statuses; by default all but TRASH.',
    }),
    ...translationFilterFields(t, 'event'),
    mustExist: t.boolean(mustExist),
    hideFromListings: t.boolean({
      description: 'True: only events that are hidden from lists. Requires the right EDIT_OTHERS.',
    }),
  }),
})

type EventFilterInput = typeof EventFilter.$inferInput

/** The translated filter. */
export interface EventSelection {
  readonly where: Prisma.EventWhereInput
  /** Ranges of start and end. They combine with AND. */
  readonly times: readonly EventTimes[]
  /** IDs of visible venues within the radius of `near`. */
  readonly venues: readonly number[]
}

/**
 * Translates the filter. Criteria about fields that locks withhold leave out locked events, and records that the caller
 * may not see match nothing. Throws badInput for invalid references.
 */
export async function eventsWhere(filter: EventFilterInput, context: Context): Promise<EventSelection> {
  const { days, errors } = selectDays(filter, context)
  const ids = await resolveReferences(
    {
      errors: { ...errors, ...statusErrors(filter.status, context.viewer) },
      mustExist: filter.mustExist,
      include: ['event', filter.include],
      records: {
        venues: ['venue', filter.venues],
        organizers: ['organizer', filter.organizers],
        parent: ['event', filter.parent],
      },
      categories: { categories: filter.categories },
      tags: { tags: filter.tags },
    },
    context,
  )
  const venues = filter.near ? await visibleVenuesNear(filter.near, context) : []
  const text = filter.search == null ? undefined : await eventTextMatches(filter.search, context)
  const withheld = withheldFilters(filter, ids, venues, context)
  const times: EventTimes[] = [filter, ...days.map((each) => each.times)]
  const where: Prisma.EventWhereInput = {
    AND: [
      visibleEvents(context),
      filter.status ? inStatus(filter.status, context) : untrashedInLists(context),
      { hideFromListings: checkedHideFromListings(filter.hideFromListings, context) },
      inLanguage(context),
      ...translationWhere(filter),
      plainFilters(filter, ids, context),
      ...times.flatMap(timesWhere),
      ...days.map((each) => each.where),
      ...(text ? [text] : []),
      ...(withheld.length > 0 ? [unlocked(context), ...withheld] : []),
    ],
  }
  return { where, times, venues }
}

function checkedHideFromListings(hide: boolean | null | undefined, { viewer }: Context): boolean {
  if (hide) requirePermission(viewer, 'editOthers')
  return hide ?? false
}

function plainFilters(filter: EventFilterInput, ids: ReferencedIds, context: Context): Prisma.EventWhereInput {
  const { now, settings } = context
  const filters: Prisma.EventWhereInput[] = []
  if (filter.include) filters.push({ id: { in: ids.include ?? [] } })
  if (filter.uids) filters.push(withUids(filter.uids, settings))
  if (filter.locked != null) {
    filters.push(filter.locked ? (lockedFor(context) ?? { id: { in: [] } }) : unlocked(context))
  }
  if (filter.parent != null) filters.push({ parentId: ids.parent?.[0] ?? 0, parent: visibleEvents(context) })
  if (filter.eventStatus) filters.push({ eventStatus: { in: filter.eventStatus } })
  if (filter.attendanceMode) filters.push({ attendanceMode: { in: filter.attendanceMode } })
  if (filter.when === 'upcoming') filters.push({ endsAt: { gte: now } })
  if (filter.when === 'past') filters.push({ endsAt: { lt: now } })
  if (filter.runningAt) filters.push({ startsAt: { lte: filter.runningAt }, endsAt: { gte: filter.runningAt } })
  return { AND: filters }
}

function withheldFilters(filter: EventFilterInput, ids: ReferencedIds, near: readonly number[], context: Context) {
  const filters: Prisma.EventWhereInput[] = []
  if (filter.venues) {
    filters.push({ venues: { some: { venueId: { in: ids.venues ?? [] }, venue: listedVenues(context) } } })
  }
  if (filter.organizers) {
    const organizer = listedOrganizers(context)
    filters.push({ organizers: { some: { organizerId: { in: ids.organizers ?? [] }, organizer } } })
  }
  if (filter.categories) filters.push(inCategoryTrees(ids.categories ?? []))
  if (filter.tags) filters.push({ tags: { some: { tagId: { in: ids.tags ?? [] } } } })
  if (filter.featured != null) filters.push({ featured: filter.featured })
  if (filter.ticketed != null) filters.push({ tickets: filter.ticketed ? { some: {} } : { none: {} } })
  if (filter.located != null) {
    const located = { venue: { AND: [listedVenues(context), unlocked(context), { latitude: { not: null } }] } }
    filters.push({ venues: filter.located ? { some: located } : { none: located } })
  }
  if (filter.near) filters.push({ venues: { some: { venueId: { in: [...near] } } } })
  return filters
}

/** IDs of listed venues within the radius whose coordinates are not locked. */
async function visibleVenuesNear(near: typeof Near.$inferInput, context: Context): Promise<number[]> {
  const id = { in: await venuesNear(near, context) }
  const where = { AND: [{ id }, listedVenues(context), unlocked(context)] }
  return (await context.db.venue.findMany({ select: { id: true }, where })).map((venue) => venue.id)
}

const inCategoryTrees = (ids: number[]): Prisma.EventWhereInput => ({
  categories: { some: { category: { ancestors: { some: { ancestorId: { in: ids } } } } } },
})
