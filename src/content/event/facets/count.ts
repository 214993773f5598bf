// Counts the facets that an operation selects, in one statement.
import DataLoader from 'dataloader'
import type { Context } from '../../../context.ts'
import { nextMidnight } from '../../../dates/whole-days.ts'
import { queryRows } from '../../../db/query.ts'
import { toWallClock } from '../../../time.ts'
import { unlocked } from '../../lifecycle/record-password.ts'
import { listedOrganizers } from '../../organizer/visibility.ts'
import { foldLine } from '../../text/text-rows.ts'
import { listedVenues } from '../../venue/visibility.ts'
import { type EventFilterInput, type EventSelection, eventsWhere } from '../filter.ts'
import { type Facet, hasOwnCriteria, withoutOwnCriteria } from './criteria.ts'
import { priceFlags } from './prices.ts'
import { type CountedValue, type FacetCount, type FacetScan, facetStatement, type ScanResult } from './statement.ts'

/** The counts of one list of events. */
export interface EventFacets {
  readonly filter: EventFilterInput
  total(): Promise<number>
  /** The first values of a facet, and the ones that the filter selects. */
  values(facet: Facet, first: number): Promise<readonly CountedValue[]>
}

/** A facet, or the total. */
interface Request {
  readonly key: string
  readonly facet?: Facet
  readonly first?: number
}

export function eventFacets(filter: EventFilterInput, context: Context): EventFacets {
  const loader = new DataLoader((requests: readonly Request[]) => countAll(filter, requests, context), { cache: false })
  return {
    filter,
    total: async () => (await loader.load({ key: 'total' })).total,
    async values(facet, first) {
      const key = `${facet} ${first}`
      return (await loader.load({ key, facet, first })).counts[key] ?? []
    },
  }
}

/** Selected values that are returned in addition to the first ones. */
const maxSelected = 100

async function countAll(
  filter: EventFilterInput,
  requests: readonly Request[],
  context: Context,
): Promise<readonly ScanResult[]> {
  const selection = await eventsWhere(filter, context)
  const counts = new Map<string, FacetCount>()
  for (const { key, facet, first = 0 } of requests) {
    if (facet) counts.set(key, { key, facet, first, selected: selectedValues(facet, filter, selection) })
  }
  const isShared = ({ facet }: { readonly facet?: Facet }) => facet === undefined || !hasOwnCriteria(filter, facet)
  const shared = [...counts.values()].filter(isShared)
  const own = Map.groupBy(
    [...counts.values()].filter((count) => !isShared(count)),
    ({ facet }) => facet,
  )
  const scans = await Promise.all([
    ...(requests.some(isShared) ? [scanOf(selection, shared, context)] : []),
    ...[...own].map(async ([facet, same]) =>
      scanOf(await eventsWhere(withoutOwnCriteria(filter, facet), context), same, context),
    ),
  ])
  const results = await runScans(scans, selection, context)
  return requests.map(({ key }) => results.find(({ counts: found }) => key in found) ?? (results[0] as ScanResult))
}

function selectedValues(facet: Facet, { cities }: EventFilterInput, { references }: EventSelection) {
  const values: readonly (number | string)[] =
    facet === 'cities' ? (cities ?? []).map(foldLine) : (references[facet] ?? [])
  return [...new Set(values)].slice(0, maxSelected)
}

async function scanOf({ where }: EventSelection, counts: readonly FacetCount[], context: Context): Promise<FacetScan> {
  const facets = new Set(counts.map(({ facet }) => facet))
  const needsLocks = [...facets].some((facet) => facet !== 'months' && facet !== 'languages')
  const flags = { open: needsLocks ? unlocked(context) : {}, ...(facets.has('prices') && priceFlags(context)) }
  return { events: await context.db.event.matchingRows(where, flags), counts }
}

async function runScans(
  scans: readonly FacetScan[],
  selection: EventSelection,
  context: Context,
): Promise<readonly ScanResult[]> {
  const { db, language } = context
  const [venues, organizers] = await Promise.all([
    db.venue.matchingRows(listedVenues(context), { open: unlocked(context) }),
    db.organizer.matchingRows(listedOrganizers(context)),
  ])
  const month = firstMonth(selection, context)
  const { text, values } = facetStatement(scans, { venues, organizers, language, month })
  const [row] = await queryRows<Record<string, string>>(db, { text, values, prepared: undefined })
  return scans.map((_, index) => JSON.parse(row?.[`scan${index}`] ?? '') as ScanResult)
}

/** The month of the first day that the filter selects, or else the current one. */
function firstMonth({ times }: EventSelection, { now, settings, recorder }: Context): string {
  const zone = settings.siteTimeZone
  const [first] = times.flatMap(({ startsLocal, endsLocal, startsAt, endsAt }) => {
    const local = startsLocal?.gte ?? startsLocal?.gt ?? endsLocal?.gte ?? endsLocal?.gt
    const instant = startsAt?.gte ?? startsAt?.gt ?? endsAt?.gte ?? endsAt?.gt
    return local ?? (instant ? toWallClock(instant, zone) : [])
  })
  if (first !== undefined) return first.slice(0, 7)
  recorder?.expiresAt(nextMidnight(now, zone))
  return toWallClock(now, zone).slice(0, 7)
}
