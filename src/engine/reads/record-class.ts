// Records whose fields are getters for a position in their values. A record then takes the memory of its values, which the parser
// of JSON has already created, instead of having a copy of them.
import { PreloadedRecord } from '../postgres/preloaded-record.ts'

/** Creates the class for the records with these fields. */
export function recordClass(names: readonly string[]): new (values: readonly unknown[]) => PreloadedRecord {
  class FieldsRecord extends PreloadedRecord {
    readonly #values: readonly unknown[]

    constructor(values: readonly unknown[]) {
      super()
      this.#values = values
    }

    static valuesOf(record: FieldsRecord): readonly unknown[] {
      return record.#values
    }
  }

  defineFields(FieldsRecord, names)
  return FieldsRecord
}

interface WithValues<Instance> {
  readonly prototype: Instance
  valuesOf(record: Instance): readonly unknown[]
}

/** Adds a getter for each name to the class. */
export function defineFields<Instance extends object>(Class: WithValues<Instance>, names: readonly string[]): void {
  for (const [index, name] of names.entries()) {
    Object.defineProperty(Class.prototype, name, {
      get(this: Instance) {
        return Class.valuesOf(this)[index]
      },
    })
  }
}
