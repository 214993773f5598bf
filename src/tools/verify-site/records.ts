// The kinds of records of the contract, and what is drawn from them.
import type { JsonObject } from './json.ts'
import type { Query, SiteRequest } from './request.ts'

export const resources = ['events', 'venues', 'organizers', 'categories', 'tags'] as const
export type Resource = (typeof resources)[number]

export const isResource = (name: string): name is Resource => (resources as readonly string[]).includes(name)

/** Records of a site that its lists showed, by resource. */
export type Records = Readonly<Record<Resource, readonly JsonObject[]>>

/** The ID by which the asked site knows a record of the legacy site. */
export type ResolveId = (resource: Resource, id: number) => number

/** Dates before and after every event. */
export const always: Query = { start_date: '1970-01-01', end_date: '2100-01-01' }

export const request = (path: string, query: Query = {}): SiteRequest => ({ path, query })

/** A word of a name that a search finds. */
export function searchWord(name: string): string | undefined {
  return name.replace(/&#?\w+;/g, ' ').match(/[A-Za-z]{4,}/)?.[0]
}

/** One item of each list in turn. */
export function inTurn<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const longest = Math.max(0, ...lists.map((list) => list.length))
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat()
}
