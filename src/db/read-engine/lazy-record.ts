// Records that keep the JSON that the database answered, and parse it when a field is first read: a record whose result is
// memoized by its JSON is never parsed.
import { PreloadedRecord, rawJsonKey } from '../preloaded-record.ts'
import type { JsonRecord } from './select.ts'

export type LazyRecordClass = new (id: unknown, json: string) => PreloadedRecord

/** The class of all records of one selection; `selectionNumber` tells its JSON from that of other selections. */
export function lazyRecordClass(
  { names, decode }: Pick<JsonRecord, 'names' | 'decode'>,
  selectionNumber: number,
): LazyRecordClass {
  class LazyRecord extends PreloadedRecord {
    readonly [rawJsonKey]: string
    #fields: Record<string, unknown> | undefined

    constructor(id: unknown, json: string) {
      super()
      this.id = id
      this[rawJsonKey] = `${selectionNumber} ${json}`
    }

    static parse(record: LazyRecord): Record<string, unknown> {
      const json = record[rawJsonKey]
      record.#fields ??= decode(JSON.parse(json.slice(json.indexOf(' ') + 1)))
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
