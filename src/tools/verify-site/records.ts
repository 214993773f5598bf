// Builds requests with values from the records of the legacy site, and picks samples of these records.
import { idOf, type JsonObject, type Resource, toText } from './json.ts'
import type { SiteRequest } from './send.ts'

export interface Records {
  readonly byResource: Readonly<Record<Resource, readonly JsonObject[]>>
  /** Returns the ID of a record of the legacy site on the site that gets the request. */
  resolveId(resource: Resource, id: number): number
}

/** Date filters that select all events. */
export const anyDates = { start_date: '1970-01-01', end_date: '2100-01-01' } as const

/** Returns a list with the request; an empty list if the path or a parameter is undefined, because the site has no value. */
export function buildRequest(
  path: string | undefined,
  query: Readonly<Record<string, string | undefined>> = {},
): SiteRequest[] {
  const isKnown = path !== undefined && Object.values(query).every((value) => value !== undefined && value !== '')
  return isKnown ? [{ path, query: query as SiteRequest['query'] }] : []
}

/** Returns the ID of a record on the site that gets the request. */
export function idOnSite(
  { resolveId }: Records,
  resource: Resource,
  record: JsonObject | undefined,
): string | undefined {
  const id = idOf(record?.id)
  return id === undefined ? undefined : String(resolveId(resource, id))
}

export const someIds = (records: Records, resource: Resource, count: number): string[] =>
  pickSpread(records.byResource[resource], count).flatMap((record) => idOnSite(records, resource, record) ?? [])

/** Returns a word of a name, for a search. */
export const searchWord = (name: unknown): string | undefined =>
  toText(name)
    .replace(/&#?\w+;/g, ' ')
    .match(/[A-Za-z]{4,}/)?.[0]

/** Returns `count` items at equal distances, including the first and the last one. */
export function pickSpread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** Sorts the items (first, last, middle, …) so that the start of the result is always spread over the whole list. */
export function sortScattered<Item>(items: readonly Item[]): Item[] {
  const indexes = new Set<number>()
  for (let parts = 1; indexes.size < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) indexes.add(Math.round((part * (items.length - 1)) / parts))
  }
  return [...indexes].map((index) => items[index] as Item)
}

/** Returns the first item of each list, then the second item of each list, and so on. */
export function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
