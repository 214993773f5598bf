// Serializations of results that are in the result cache. Most results are sent in one or two formats, and their bytes take
// less memory than their objects.

/** The serializations of one result by format, such as the JSON of the REST API with links of one language. */
export interface Serializations {
  /** An ordinary object with the fields of the result. Undefined once bytes are cached. */
  readonly fields: Record<string, unknown> | undefined
  get(format: string): Buffer | undefined
  set(format: string, bytes: Buffer): void
}

/** The property of a result with its serializations. */
export const serializationsKey = Symbol('serializations')

/** Undefined for results that are not cached. */
export const serializationsOf = (result: object): Serializations | undefined =>
  (result as { readonly [serializationsKey]?: Serializations })[serializationsKey]

/**
 * The bytes of a result in this format, which are cached with the result. `serialize` gets an object with the same fields.
 * Undefined for results that are not cached.
 */
export function cachedBytes<Result extends object>(
  result: Result,
  format: string,
  serialize: (result: Result) => string,
): Buffer | undefined {
  const serializations = serializationsOf(result)
  const cached = serializations?.get(format)
  if (!serializations || cached) return cached
  const bytes = Buffer.from(serialize((serializations.fields ?? result) as Result))
  serializations.set(format, bytes)
  return bytes
}
