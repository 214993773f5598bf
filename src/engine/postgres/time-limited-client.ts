// A pg client whose queries have a time limit.
import pg from 'pg'
import { startDeadline } from '../../basics/deadline.ts'

type Callback = (error: Error | undefined, result?: pg.QueryResult) => void

/** The method `query` of pg.Client with one signature for all kinds of queries. */
interface CallbackClient {
  query(query: unknown, values: unknown, callback: Callback): void
}

const { query: send } = pg.Client.prototype as unknown as CallbackClient

/**
 * Implements the option `query_timeout` in place of the driver, which assigns a function to a property of each query. V8
 * allocates these functions in the old generation, where they keep the rows of each query in memory until the next major
 * garbage collection, and make it run several times as often.
 */
export class TimeLimitedClient extends pg.Client {
  /** Milliseconds. */
  readonly #timeout: number

  constructor(options: pg.ClientConfig = {}) {
    // The pool hides the password from enumeration.
    super({ ...options, ...('password' in options && { password: options.password }), query_timeout: 0 })
    this.#timeout = options.query_timeout ?? 0
  }

  /** Accepts what the driver accepts, except query objects with `submit`, and returns what it returns. */
  override query(query: unknown, values?: unknown, callback?: unknown): never {
    if (typeof values === 'function') return this.query(query, undefined, values)
    if (typeof callback === 'function') return this.#sendInTime(query, values, callback as Callback) as never
    return new Promise((resolve, reject) => {
      this.#sendInTime(query, values, (error, result) => (error ? reject(error) : resolve(result)))
    }) as never
  }

  #sendInTime(query: unknown, values: unknown, callback: Callback): void {
    let isOver = false
    const finish: Callback = (error, result) => {
      if (isOver) return
      isOver = true
      cancel?.()
      callback(error, result)
    }
    // The pool closes the connection of a query that failed. Its late result is ignored.
    const expire = () => finish(new Error('The database sent no result in time'))
    const cancel = this.#timeout ? startDeadline(this.#timeout, expire) : undefined
    send.call(this as unknown as CallbackClient, query, values, finish)
  }
}
