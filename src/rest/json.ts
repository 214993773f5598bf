// The JSON of records. That of results in the result cache is cached with them.
import { serializationsOf } from '../graphql/serializations.ts'

/** Serialized JSON: a whole body, or a part of one. */
export class Json {
  readonly #parts: readonly (string | Buffer)[]

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
  }

  /** Encodes the texts one by one: V8 keeps a joined text in two bytes per character if any part of it needs them. */
  get bytes(): Buffer {
    return Buffer.concat(this.#parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
  }

  /** An object whose first property is a list. */
  static list(key: string, items: readonly Json[], others: object): Json {
    const parts = items.flatMap((item, index) => (index === 0 ? item.#parts : [',', ...item.#parts]))
    return new Json([`{${JSON.stringify(key)}:[`, ...parts, `],${JSON.stringify(others).slice(1)}`])
  }
}

/** Serializes a body, unless it is serialized already. */
export const toJson = (body: unknown): Json => (body instanceof Json ? body : new Json([JSON.stringify(body)]))

interface CacheKeyed {
  /** Differs whenever the JSON of the same record may differ. */
  readonly key: string
}

/** The JSON of a record, which is cached if the result cache has the record. */
export function cachedJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Json {
  const cached = serializationsOf(item)
  if (!cached) return toJson(serialize(item, options))
  let bytes = cached.get(options.key)
  if (!bytes) {
    bytes = toJson(serialize((cached.fields ?? item) as Item, options)).bytes
    cached.set(options.key, bytes)
  }
  return new Json([bytes])
}
