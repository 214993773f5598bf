// Records that were read with everything that a GraphQL selection needs.

/** A record whose selected fields were all read, so that no further query is needed. Nested records are preloaded, too. */
export class PreloadedRecord {
  [name: string]: unknown
}

/** Key of the property with the JSON text that PostgreSQL returned for the record. */
export const rawJsonKey = Symbol('rawJson')
/** Key of the property that identifies the selection which the JSON text belongs to. */
export const layoutKey = Symbol('layout')

interface RawJson {
  readonly [rawJsonKey]?: string
  readonly [layoutKey]?: number
}

/** The JSON that the database returned for this record; undefined if it was not read as JSON. */
export const rawJson = (record: object): string | undefined => (record as RawJson)[rawJsonKey]

/** Returns the number of the selection that the record was read with. Records with equal JSON and layout are equal. */
export const layoutOf = (record: object): number => (record as RawJson)[layoutKey] ?? 0
