// The JSON of records. That of results in the result cache is cached with them.
import { setImmediate } from 'node:timers/promises'
import { serializationsOf } from '../graphql/serializations.ts'
import { objectNumber } from '../memoize.ts'

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

  /** Characters and bytes. */
  get length(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0)
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
export function recordJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Json {
  const cached = serializationsOf(item)
  if (!cached) return toJson(serialize(item, options))
  const format = `${objectNumber(serialize)} ${options.key}`
  let bytes = cached.get(format)
  if (!bytes) {
    bytes = toJson(serialize((cached.fields ?? item) as Item, options)).bytes
    cached.set(format, bytes)
  }
  return new Json([bytes])
}

/** Length of what is serialized at once. Other requests are served in between. */
const maxImmediateLength = 200_000

/** The JSON of each record of a list. */
export async function listJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  items: readonly Item[],
  options: Options,
): Promise<Json[]> {
  const list: Json[] = []
  let length = 0
  for (const item of items) {
    const json = recordJson(serialize, item, options)
    list.push(json)
    length += json.length
    if (length <= maxImmediateLength) continue
    await setImmediate()
    length = 0
  }
  return list
}
