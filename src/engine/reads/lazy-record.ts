// Records that parse the JSON of the database when a field is first read. If a result is cached for the JSON, the record is
// never parsed.
import { layoutKey, PreloadedRecord, rawJsonKey } from '../postgres/preloaded-record.ts'
import type { JsonRecord } from './select.ts'

/** A row that a statement of the read engine returns. */
export interface Row {
  readonly id?: unknown
  readonly record: string
  /** The parsed JSON of `record`, if it was needed before. */
  values?: unknown
}

export type LazyRecordClass = new (row: Row) => PreloadedRecord

/** Creates the class for the records of one selection. `layout` identifies the selection. */
export function lazyRecordClass({ names, decode }: JsonRecord, layout: number): LazyRecordClass {
  class LazyRecord extends PreloadedRecord {
    readonly id: unknown
    readonly [rawJsonKey]: string
    #values: unknown
    #fields: Readonly<Record<string, unknown>> | undefined

    constructor({ id, record, values }: Row) {
      super()
      this.id = id
      this[rawJsonKey] = record
      this.#values = values
    }

    get [layoutKey](): number {
      return layout
    }

    static fieldsOf(record: LazyRecord): Readonly<Record<string, unknown>> {
      record.#fields ??= decode(record.#values ?? JSON.parse(record[rawJsonKey]))
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
