import { requirePermission } from '../../auth/permissions.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { searches } from '../../graphql/limits/complexity.ts'
import { isStorable } from '../../graphql/scalars.ts'
import { comparesTimes, dependsOn } from '../../response-cache/dependencies.ts'
import { wallClockDate } from '../../time.ts'
import { RecordStatus } from '../enums.ts'
import { unlocked } from '../lifecycle/record-password.ts'
import { inStatus, refusedStatus, shown } from '../lifecycle/status.ts'
import { Near, venuesNear } from '../list/distance.ts'
import { mustExist, one, resolveReferences } from '../list/references.ts'
import { listedOrganizers } from '../organizer/visibility.ts'
import { textWith } from '../text/search.ts'
import { inLanguage } from '../text/served-text.ts'
import { listedVenues } from '../venue/visibility.ts'
import { visibleEvents } from './visibility.ts'

const InstantRange = builder.inputType('InstantRange', {
  description: 'Instants between bounds; all that are given apply.',
  fields: (t) => ({
    gt: t.field({ type: 'DateTime', description: 'After.' }),
    gte: t.field({ type: 'DateTime', description: 'At or after.' }),
    lt: t.field({ type: 'DateTime', description: 'Before.' }),
    lte: t.field({ type: 'DateTime', description: 'At or before.' }),
  }),
})

const LocalRange = builder.inputType('LocalRange', {
  description: 'Wall clocks between bounds, compared with the wall clock of each event; all that are given apply.',
  fields: (t) => ({
    gt: t.field({ type: 'LocalDateTime', description: 'After.' }),
    gte: t.field({ type: 'LocalDateTime', description: 'At or after.' }),
    lt: t.field({ type: 'LocalDateTime', description: 'Before.' }),
    lte: t.field({ type: 'LocalDateTime', description: 'At or before.' }),
  }),
})

const EventTime = builder.enumType('EventTime', {
  description: 'Where events lie, seen from now.',
  values: {
    UPCOMING: { value: 'upcoming', description: 'Not over yet.' },
    PAST: { value: 'past', description: 'Over.' },
  } as const,
})

export const EventFilter = builder.inputType('EventFilter', {
  description: 'Which events; all that is given applies. Numbers are `databaseId`s; of several one must fit.',
  fields: (t) => ({
    include: t.intList({ description: 'These events.' }),
    search: t.string({
      description:
        'With these words in title, excerpt or description, whatever their case and accents; quotes keep a phrase together, a leading hyphen excludes. Of locked events only the title is searched.',
      extensions: searches,
    }),
    when: t.field({
      type: EventTime,
      description: 'Those that are not over yet, or those that are.',
      extensions: comparesTimes,
    }),
    runningAt: t.field({ type: 'DateTime', description: 'Those that have begun and are not over at this moment.' }),
    startsAt: t.field({ type: InstantRange, description: 'By the instant of the start.' }),
    endsAt: t.field({ type: InstantRange, description: 'By the instant of the end.' }),
    startsLocal: t.field({ type: LocalRange, description: 'By the wall clock of the start.' }),
    endsLocal: t.field({ type: LocalRange, description: 'By the wall clock of the end.' }),
    venues: t.intList({ description: 'Held at one of these venues.', extensions: dependsOn('venue') }),
    organizers: t.intList({ description: 'Held by one of these organizers.', extensions: dependsOn('organizer') }),
    categories: t.idList({
      description: 'In one of these categories, or in one that is part of them; each by slug, number or name.',
      extensions: dependsOn('category'),
    }),
    tags: t.idList({
      description: 'With one of these tags, each by slug, number or name.',
      extensions: dependsOn('tag'),
    }),
    featured: t.boolean({ description: 'Only featured events, or only others.' }),
    ticketed: t.boolean({ description: 'Only events with tickets, or only those without.' }),
    located: t.boolean({
      description: 'Only events at a venue whose coordinates are known, or only others.',
      extensions: dependsOn('venue'),
    }),
    near: t.field({
      type: Near,
      description: 'Held within a distance from a place.',
      extensions: { ...dependsOn('venue'), ...searches },
    }),
    parent: t.int({ description: 'Parts of this event.' }),
    status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
    mustExist: t.boolean(mustExist),
    hideFromListings: t.boolean({
      description: 'True: only those kept out of lists, for those who edit what others write.',
    }),
  }),
})

type Given = typeof EventFilter.$inferInput

/** What a filter comes down to. */
export interface FoundEvents {
  readonly where: Prisma.EventWhereInput
  /** Venues that the caller may see within the radius of `near`. */
  readonly venues: readonly number[]
}

/**
 * Listed events that fit a filter. What asks about withheld fields leaves out locked events; what names a record that the
 * caller may not see finds nothing. Throws badInput that names all records which must exist and don't.
 */
export async function eventsWhere(filter: Given, context: Context): Promise<FoundEvents> {
  const terms = await resolveReferences(
    {
      refused: refusedStatus(filter.status, context.viewer),
      mustExist: filter.mustExist,
      include: filter.include,
      numbers: {
        venues: ['venue', filter.venues],
        organizers: ['organizer', filter.organizers],
        parent: ['event', one(filter.parent)],
      },
      categories: { categories: filter.categories },
      tags: { tags: filter.tags },
    },
    context,
  )
  const venues = filter.near ? await openVenuesNear(filter.near, context) : []
  const text = filter.search == null ? undefined : await textWith(filter.search, context)
  const withheld = withheldFilters(filter, terms, venues, context)
  const where: Prisma.EventWhereInput = {
    AND: [
      visibleEvents(context),
      filter.status ? inStatus(filter.status, context) : shown(context),
      { hideFromListings: hidden(filter.hideFromListings, context) },
      inLanguage(context),
      plainFilters(filter, context),
      ...(text ? [text] : []),
      ...(withheld.length > 0 ? [unlocked(context), ...withheld] : []),
    ],
  }
  return { where, venues }
}

function hidden(wanted: boolean | null | undefined, { viewer }: Context): boolean {
  if (wanted) requirePermission(viewer, 'editOthers')
  return wanted ?? false
}

function plainFilters(filter: Given, context: Context): Prisma.EventWhereInput {
  const { now } = context
  const filters: Prisma.EventWhereInput[] = []
  if (filter.include) filters.push({ id: { in: filter.include } })
  if (filter.parent != null) filters.push({ parentId: filter.parent, parent: visibleEvents(context) })
  if (filter.when === 'upcoming') filters.push({ endsAt: { gte: now } })
  if (filter.when === 'past') filters.push({ endsAt: { lt: now } })
  if (filter.runningAt) filters.push({ startsAt: { lte: filter.runningAt }, endsAt: { gte: filter.runningAt } })
  if (filter.startsAt) filters.push({ startsAt: given(filter.startsAt, same) })
  if (filter.endsAt) filters.push({ endsAt: given(filter.endsAt, same) })
  if (filter.startsLocal) filters.push({ startsLocal: given(filter.startsLocal, wallClockDate) })
  if (filter.endsLocal) filters.push({ endsLocal: given(filter.endsLocal, wallClockDate) })
  return { AND: [...filters, ...begun(filter)] }
}

const day = 86_400_000

/** What has ended has begun: where indexes by the start may stop. Clocks set forward put an end before its start. */
function begun({ endsAt, endsLocal }: Given): Prisma.EventWhereInput[] {
  const [instant, wallClock] = [endsAt?.lte ?? endsAt?.lt, endsLocal?.lte ?? endsLocal?.lt]
  const latest = instant && new Date(instant.getTime() + day)
  return [
    ...(latest && isStorable(latest) ? [{ startsAt: { lte: latest } }] : []),
    ...(wallClock ? [{ startsLocal: { lte: wallClockDate(wallClock) } }] : []),
  ]
}

function withheldFilters(
  filter: Given,
  terms: Readonly<Record<string, number[]>>,
  near: readonly number[],
  context: Context,
) {
  const filters: Prisma.EventWhereInput[] = []
  if (filter.venues) {
    filters.push({ venues: { some: { venueId: { in: filter.venues }, venue: listedVenues(context) } } })
  }
  if (filter.organizers) {
    const organizer = listedOrganizers(context)
    filters.push({ organizers: { some: { organizerId: { in: filter.organizers }, organizer } } })
  }
  if (filter.categories) filters.push(inBranches(terms.categories ?? []))
  if (filter.tags) filters.push({ tags: { some: { tagId: { in: terms.tags ?? [] } } } })
  if (filter.featured != null) filters.push({ featured: filter.featured })
  if (filter.ticketed != null) filters.push({ tickets: filter.ticketed ? { some: {} } : { none: {} } })
  if (filter.located != null) {
    const located = { venue: { AND: [listedVenues(context), unlocked(context), { latitude: { not: null } }] } }
    filters.push({ venues: filter.located ? { some: located } : { none: located } })
  }
  if (filter.near) filters.push({ venues: { some: { venueId: { in: [...near] } } } })
  return filters
}

/** Those within the radius whose coordinates are not withheld. */
async function openVenuesNear(near: typeof Near.$inferInput, context: Context): Promise<number[]> {
  const id = { in: await venuesNear(near, context) }
  const where = { AND: [{ id }, listedVenues(context), unlocked(context)] }
  return (await context.db.venue.findMany({ select: { id: true }, where })).map((venue) => venue.id)
}

const inBranches = (ids: number[]): Prisma.EventWhereInput => ({
  categories: { some: { category: { ancestors: { some: { ancestorId: { in: ids } } } } } },
})

export interface Range<Bound> {
  gt?: Bound | null | undefined
  gte?: Bound | null | undefined
  lt?: Bound | null | undefined
  lte?: Bound | null | undefined
}

const same = (date: Date) => date

function given<Bound>(range: Range<Bound>, toDate: (bound: Bound) => Date): Prisma.DateTimeFilter {
  const bounds = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((name) => {
    const bound = range[name]
    return bound == null ? [] : [[name, toDate(bound)] as const]
  })
  return Object.fromEntries(bounds)
}
