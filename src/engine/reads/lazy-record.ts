// Records that parse the JSON of the database when a field is first read. A record whose result is cached by its JSON is
// never parsed.
import { layoutKey, PreloadedRecord, rawJsonKey } from '../postgres/preloaded-record.ts'
import type { JsonRecord } from './select.ts'

export type LazyRecordClass = new (id: unknown, json: string) => PreloadedRecord

/** Creates the class for the records of one selection. `layout` identifies the selection. */
export function lazyRecordClass({ names, decode }: JsonRecord, layout: number): LazyRecordClass {
  class LazyRecord extends PreloadedRecord {
    readonly id: unknown
    readonly [rawJsonKey]: string
    #fields: Readonly<Record<string, unknown>> | undefined

    constructor(id: unknown, json: string) {
      super()
      this.id = id
      this[rawJsonKey] = json
    }

    get [layoutKey](): number {
      return layout
    }

    static fieldsOf(record: LazyRecord): Readonly<Record<string, unknown>> {
      record.#fields ??= decode(JSON.parse(record[rawJsonKey]))
      return record.#fields
    }
  }

  for (const name of names) {
    Object.defineProperty(LazyRecord.prototype, name, {
      get(this: LazyRecord) {
        return LazyRecord.fieldsOf(this)[name]
      },
    })
  }
  return LazyRecord
}
