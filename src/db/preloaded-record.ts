// Records that were read with everything that a GraphQL selection needs of them.

/** Its fields need no further query. Records nested in it are preloaded, too. */
export class PreloadedRecord {
  [name: string]: unknown
}

export const rawJsonKey = Symbol('rawJson')

/**
 * What the database answered for this record, with a number for its selection: equal texts give equal records. Undefined
 * for a record that was not read as JSON.
 */
export const rawJson = (record: object): string | undefined =>
  (record as { readonly [rawJsonKey]?: string })[rawJsonKey]
