// Records that were read with everything that a GraphQL selection needs.

/** A record whose selected fields were all read, so that no further query is needed. Nested records are preloaded, too. */
export class PreloadedRecord {
  [name: string]: unknown
}

export const rawJsonKey = Symbol('rawJson')
export const layoutKey = Symbol('layout')

interface RawJson {
  readonly [rawJsonKey]?: string
  readonly [layoutKey]?: number
}

/** The JSON that the database returned for this record; undefined if it was not read as JSON. */
export const rawJson = (record: object): string | undefined => (record as RawJson)[rawJsonKey]

/** Identifies the selection that the JSON belongs to: equal JSON with equal layout means equal records. */
export const layoutOf = (record: object): number => (record as RawJson)[layoutKey] ?? 0
