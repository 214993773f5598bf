import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { type ClientWork, createConnectionLimiter, currentClientWork, runWithoutClient } from './connection-shares.ts'
import { BusyError } from './unavailable.ts'

type Callback = Extract<Parameters<pg.Pool['connect']>, [unknown]>[0]

/** A connection pool that limits the connections of each API client. Work that belongs to no client has no limit. */
export class FairPool extends pg.Pool {
  /** Milliseconds after which a statement that still waits for a connection fails. */
  maxWaitMs = 600_000
  readonly #shares = createConnectionLimiter(() => ({ connections: this.options.max, maxWaitMs: this.maxWaitMs }))
  readonly #releases = new WeakMap<pg.PoolClient, () => void>()

  constructor(options: pg.PoolConfig) {
    super(options)
    // Without a listener, an error of an idle connection would end the process. The pool replaces the connection.
    this.on('error', () => {})
    this.on('release', (_error, client) => {
      this.#releases.get(client)?.()
      this.#releases.delete(client)
    })
  }

  /** Number of statements that wait for a connection, or until their client uses fewer connections. */
  get allWaitingCount(): number {
    return this.waitingCount + this.#shares.waitingCount
  }

  // `pool.query` of the driver calls this method, too.
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
      // Opened outside of the client's work, because the connection and its events outlive this work.
      const client = await this.#inTime(runWithoutClient(() => super.connect()))
      this.#releases.set(client, release)
      return client
    } catch (error) {
      release()
      throw error
    }
  }

  /** Limits the wait for a connection. Needed for PGlite, whose only connection other work may hold for long. */
  #inTime(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
    if (this.options.connectionTimeoutMillis) return connecting
    const inTime = withDeadline(connecting, this.maxWaitMs, () => new BusyError())
    // Returns a connection that arrives after the time limit to the pool.
    inTime.catch(() => connecting.then((client) => client.release())).catch(() => {})
    return inTime
  }
}
