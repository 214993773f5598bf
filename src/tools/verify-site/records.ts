// The records that the lists of the legacy site showed, and the requests that ask for them.
import { idOf, type JsonObject, type Resource, toText } from './json.ts'
import type { SiteRequest } from './send.ts'

export interface Records {
  readonly byResource: Readonly<Record<Resource, readonly JsonObject[]>>
  /** The ID by which the asked site knows a record of the legacy site. */
  resolveId(resource: Resource, id: number): number
}

/** Dates before and after every event. */
export const anyDates = { start_date: '1970-01-01', end_date: '2100-01-01' } as const

/** A list with the request; an empty one if its path or a parameter has no value on this site. */
export function buildRequest(
  path: string | undefined,
  query: Readonly<Record<string, string | undefined>> = {},
): SiteRequest[] {
  const isKnown = path !== undefined && Object.values(query).every((value) => value !== undefined && value !== '')
  return isKnown ? [{ path, query: query as SiteRequest['query'] }] : []
}

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

/** A word of a name that a search finds. */
export const searchWord = (name: unknown): string | undefined =>
  toText(name)
    .replace(/&#?\w+;/g, ' ')
    .match(/[A-Za-z]{4,}/)?.[0]

/** `count` items with equal distances, the first and the last included. */
export function pickSpread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) return [...items]
  const step = (items.length - 1) / Math.max(1, count - 1)
  return Array.from({ length: count }, (_, index) => items[Math.round(index * step)] as Item)
}

/** All items, the first, last and middle ones before those between them: each start of the result is spread. */
export function sortScattered<Item>(items: readonly Item[]): Item[] {
  const indexes = new Set<number>()
  for (let parts = 1; indexes.size < items.length; parts *= 2) {
    for (let part = 0; part <= parts; part++) indexes.add(Math.round((part * (items.length - 1)) / parts))
  }
  return [...indexes].map((index) => items[index] as Item)
}

/** One item of each list in turn. */
export function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
