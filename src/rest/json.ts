// The JSON of records. The graph answers what it made before with the same objects: their JSON is written once, too.

import { memoize, memoizeByObject } from '../memoize.ts'
import { etagOf } from '../response-cache/response-cache.ts'

/** JSON as it is sent: a whole body, or a part of one. */
export class Json {
  readonly bytes: Buffer
  /** Tells it from any other. */
  readonly etag: string

  constructor(bytes: Buffer, etag: string) {
    this.bytes = bytes
    this.etag = etag
  }
}

/** Of what is no such JSON yet. */
export function toJson(body: unknown): Json {
  if (body instanceof Json) return body
  const bytes = Buffer.from(JSON.stringify(body))
  return new Json(bytes, etagOf(bytes))
}

interface Form {
  /** Tells all that the JSON depends on beside the record. */
  readonly key: string
}

/** One record is sent in a few forms: in lists and by itself, from roots of several languages. */
const maxForms = 4

const formsOf = memoizeByObject((_item: object) =>
  memoize({ name: 'formsOfRecord', max: maxForms }, (_form: string, toForm: () => Json) => toForm()),
)

export function jsonOf<Item extends object, Given extends Form>(
  serialize: (item: Item, form: Given) => object,
  item: Item,
  form: Given,
): Json {
  return formsOf(item)(form.key, () => toJson(serialize(item, form)))
}

/** An object of which the first value is a list. */
export function withItems(key: string, items: readonly Json[], others: object): Json {
  const [start, end] = [`{${JSON.stringify(key)}:[`, `],${JSON.stringify(others).slice(1)}`]
  const parts = items.flatMap(({ bytes }, index) => (index === 0 ? [bytes] : [comma, bytes]))
  const tags = items.map(({ etag }) => etag).join()
  return new Json(Buffer.concat([Buffer.from(start), ...parts, Buffer.from(end)]), etagOf(start + tags + end))
}

const comma = Buffer.from(',')
