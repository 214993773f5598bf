// Records as the database sent them: as text, which is read when somebody asks for a value. What was made of the same
// text before needs none of them.
import { Whole, type WrittenRecord } from './selection.ts'

/** The class of all records of one selection, which has a number. */
export function unread({ names, revive }: Pick<WrittenRecord, 'names' | 'revive'>, selection: number) {
  class Unread extends Whole {
    readonly id: number
    /** Tells what it says from all that any other record says. */
    readonly [key]: string
    #values: Whole | undefined

    constructor(id: number, text: string) {
      super()
      this.id = id
      this[key] = `${selection} ${text}`
    }

    static read(record: Unread): Whole {
      record.#values ??= revive(JSON.parse(record[key].slice(record[key].indexOf(' ') + 1)))
      return record.#values
    }
  }

  for (const name of names) {
    if (name === 'id') continue
    Object.defineProperty(Unread.prototype, name, {
      get(this: Unread) {
        return Unread.read(this)[name]
      },
    })
  }
  return Unread
}

const key = Symbol('what it says')

/** Undefined for a record that did not come as text. */
export const sentText = (record: Whole): string | undefined => (record as { readonly [key]?: string })[key]
