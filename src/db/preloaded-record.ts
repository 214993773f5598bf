// Records that were read with everything that a GraphQL selection needs of them.

/** Its fields need no further query. Records nested in it are preloaded, too. */
export class PreloadedRecord {
  [name: string]: unknown
}

export const rawJsonKey = Symbol('rawJson')
export const layoutKey = Symbol('layout')

interface RawJson {
  readonly [rawJsonKey]?: string
  readonly [layoutKey]?: number
}

/** What the database answered for this record; undefined for a record that was not read as JSON. */
export const rawJson = (record: object): string | undefined => (record as RawJson)[rawJsonKey]

/** Number of the selection that says what the JSON means: equal texts of one layout give equal records. */
export const layoutOf = (record: object): number => (record as RawJson)[layoutKey] ?? 0
