// Counts the facets that an operation selects, in one statement.
import DataLoader from 'dataloader'
import { nextMidnightMs } from '../../../basics/dates/whole-days.ts'
import { toWallClock, wallClockToDate } from '../../../basics/time.ts'
import type { Prisma } from '../../../generated/prisma/client.ts'
import type { Context } from '../../../service/context.ts'
import { isStorableDate } from '../../../service/graphql/scalars.ts'
import { getOrComputeCount } from '../../list/cached-count.ts'
import { unlockedFilter } from '../../rules/record-password.ts'
import { listedPostsFilter } from '../../rules/status.ts'
import { inLanguageFilter } from '../../text/served-text.ts'
import { impliedStartRange } from '../days.ts'
import { type EventFilterInput, type EventSelection, hasSeries, toEventSelection } from '../filter.ts'
import { foldCities } from '../places.ts'
import { costAboveZeroFilter, costHasAmountFilter } from '../price.ts'
import {
  type Facet,
  type FacetRequest,
  type FacetScanRow,
  type FacetsOfEvents,
  type FacetValueCount,
  facetCountsSql,
} from './statement.ts'

/** The criteria of the filter that each facet ignores, so that the facet also counts values that are not selected. */
const ownCriteria = {
  categories: ['categories'],
  tags: ['tags'],
  venues: ['venues'],
  organizers: ['organizers'],
  cities: ['cities', 'placeName'],
  months: ['between', 'startsOn', 'startsAt', 'startsLocal', 'endsAt', 'endsLocal', 'runningAt'],
  languages: ['translatedInto'],
  prices: ['price'],
} as const satisfies Readonly<Record<Facet, readonly (keyof EventFilterInput)[]>>

const hasOwnCriteria = (filter: EventFilterInput, facet: Facet): boolean =>
  ownCriteria[facet].some((name) => filter[name] != null)

function withoutOwnCriteria(filter: EventFilterInput, facet: Facet): EventFilterInput {
  const others = { ...filter }
  for (const name of ownCriteria[facet]) delete others[name]
  return others
}

/** Counts the facets of the events that a filter selects. */
export interface FacetCounter {
  readonly filter: EventFilterInput
  total(): Promise<number>
  /** Returns the first values of a facet by number of events, and the values that the filter selects. */
  values(facet: Facet, first: number): Promise<readonly FacetValueCount[]>
}

interface Request {
  readonly key: string
  readonly facet?: Facet
  readonly first?: number
}

export function createFacetCounter(filter: EventFilterInput, context: Context): FacetCounter {
  const load = async (requests: readonly Request[]): Promise<readonly FacetScanRow[]> => {
    // One cache entry for all operations that count the same facets of the same filter, such as the pages of a list.
    const counted = requests.map(({ key }) => key)
    const results = await getOrComputeCount(context, { filter, counted }, (apart) => countAll(filter, requests, apart))
    return requests.map(({ key }) => results.find(({ counts }) => key in counts) ?? (results[0] as FacetScanRow))
  }
  const loader = new DataLoader(load, { cache: false })
  return {
    filter,
    total: async () => (await loader.load({ key: 'total' })).total,
    async values(facet, first) {
      const key = `${facet} ${first}`
      return (await loader.load({ key, facet, first })).counts[key] ?? []
    },
  }
}

/** Maximum of selected values that are returned in addition to the first values of a facet. */
const maxSelected = 100

interface Part {
  readonly where: Prisma.EventWhereInput
  readonly starts: ReturnType<typeof impliedStartRange>
  readonly counts: readonly FacetRequest[]
}

/** Runs all statements. The first row of the result has the total number of events, if it is requested. */
async function countAll(
  filter: EventFilterInput,
  requests: readonly Request[],
  context: Context,
): Promise<readonly FacetScanRow[]> {
  const selection = await toEventSelection(filter, context, { splitsByStart: true })
  const month = firstMonth(selection, context)
  const counts = new Map<string, FacetRequest>()
  for (const { key, facet, first = 0 } of requests) {
    if (facet) counts.set(key, { key, facet, first, selected: selectedValues(facet, filter, selection) })
  }
  // Each month counts a series that has a date in it.
  const hasOwnMonths = filter.occurrences === 'next' && (await hasSeries(context))
  const isApart = (facet: Facet) => hasOwnCriteria(filter, facet) || (facet === 'months' && hasOwnMonths)
  const groups = Map.groupBy(counts.values(), ({ facet }) => (isApart(facet) ? facet : undefined))
  const partOf = async (facet: Facet | undefined, counts: readonly FacetRequest[]): Promise<Part> => {
    const criteria = facet ? withoutOwnCriteria(filter, facet) : filter
    const options = { splitsByStart: true, isOfEachMonth: facet === 'months' }
    const events = facet ? await toEventSelection(criteria, context, options) : selection
    return { where: events.where, starts: startsOf(criteria, events, context), counts }
  }
  const shared = groups.get(undefined) ?? (requests.some(({ facet }) => facet === undefined) ? [] : undefined)
  const own = [...groups].filter(([facet]) => facet !== undefined && facet !== 'months')
  const parts = await Promise.all([
    ...(shared ? [partOf(undefined, shared)] : []),
    ...own.map(([facet, counts]) => partOf(facet, counts)),
  ])
  const ofMonths = groups.get('months')
  const months = ofMonths && (await partOf('months', ofMonths))
  return (await Promise.all([runParts(parts, month, context), countMonths(months, month, context)])).flat()
}

function startsOf({ when, runningAt }: EventFilterInput, { times }: EventSelection, { now }: Context) {
  return impliedStartRange([
    ...times,
    ...(when === 'upcoming' ? [{ endsAt: { gte: now } }] : []),
    ...(when === 'past' ? [{ endsAt: { lt: now } }] : []),
    ...(runningAt ? [{ startsAt: { lte: runningAt }, endsAt: { gte: runningAt } }] : []),
  ])
}

/** Counts months in a separate, parallel statement, because the months count other events than the other facets. */
async function countMonths(part: Part | undefined, month: string, context: Context): Promise<readonly FacetScanRow[]> {
  if (!part) return []
  const results = await runParts([fromMonth(part, month)], month, context)
  return results.some((result) => lacksMonths(result, part)) ? runParts([part], month, context) : results
}

/**
 * Limits a count by month to the requested number of months from `month` on. Counting the events of all months takes much longer,
 * and is only needed if some of these months have no events.
 */
function fromMonth({ where, starts, counts }: Part, month: string): Part {
  const count = Math.max(...counts.map(({ first }) => first))
  const [year = 0, number = 0] = month.split('-').map(Number)
  const [start, end] = [wallClockToDate(`${month}-01T00:00:00`), wallClockToDate(`${month}-01T00:00:00`)]
  end.setUTCFullYear(year, number - 1 + count, 1)
  return {
    counts,
    starts,
    where: { AND: [where, { startsLocal: { gte: start, ...(isStorableDate(end) && { lt: end }) } }] },
  }
}

const lacksMonths = (result: FacetScanRow, { counts }: Part): boolean =>
  counts.some(({ key, first }) => (result.counts[key]?.length ?? first) < first)

function selectedValues(facet: Facet, { cities }: EventFilterInput, { references }: EventSelection) {
  const values: readonly (number | string)[] = facet === 'cities' ? foldCities(cities ?? []) : (references[facet] ?? [])
  return [...new Set(values)].slice(0, maxSelected)
}

async function runParts(parts: readonly Part[], month: string, context: Context): Promise<readonly FacetScanRow[]> {
  if (parts.length === 0) return []
  const { reads, language } = context
  const named = inLanguageFilter(context)
  const isAlwaysNamed = Object.keys(named).length === 0
  const [venues, category, tag, venue, organizer, ...scans] = await Promise.all([
    reads.venue.matchingRowsSql(listedPostsFilter(context), { open: unlockedFilter(context) }),
    isAlwaysNamed ? undefined : reads.category.matchingRowsSql(named),
    isAlwaysNamed ? undefined : reads.tag.matchingRowsSql(named),
    reads.venue.matchingRowsSql({ AND: [listedPostsFilter(context), named] }),
    reads.organizer.matchingRowsSql({ AND: [listedPostsFilter(context), named] }),
    ...parts.map((part) => scanOf(part, context)),
  ])
  const statement = facetCountsSql(scans, { venues, listed: { category, tag, venue, organizer }, language, month })
  const [row] = await reads.rows<Record<string, string>>(statement)
  return parts.map((_, index) => JSON.parse(row?.[`scan${index}`] ?? '') as FacetScanRow)
}

async function scanOf({ where, starts, counts }: Part, context: Context): Promise<FacetsOfEvents> {
  const facets = new Set(counts.map(({ facet }) => facet))
  const needsLocks = [...facets].some((facet) => facet !== 'months' && facet !== 'languages')
  const flags = {
    open: needsLocks ? unlockedFilter(context) : {},
    ...(facets.has('prices') && { priced: costHasAmountFilter, paid: costAboveZeroFilter }),
  }
  const matching = (range: Prisma.EventWhereInput) =>
    context.reads.event.matchingRowsSql({ AND: [where, range] }, flags)
  const { from, until } = starts
  if (!from && !until) return { events: await matching({}), counts }
  const [events, others] = await Promise.all([
    matching({ startsAt: { ...(from && { gte: from }), ...(until && { lte: until }) } }),
    matching({
      lastsLong: true,
      OR: [...(from ? [{ startsAt: { lt: from } }] : []), ...(until ? [{ startsAt: { gt: until } }] : [])],
    }),
  ])
  return { events, inRange: { from, until, others }, counts }
}

/** Returns the month of the first day that the filter selects, or else the current month. */
function firstMonth({ times }: EventSelection, { now, settings, reads }: Context): string {
  const zone = settings.siteTimeZone
  const [first] = times.flatMap(({ startsLocal, endsLocal, startsAt, endsAt }) => {
    const local = startsLocal?.gte ?? startsLocal?.gt ?? endsLocal?.gte ?? endsLocal?.gt
    const instant = startsAt?.gte ?? startsAt?.gt ?? endsAt?.gte ?? endsAt?.gt
    return local ?? (instant ? toWallClock(instant, zone) : [])
  })
  if (first !== undefined) return first.slice(0, 7)
  reads.expiresAt(nextMidnightMs(now, zone))
  return toWallClock(now, zone).slice(0, 7)
}
