// Builds requests with values from the records of the legacy site, and picks samples of these records.
import { type JsonObject, type Resource, toRecordId, toText } from './json.ts'
import { pickSpread } from './sampling.ts'
import type { SiteRequest } from './send.ts'

export interface LegacyRecords {
  readonly byResource: Readonly<Record<Resource, readonly JsonObject[]>>
  /** Returns the ID of a record of the legacy site on the site that gets the request. */
  resolveId(resource: Resource, id: number): number
}

/** Date filters that select all events. */
export const allDates = { start_date: '1970-01-01', end_date: '2100-01-01' } as const

/** Returns a list with the request; an empty list if the path or a parameter is undefined, because the site has no value. */
export function toRequests(
  path: string | undefined,
  query: Readonly<Record<string, string | undefined>> = {},
): SiteRequest[] {
  const isKnown = path !== undefined && Object.values(query).every((value) => value !== undefined && value !== '')
  return isKnown ? [{ path, query: query as SiteRequest['query'] }] : []
}

/** Returns the ID of a record on the site that gets the request. */
export function findIdOnSite(
  { resolveId }: LegacyRecords,
  resource: Resource,
  record: JsonObject | undefined,
): string | undefined {
  const id = toRecordId(record?.id)
  return id === undefined ? undefined : String(resolveId(resource, id))
}

export const pickIds = (records: LegacyRecords, resource: Resource, count: number): string[] =>
  pickSpread(records.byResource[resource], count).flatMap((record) => findIdOnSite(records, resource, record) ?? [])

/** Returns a word of a name, for a search. */
export const pickSearchWord = (name: unknown): string | undefined =>
  toText(name)
    .replace(/&#?\w+;/g, ' ')
    .match(/[A-Za-z]{4,}/)?.[0]
