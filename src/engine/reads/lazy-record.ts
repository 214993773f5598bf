// Records that parse the JSON of the database when a field is first read. A record whose result is cached by its JSON is
// never parsed.
import { layoutKey, PreloadedRecord, rawJsonKey } from '../postgres/preloaded-record.ts'
import { defineFields } from './record-class.ts'
import type { JsonRecord } from './select.ts'

export type LazyRecordClass = new (id: unknown, json: string) => PreloadedRecord

/** Creates the class for the records of one selection. `layout` identifies the selection. */
export function lazyRecordClass(
  { names, decodeValues }: Pick<JsonRecord, 'names' | 'decodeValues'>,
  layout: number,
): LazyRecordClass {
  class LazyRecord extends PreloadedRecord {
    readonly id: unknown
    readonly [rawJsonKey]: string
    #values: readonly unknown[] | undefined

    constructor(id: unknown, json: string) {
      super()
      this.id = id
      this[rawJsonKey] = json
    }

    get [layoutKey](): number {
      return layout
    }

    static valuesOf(record: LazyRecord): readonly unknown[] {
      record.#values ??= decodeValues(JSON.parse(record[rawJsonKey]))
      return record.#values
    }
  }

  defineFields(LazyRecord, names)
  return LazyRecord
}
