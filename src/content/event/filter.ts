import type { Context } from '../../context.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import { builder } from '../../graphql/builder.ts'
import { wallClockDate } from '../../time.ts'
import { RecordStatus } from '../enums.ts'
import { visibleOrganizers } from '../organizer/visibility.ts'
import { unlocked } from '../password.ts'
import { requireRight } from '../rights.ts'
import { inLanguage } from '../served.ts'
import { inStatus, unlessTrashed } from '../status.ts'
import { visibleVenues } from '../venue/visibility.ts'
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

export const EventFilter = builder.inputType('EventFilter', {
  description: 'Which events; all that is given applies. Numbers are `databaseId`s; of several one must fit.',
  fields: (t) => ({
    include: t.intList({ description: 'These events.' }),
    startsAt: t.field({ type: InstantRange, description: 'By the instant of the start.' }),
    endsAt: t.field({ type: InstantRange, description: 'By the instant of the end.' }),
    startsLocal: t.field({ type: LocalRange, description: 'By the wall clock of the start.' }),
    endsLocal: t.field({ type: LocalRange, description: 'By the wall clock of the end.' }),
    venues: t.intList({ description: 'Held at one of these venues.' }),
    organizers: t.intList({ description: 'Held by one of these organizers.' }),
    categories: t.intList({ description: 'In one of these categories, or in one that is part of them.' }),
    tags: t.intList({ description: 'With one of these tags.' }),
    featured: t.boolean({ description: 'Only featured events, or only others.' }),
    ticketed: t.boolean({ description: 'Only events with tickets, or only those without.' }),
    parent: t.int({ description: 'Parts of this event.' }),
    status: t.field({ type: [RecordStatus], description: 'In one of these; by default in any but the trash.' }),
    hideFromListings: t.boolean({
      description: 'True: only those kept out of lists, for those who edit what others write.',
    }),
  }),
})

type Given = typeof EventFilter.$inferInput

/**
 * Listed events that fit a filter. What asks about withheld fields leaves out locked events; what names a record that the
 * caller may not see finds nothing.
 */
export function eventsWhere(filter: Given, context: Context): Prisma.EventWhereInput {
  const withheld = withheldFilters(filter, context)
  return {
    AND: [
      visibleEvents(context),
      filter.status ? inStatus(filter.status, context) : unlessTrashed,
      { hideFromListings: hidden(filter.hideFromListings, context) },
      inLanguage(context),
      plainFilters(filter, context),
      ...(withheld.length > 0 ? [unlocked(context), ...withheld] : []),
    ],
  }
}

function hidden(wanted: boolean | null | undefined, { viewer }: Context): boolean {
  if (wanted) requireRight(viewer, 'editOthers')
  return wanted ?? false
}

function plainFilters(filter: Given, context: Context): Prisma.EventWhereInput {
  return {
    ...(filter.include ? { id: { in: filter.include } } : {}),
    ...(filter.parent != null ? { parentId: filter.parent, parent: visibleEvents(context) } : {}),
    ...(filter.startsAt ? { startsAt: given(filter.startsAt, same) } : {}),
    ...(filter.endsAt ? { endsAt: given(filter.endsAt, same) } : {}),
    ...(filter.startsLocal ? { startsLocal: given(filter.startsLocal, wallClockDate) } : {}),
    ...(filter.endsLocal ? { endsLocal: given(filter.endsLocal, wallClockDate) } : {}),
  }
}

function withheldFilters(filter: Given, context: Context): Prisma.EventWhereInput[] {
  const filters: Prisma.EventWhereInput[] = []
  if (filter.venues) {
    filters.push({ venues: { some: { venueId: { in: filter.venues }, venue: visibleVenues(context) } } })
  }
  if (filter.organizers) {
    const organizer = visibleOrganizers(context)
    filters.push({ organizers: { some: { organizerId: { in: filter.organizers }, organizer } } })
  }
  if (filter.categories) filters.push(inBranches(filter.categories))
  if (filter.tags) filters.push({ tags: { some: { tagId: { in: filter.tags } } } })
  if (filter.featured != null) filters.push({ featured: filter.featured })
  if (filter.ticketed != null) filters.push({ tickets: filter.ticketed ? { some: {} } : { none: {} } })
  return filters
}

const inBranches = (ids: number[]): Prisma.EventWhereInput => ({
  categories: { some: { category: { ancestors: { some: { ancestorId: { in: ids } } } } } },
})

interface Range<Bound> {
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
