// Translates the criteria of one filter of events, without those of filters within it.

import { memoizeByObject } from '../../basics/memoize.ts'
import type { Prisma } from '../../generated/prisma/client.ts'
import type { Context } from '../../service/context.ts'
import { hasBound, toDateFilter } from '../list/date-range.ts'
import { type NearVenue, venuesNear } from '../list/distance.ts'
import { type ReferencedIds, resolveReferences } from '../list/references.ts'
import { translationWhere } from '../list/translation-filter.ts'
import { lockedFor, unlocked } from '../rules/record-password.ts'
import { inStatus, statusErrors } from '../rules/status.ts'
import { listedOrganizers, listedVenues, visibleEvents } from '../rules/visibility.ts'
import { eventTextMatches } from '../search/posts.ts'
import type { SearchMode } from '../search/word-forms.ts'
import type { Criteria } from './criteria-input.ts'
import { type Criterion, onVisible, onWithheld } from './criterion.ts'
import { selectDays } from './days.ts'
import { venuesInCities, venuesNamed } from './places.ts'
import { priceErrors, priceWhere } from './price.ts'
import { type EventTimes, timesWhere } from './times.ts'
import { withUids } from './uid.ts'

type Where = Prisma.EventWhereInput

export interface OwnCriteria {
  readonly criteria: readonly Criterion[]
  /** Without `near`. */
  readonly anywhere: readonly Criterion[]
  /** Ranges of start and end. They combine with AND. */
  readonly times: readonly EventTimes[]
  /** Visible venues within the radius of `near`, nearest first. */
  readonly venues: readonly NearVenue[]
  /** Database IDs of the records in the filter, by field. */
  readonly references: ReferencedIds
}

interface Options {
  /** Errors of other checks, by field. */
  readonly errors: Readonly<Record<string, string>>
  readonly searchMode: SearchMode
  /** See `eventsWhere`. */
  readonly splitsByStart?: boolean
}

/** Throws badInput for invalid references. */
export async function ownCriteria(
  filter: Criteria,
  { errors: others, searchMode, splitsByStart = false }: Options,
  context: Context,
): Promise<OwnCriteria> {
  const { days, errors } = selectDays(filter, context)
  const ids = await resolveReferences(
    {
      errors: { ...others, ...errors, ...statusErrors(filter.status, context.viewer), ...priceErrors(filter.price) },
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
  // A lock withholds the coordinates.
  const venues = filter.near
    ? await venuesNear(filter.near, { AND: [listedVenues(context), unlocked(context)] }, context)
    : []
  const named = filter.placeName == null ? undefined : await venuesNamed(filter.placeName, context)
  const inCities = filter.cities ? await venuesInCities(filter.cities, context) : undefined
  const atPlaces = [named, inCities].flatMap((found) => (found ? [atVenues(found)] : []))
  const text = filter.search == null ? undefined : await textMatches(filter.search, searchMode, context)
  const times: EventTimes[] = [filter, ...days.map((each) => each.times)]
  const withheld = [...withheldFilters(filter, ids, context), ...atPlaces]
  const visible: Where[] = [
    ...(filter.status ? [inStatus(filter.status, context)] : []),
    ...translationWhere(filter),
    ...plainFilters(filter, ids, context),
    ...times.flatMap(timesWhere),
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

/** A list, its total, its facets and its calendar often have the same search in one operation. */
async function textMatches(search: string, mode: SearchMode, context: Context) {
  const { writes, language, passwordKey } = context
  const known = knownMatches(writes)
  const key = JSON.stringify([mode, writes.all.length, language, passwordKey, search])
  const found = known.get(key) ?? findTextMatches(search, mode, context)
  known.set(key, found)
  const matches = await found.matches
  context.reads.add(found.reads.record)
  return matches
}

function findTextMatches(search: string, mode: SearchMode, context: Context) {
  const reads = context.reads.apart()
  return { reads, matches: eventTextMatches(search, mode, { ...context, reads }) }
}

const knownMatches = memoizeByObject(
  (_writes: Context['writes']) => new Map<string, ReturnType<typeof findTextMatches>>(),
)

function plainFilters(filter: Criteria, ids: ReferencedIds, context: Context): Where[] {
  const { now, site } = context
  const filters: Where[] = []
  if (filter.include) filters.push({ id: { in: ids.include ?? [] } })
  if (filter.uids) filters.push(withUids(filter.uids, site))
  if (filter.locked != null) {
    filters.push(filter.locked ? (lockedFor(context) ?? { id: { in: [] } }) : unlocked(context))
  }
  if (filter.parent != null) {
    const parent = { parentId: ids.parent?.[0] ?? 0, parent: visibleEvents(context) }
    filters.push({ AND: [{ parentId: { not: null } }, parent] })
  }
  if (filter.authors) {
    filters.push({ AND: [{ authorId: { not: null } }, { authorId: { in: ids.authors ?? [] } }] })
  }
  if (hasBound(filter.modifiedAt)) filters.push({ modifiedAt: toDateFilter(filter.modifiedAt) })
  if (filter.eventStatus) filters.push({ eventStatus: { in: filter.eventStatus } })
  if (filter.attendanceMode) filters.push({ attendanceMode: { in: filter.attendanceMode } })
  if (filter.when === 'upcoming') filters.push({ endsAt: { gte: now } })
  if (filter.when === 'past') filters.push({ endsAt: { lt: now } })
  if (filter.runningAt) filters.push({ startsAt: { lte: filter.runningAt }, endsAt: { gte: filter.runningAt } })
  return filters
}

const atVenues = (ids: number[]): Where => ({ venues: { some: { venueId: { in: ids } } } })

function withheldFilters(filter: Criteria, ids: ReferencedIds, context: Context): Where[] {
  const filters: Where[] = []
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
  if (filter.allDay != null) filters.push({ allDay: filter.allDay })
  if (filter.price) filters.push(...priceWhere(filter.price, context.settings))
  return filters
}

const inCategoryTrees = (ids: number[]): Where => ({
  categories: { some: { category: { ancestors: { some: { ancestorId: { in: ids } } } } } },
})
