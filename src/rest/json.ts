// The JSON of records. The result cache returns the same object for an unchanged record, so its JSON is memoized by object.
import { memoize, memoizeByObject } from '../memoize.ts'
import { etagOf } from '../response-cache/response-cache.ts'

/** Serialized JSON: a whole body, or a part of one. */
export class Json {
  readonly bytes: Buffer
  /** Hash of the bytes. */
  readonly etag: string

  constructor(bytes: Buffer, etag: string) {
    this.bytes = bytes
    this.etag = etag
  }
}

/** Serializes a body, unless it is serialized already. */
export function toJson(body: unknown): Json {
  if (body instanceof Json) return body
  const bytes = Buffer.from(JSON.stringify(body))
  return new Json(bytes, etagOf(bytes))
}

interface CacheKeyed {
  /** Differs whenever the JSON of the same record may differ. */
  readonly key: string
}

/** Variants of one record: in lists or alone, in links of several languages. */
const maxVariants = 4

const variantsOf = memoizeByObject((_item: object) =>
  memoize({ name: 'recordJson', max: maxVariants }, (_key: string, serialize: () => Json) => serialize()),
)

export function memoizedJson<Item extends object, Options extends CacheKeyed>(
  serialize: (item: Item, options: Options) => object,
  item: Item,
  options: Options,
): Json {
  return variantsOf(item)(options.key, () => toJson(serialize(item, options)))
}

/** An object whose first property is a list of serialized items. */
export function listJson(key: string, items: readonly Json[], others: object): Json {
  const [start, end] = [`{${JSON.stringify(key)}:[`, `],${JSON.stringify(others).slice(1)}`]
  const parts = items.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]))
  const tags = items.map(({ etag }) => etag).join()
  return new Json(Buffer.concat([Buffer.from(start), ...parts, Buffer.from(end)]), etagOf(start + tags + end))
}

const comma = Buffer.from(',')
