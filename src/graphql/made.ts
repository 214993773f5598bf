// What was made of records that the database sent as text: of the same text, for readers of the same kind, it comes out
// the same, and is made once. The database is asked every time.
import { LRUCache } from 'lru-cache'
import type { Context } from '../context.ts'
import { rememberBytes } from './json.ts'
import { isPromise, type Run } from './run.ts'

interface Made {
  readonly data: object
  /** Between these moments it comes out so, in milliseconds since 1970. */
  readonly from: number
  readonly until: number
}

/** Characters of text. What is made of it says each thing once, and takes a few times as much with its JSON. */
const maxSize = 2_000_000

const made = new LRUCache<string, Made>({ maxSize, sizeCalculation: (_, text) => text.length })

/** Undefined when it has to be made. */
export function madeOf(text: string, now: Date): object | undefined {
  const known = made.get(text)
  return known && known.from <= now.getTime() && now.getTime() < known.until ? known.data : undefined
}

/** The same run, of which one can tell afterwards what its resolvers went by. */
export class Watched {
  readonly #run: Run
  #isFixed = true
  #from = Number.NEGATIVE_INFINITY
  #until = Number.POSITIVE_INFINITY

  constructor(run: Run) {
    this.#run = { ...run, context: this.#watch(run.context) }
  }

  /** Remembers what is made, unless it goes by more than the text, the reader, and which moments have come. */
  remember(text: string, make: (run: Run) => object): object {
    const { errors } = this.#run
    const before = errors.length
    this.#isFixed = true
    this.#from = Number.NEGATIVE_INFINITY
    this.#until = Number.POSITIVE_INFINITY
    const data = make(this.#run)
    if (this.#isFixed && !isPromise(data) && errors.length === before) {
      made.set(text, { data, from: this.#from, until: this.#until })
      rememberBytes(data)
    }
    return data
  }

  #watch(context: Context): Context {
    const asked = <Value>(value: Value): Value => {
      this.#isFixed = false
      return value
    }
    const hasCome = (moment: Date) => {
      const [time, has] = [moment.getTime(), context.hasCome(moment)]
      if (has) this.#from = Math.max(this.#from, time)
      else this.#until = Math.min(this.#until, time)
      return has
    }
    return {
      ...context,
      hasCome,
      get now() {
        return asked(context.now)
      },
      get db() {
        return asked(context.db)
      },
    }
  }
}
