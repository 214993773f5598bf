// The facets of events, the criteria of a filter that each facet ignores, and the records that it reads.
import type { CachedKind } from '../../../engine/cache/changes.ts'
import type { EventFilterInput } from '../filter.ts'

const ownCriteria = {
  categories: ['categories'],
  tags: ['tags'],
  venues: ['venues'],
  organizers: ['organizers'],
  cities: ['cities', 'placeName'],
  months: ['between', 'startsOn', 'startsAt', 'startsLocal', 'endsAt', 'endsLocal', 'runningAt'],
  languages: ['translatedInto'],
  prices: ['price'],
} as const satisfies Readonly<Record<string, readonly (keyof EventFilterInput)[]>>

export type Facet = keyof typeof ownCriteria

/** The kinds of records that the counts of a facet depend on. */
export const kindsOf: Readonly<Record<Facet, readonly CachedKind[]>> = {
  categories: ['event', 'category'],
  tags: ['event', 'tag'],
  venues: ['event', 'venue'],
  organizers: ['event', 'organizer'],
  cities: ['event', 'venue'],
  months: ['event'],
  languages: ['event'],
  prices: ['event'],
}

/** Whether the filter has criteria that the facet ignores. */
export const hasOwnCriteria = (filter: EventFilterInput, facet: Facet): boolean =>
  ownCriteria[facet].some((name) => filter[name] != null)

export function withoutOwnCriteria(filter: EventFilterInput, facet: Facet): EventFilterInput {
  const others = { ...filter }
  for (const name of ownCriteria[facet]) delete others[name]
  return others
}
