// Converts the criteria of a filter of events to Prisma filters, without the nested filters in `not` and `any`.

import { memoizeByObject } from '../../basics/memoize.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { findVenuesNear } from '../list/distance.ts'
import { commonPostConditions } from '../list/post-filter.ts'
import { type ReferencedIds, resolveReferences } from '../list/references.ts'
import { parseReferenceId } from '../rules/identify.ts'
import { lockedFilter, unlockedFilter } from '../rules/record-password.ts'
import { listedPostsFilter, readableFilter, statusErrors } from '../rules/status.ts'
import { matchEventTexts } from '../search/matches.ts'
import type { SearchMode } from '../search/word-forms.ts'
import type { EventCriteria } from './criteria-input.ts'
import { dayFiltersToWhere, type EventTimes, eventTimesFilter } from './days.ts'
import { findVenuesByPlace, findVenuesInCities } from './places.ts'
import { findPriceErrors, toPriceConditions } from './price.ts'
import { uidsFilter } from './uid.ts'

type Where = Prisma.EventWhereInput

/** A filter of events and its negation. Neither selects locked events by fields that locked events hide. */
export interface Criterion {
  /** Events that meet the criterion. */
  readonly met: Where
  /** Events that fail the criterion. Locked events may be neither in `met` nor in `failed`. */
  readonly failed: Where
}

/** A criterion about fields that are visible even on locked events. The condition must not be NULL in SQL: NOT NULL is NULL. */
const onVisible = (where: Where): Criterion => ({ met: where, failed: { NOT: where } })

/** A criterion about fields that locked events hide. The conditions combine with AND. */
const onWithheld = (conditions: readonly Where[], context: Context): Criterion => ({
  met: { AND: [unlockedFilter(context), ...conditions] },
  failed: { AND: [unlockedFilter(context), { NOT: { AND: [...conditions] } }] },
})

/** Combines conditions with OR; an empty list selects nothing, although Prisma ignores an empty OR in some places. */
const either = (conditions: Where[]): Where => (conditions.length === 0 ? { id: { in: [] } } : { OR: conditions })

export const allOf = (criteria: readonly Criterion[]): Criterion => ({
  met: { AND: criteria.map(({ met }) => met) },
  failed: either(criteria.map(({ failed }) => failed)),
})

export const anyOf = (criteria: readonly Criterion[]): Criterion => ({
  met: either(criteria.map(({ met }) => met)),
  failed: { AND: criteria.map(({ failed }) => failed) },
})

export const negate = ({ met, failed }: Criterion): Criterion => ({ met: failed, failed: met })

export type CriteriaFilters = Awaited<ReturnType<typeof criteriaToFilters>>

interface Options {
  readonly errors: Readonly<Record<string, string>>
  readonly searchMode: SearchMode
  readonly splitsByStart?: boolean | undefined
}

/** Converts the criteria. `anywhere` leaves out `near`; `venues` are the visible venues in the circle of `near`, nearest first. */
export async function criteriaToFilters(
  filter: EventCriteria,
  { errors: others, searchMode, splitsByStart = false }: Options,
  context: Context,
) {
  const { days, errors } = dayFiltersToWhere(filter, context)
  const ids = await resolveReferences(
    {
      errors: {
        ...others,
        ...errors,
        ...statusErrors(filter.status, context.viewer),
        ...findPriceErrors(filter.price),
      },
      mustExist: filter.mustExist,
      include: ['event', filter.include],
      records: {
        venues: ['venue', filter.venues],
        organizers: ['organizer', filter.organizers],
        authors: ['user', filter.authors],
        parent: ['event', filter.parent],
      },
      terms: { categories: ['category', filter.categories], tags: ['tag', filter.tags] },
    },
    context,
  )
  // Locked venues hide their coordinates.
  const venues = filter.near
    ? await findVenuesNear(filter.near, { AND: [listedPostsFilter(context), unlockedFilter(context)] }, context)
    : []
  const named = filter.placeName == null ? undefined : await findVenuesByPlace(filter.placeName, context)
  const inCities = filter.cities && (await findVenuesInCities(filter.cities, context))
  const atPlaces = [named, inCities].flatMap((found) => (found ? [atVenues(found)] : []))
  const text = filter.search == null ? undefined : await textMatches(filter.search, searchMode, context)
  const times: EventTimes[] = [filter, ...days.map((each) => each.times)]
  const withheld = [...withheldFilters(filter, ids, context), ...atPlaces]
  const visible: Where[] = [
    ...commonPostConditions(filter, ids, context),
    ...plainFilters(filter, ids, context),
    ...times.flatMap(eventTimesFilter),
    ...days.flatMap(({ where, implied }) => (implied && !splitsByStart ? [where, implied] : [where])),
    ...(text ? [text] : []),
  ]
  const plain = visible.map(onVisible)
  const anywhere = [...plain, ...(withheld.length > 0 || filter.near ? [onWithheld(withheld, context)] : [])]
  const criteria = filter.near
    ? [...plain, onWithheld([...withheld, atVenues(venues.map(({ id }) => id))], context)]
    : anywhere
  return { criteria, anywhere, times, venues, references: ids }
}

/** Cached, because a list, its total, its facets and its calendar often use the same search in one operation. */
const knownMatches = memoizeByObject(
  (_writes: Context['writes']) =>
    new Map<string, { readonly reads: Context['reads']; readonly matches: ReturnType<typeof matchEventTexts> }>(),
)

async function textMatches(search: string, mode: SearchMode, context: Context) {
  const { writes, language, passwordKey } = context
  const known = knownMatches(writes)
  const key = JSON.stringify([mode, writes.all.length, language, passwordKey, search])
  const reads = context.reads.apart()
  const found = known.get(key) ?? { reads, matches: matchEventTexts(search, mode, { ...context, reads }) }
  known.set(key, found)
  const matches = await found.matches
  context.reads.add(found.reads.record)
  return matches
}

function plainFilters(filter: EventCriteria, ids: ReferencedIds, context: Context): Where[] {
  const { now, site } = context
  const filters: Where[] = []
  if (filter.uids) filters.push(uidsFilter(filter.uids, site))
  if (filter.series) {
    const ids = filter.series.map((id) => parseReferenceId<never>('series', id, 'series'))
    // Without the first condition, the negation is NULL for events that are no dates of a series.
    filters.push({ AND: [{ seriesId: { not: null } }, { seriesId: { in: ids } }] })
  }
  if (filter.locked != null) {
    filters.push(filter.locked ? (lockedFilter(context) ?? { id: { in: [] } }) : unlockedFilter(context))
  }
  if (filter.parent != null) {
    const parent = { parentId: ids.parent?.[0] ?? 0, parent: readableFilter(context) }
    filters.push({ AND: [{ parentId: { not: null } }, parent] })
  }
  if (filter.eventStatus) filters.push({ eventStatus: { in: filter.eventStatus } })
  if (filter.attendanceMode) filters.push({ attendanceMode: { in: filter.attendanceMode } })
  if (filter.when === 'upcoming') filters.push({ endsAt: { gte: now } })
  if (filter.when === 'past') filters.push({ endsAt: { lt: now } })
  if (filter.runningAt) filters.push({ startsAt: { lte: filter.runningAt }, endsAt: { gte: filter.runningAt } })
  return filters
}

const atVenues = (ids: number[]): Where => ({ venues: { some: { venueId: { in: ids } } } })

function withheldFilters(filter: EventCriteria, ids: ReferencedIds, context: Context): Where[] {
  const filters: Where[] = []
  if (filter.venues) {
    filters.push({ venues: { some: { venueId: { in: ids.venues ?? [] }, venue: listedPostsFilter(context) } } })
  }
  if (filter.organizers) {
    const organizer = listedPostsFilter(context)
    filters.push({ organizers: { some: { organizerId: { in: ids.organizers ?? [] }, organizer } } })
  }
  if (filter.categories) {
    const inTree = { ancestors: { some: { ancestorId: { in: ids.categories ?? [] } } } }
    filters.push({ categories: { some: { category: inTree } } })
  }
  if (filter.tags) filters.push({ tags: { some: { tagId: { in: ids.tags ?? [] } } } })
  if (filter.featured != null) filters.push({ featured: filter.featured })
  if (filter.ticketed != null) filters.push({ tickets: filter.ticketed ? { some: {} } : { none: {} } })
  if (filter.located != null) {
    const located = {
      venue: { AND: [listedPostsFilter(context), unlockedFilter(context), { latitude: { not: null } }] },
    }
    filters.push({ venues: filter.located ? { some: located } : { none: located } })
  }
  if (filter.allDay != null) filters.push({ allDay: filter.allDay })
  if (filter.price) filters.push(...toPriceConditions(filter.price, context.settings))
  return filters
}
