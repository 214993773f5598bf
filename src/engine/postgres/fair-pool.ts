import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { type ClientWork, createConnectionLimiter, currentClientWork, withoutClient } from './connection-shares.ts'
import { BusyError } from './unavailable.ts'

type Callback = Extract<Parameters<pg.Pool['connect']>, [unknown]>[0]

/** A pool whose connections are shared fairly among clients. Work that belongs to no client may use any connection. */
export class FairPool extends pg.Pool {
  /** Milliseconds until a statement that gets no connection fails. */
  maxWaitMs = 600_000
  readonly #shares = createConnectionLimiter(() => ({ connections: this.options.max, maxWaitMs: this.maxWaitMs }))
  readonly #releases = new WeakMap<pg.PoolClient, () => void>()

  constructor(options: pg.PoolConfig) {
    super(options)
    // Without a listener, an error of an idle connection would end the process. The next query opens a new connection.
    this.on('error', () => {})
    this.on('release', (_error, client) => {
      this.#releases.get(client)?.()
      this.#releases.delete(client)
    })
  }

  /** Statements that wait for a connection, or for the share of their client. */
  get allWaitingCount(): number {
    return this.waitingCount + this.#shares.waitingCount
  }

  // The pool calls this for its own queries, too.
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
    const work = currentClientWork()
    if (!callback) return work ? this.#connectFor(work) : super.connect()
    if (!work) super.connect(callback)
    else {
      const fail = (error: Error) => callback(error, undefined, () => {})
      this.#connectFor(work).then((client) => callback(undefined, client, client.release), fail)
    }
    return undefined
  }

  async #connectFor(work: ClientWork): Promise<pg.PoolClient> {
    const release = await this.#shares.acquire(work)
    try {
      // Later events of a connection belong to no client.
      const client = await this.#inTime(withoutClient(() => super.connect()))
      this.#releases.set(client, release)
      return client
    } catch (error) {
      release()
      throw error
    }
  }

  /** On the embedded database, for which the pool has no limit: work of the service may hold its only connection. */
  #inTime(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    if (this.options.connectionTimeoutMillis) return connecting
    const inTime = withDeadline(connecting, this.maxWaitMs, () => new BusyError())
    // A connection that comes too late is not used.
    inTime.catch(() => connecting.then((client) => client.release())).catch(() => {})
    return inTime
  }
}
