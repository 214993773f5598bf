// The JSON of records. The result cache returns the same object for an unchanged record, so its JSON is memoized by object.

/** Serialized JSON: a whole body, or a part of one. */
export class Json {
  readonly #texts: readonly string[]

  constructor(texts: readonly string[]) {
    this.#texts = texts
  }

  /** Encodes the texts one by one: V8 keeps a joined text in two bytes per character if any part of it needs them. */
  get bytes(): Buffer {
    return Buffer.concat(this.#texts.map((text) => Buffer.from(text)))
  }

  /** An object whose first property is a list. */
  static list(key: string, items: readonly Json[], others: object): Json {
    const texts = items.flatMap((item, index) => (index === 0 ? item.#texts : [',', ...item.#texts]))
    return new Json([`{${JSON.stringify(key)}:[`, ...texts, `],${JSON.stringify(others).slice(1)}`])
  }
}

/** Serializes a body, unless it is serialized already. */
export const toJson = (body: unknown): Json => (body instanceof Json ? body : new Json([JSON.stringify(body)]))

interface CacheKeyed {
  /** Differs whenever the JSON of the same record may differ. */
  readonly key: string
}

/** Variants of one record: in lists or alone, in links of several languages. */
const maxVariants = 4

/**
 * By record; null after its first serialization. Most records occur in one response only, and V8 keeps the values of a WeakMap
 * beyond the next minor garbage collection. Not an LRU cache for each record, since creating one takes as long as serializing a
 * short record.
 */
const variantsOf = new WeakMap<object, Map<string, Json> | null>()

/** Memoizes the JSON of a record from its second serialization on. */
export function memoizedJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Json {
  const variants = variantsOf.get(item)
  const memoized = variants?.get(options.key)
  if (memoized) return memoized
  const json = toJson(serialize(item, options))
  if (variants === undefined) variantsOf.set(item, null)
  else if (variants === null) variantsOf.set(item, new Map([[options.key, json]]))
  else {
    if (variants.size === maxVariants) variants.clear()
    variants.set(options.key, json)
  }
  return json
}
