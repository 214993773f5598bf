// Serializes records to JSON. Responses share the objects of records in the result cache, so their JSON is kept with the object.
import { objectNumber } from '../../basics/memoize.ts'

/** Serialized JSON: a whole body, or a part of one. */
export class Json {
  readonly #parts: readonly (string | Buffer)[]

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
  }

  /** Encodes the texts one by one: V8 keeps a joined text in two bytes per character if any part of it needs them. */
  get bytes(): Buffer {
    const buffers = this.#parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
    const [first] = buffers
    return first && buffers.length === 1 ? first : Buffer.concat(buffers)
  }

  /** An object whose first property is a list. */
  static list(key: string, items: readonly Json[], others: object): Json {
    const parts = items.flatMap((item, index) => (index === 0 ? item.#parts : [',', ...item.#parts]))
    return new Json([`{${JSON.stringify(key)}:[`, ...parts, `],${JSON.stringify(others).slice(1)}`])
  }
}

/** Serializes a body, unless it is serialized already. */
export const toJson = (body: unknown): Json => (body instanceof Json ? body : new Json([JSON.stringify(body)]))

/** Formats that are kept of one object, such as those with links of several languages. */
const maxFormats = 8

/** The JSON of objects by format. */
const keptBytes = new WeakMap<object, Map<string, Buffer>>()

interface CacheKeyed {
  /** Differs whenever the JSON of the same record may differ. */
  readonly key: string
}

/** Serializes a record, or returns its cached JSON. */
export function recordJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Json {
  const format = `${objectNumber(serialize)} ${options.key}`
  const kept = keptBytes.get(item) ?? new Map<string, Buffer>()
  const bytes = kept.get(format) ?? Buffer.from(JSON.stringify(serialize(item, options)))
  if (kept.size < maxFormats) keptBytes.set(item, kept.set(format, bytes))
  return new Json([bytes])
}

/** Serializes the records of a list. */
export const listJson = <Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  items: readonly Item[],
  options: Options,
): Json[] => items.map((item) => recordJson(serialize, item, options))
