// Serializations of results that are in the result cache. Most results are sent in one or two formats, and their bytes take
// less memory than their objects.

/** The serializations of one result by format, such as the JSON of the REST API with links of one language. */
export interface Serializations {
  /** The fields of the result, which take more time to read from the result itself. Undefined once bytes are cached. */
  readonly fields: Record<string, unknown> | undefined
  get(format: string): Buffer | undefined
  set(format: string, bytes: Buffer): void
}

/** The property of a result with its serializations. */
export const serializationsKey = Symbol('serializations')

/** Undefined for results that are not cached. */
export const serializationsOf = (result: object): Serializations | undefined =>
  (result as { readonly [serializationsKey]?: Serializations })[serializationsKey]
