// Records that parse the JSON of the database when a field is first read. A record whose result is cached by its JSON is
// never parsed.
import { layoutKey, PreloadedRecord, rawJsonKey } from '../preloaded-record.ts'
import type { JsonRecord } from './select.ts'

export type LazyRecordClass = new (id: unknown, json: string) => PreloadedRecord

/** Creates the class for the records of one selection. `layout` identifies the selection. */
export function lazyRecordClass(
  { names, decode }: Pick<JsonRecord, 'names' | 'decode'>,
  layout: number,
): LazyRecordClass {
  class LazyRecord extends PreloadedRecord {
    readonly [rawJsonKey]: string
    #fields: Record<string, unknown> | undefined

    constructor(id: unknown, json: string) {
      super()
      this.id = id
      this[rawJsonKey] = json
    }

    get [layoutKey](): number {
      return layout
    }

    static parse(record: LazyRecord): Record<string, unknown> {
      record.#fields ??= decode(JSON.parse(record[rawJsonKey]))
      return record.#fields
    }
  }

  for (const name of names) {
    if (name === 'id') continue
    Object.defineProperty(LazyRecord.prototype, name, {
      get(this: LazyRecord) {
        return LazyRecord.parse(this)[name]
      },
    })
  }
  return LazyRecord
}
