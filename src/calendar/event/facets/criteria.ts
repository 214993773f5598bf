// The facets of events and the criteria of a filter that each facet ignores.
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

/** Whether the filter has criteria that the facet ignores. */
export const hasOwnCriteria = (filter: EventFilterInput, facet: Facet): boolean =>
  ownCriteria[facet].some((name) => filter[name] != null)

export function withoutOwnCriteria(filter: EventFilterInput, facet: Facet): EventFilterInput {
  const others = { ...filter }
  for (const name of ownCriteria[facet]) delete others[name]
  return others
}
