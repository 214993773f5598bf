// The records that the lists of the legacy site showed, and the requests that ask for them.
import { idOf, type JsonObject, type Resource, text } from './json.ts'
import { spread } from './sampling.ts'
import type { SiteRequest } from './send.ts'

export interface Records {
  readonly byResource: Readonly<Record<Resource, readonly JsonObject[]>>
  /** The ID by which the asked site knows a record of the legacy site. */
  resolveId(resource: Resource, id: number): number
}

/** Dates before and after every event. */
export const always = { start_date: '1970-01-01', end_date: '2100-01-01' } as const

/** A list with the request; an empty one if its path or a parameter has no value on this site. */
export function request(
  path: string | undefined,
  query: Readonly<Record<string, string | undefined>> = {},
): SiteRequest[] {
  const isKnown = path !== undefined && Object.values(query).every((value) => value !== undefined && value !== '')
  return isKnown ? [{ path, query: query as SiteRequest['query'] }] : []
}

/** The ID of the record on the asked site. */
export function idOn({ resolveId }: Records, resource: Resource, record: JsonObject | undefined): string | undefined {
  const id = idOf(record?.id)
  return id === undefined ? undefined : String(resolveId(resource, id))
}

/** The IDs of some of the records. */
export const someIds = (records: Records, resource: Resource, count: number): string[] =>
  spread(records.byResource[resource], count).flatMap((record) => idOn(records, resource, record) ?? [])

/** A word of a name that a search finds. */
export const searchWord = (name: unknown): string | undefined =>
  text(name)
    .replace(/&#?\w+;/g, ' ')
    .match(/[A-Za-z]{4,}/)?.[0]
