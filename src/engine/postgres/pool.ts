import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { FairPool } from './fair-pool.ts'
import { type Durability, type EmbeddedDatabase, startEmbeddedDatabase } from './pglite/embedded-database.ts'
import { TimeLimitedClient } from './time-limited-client.ts'

/** An opened database: a connection pool of a PostgreSQL server, or of PGlite, the embedded database. */
export interface Database {
  readonly pool: FairPool
  /**
   * How to connect without the pooler of DATABASE_URL, for work that needs a separate session; see `sessionOptions`. Undefined if
   * there is no pooler.
   */
  readonly direct?: pg.PoolConfig | undefined
  /** Whether the database is PGlite, which has only one connection. */
  readonly isEmbedded: boolean
  /** The embedded database; undefined for a server. */
  readonly embedded?: Pick<EmbeddedDatabase, 'busyMs' | 'limitStatementDuration'>
  /** Resolves if the embedded database crashes. Undefined for a server, because a server may recover. */
  readonly broken?: Promise<Error>
  /** For an embedded database on disk: returns the reason why the disk has too little space for writes, or undefined. */
  readonly shortage?: () => string | undefined
  close(): Promise<void>
}

/**
 * Settings of each session. UTC, because the driver sends dates without offset. No JIT, because compiling a statement takes
 * longer than running it. Other costs than the defaults, which are meant for hard disks and make the planner scan small
 * tables repeatedly.
 */
export const sessionSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', cpu_tuple_cost: '0.03' } as const

export interface EmbeddedOptions {
  readonly durability?: Durability
}

/** Opens a PGlite database with a pool of one connection. Without `dataDir` the database is in memory. */
export function openEmbeddedDatabase(dataDir: string | undefined, options: EmbeddedOptions = {}): Database {
  const { durability = 'full' } = options
  const embedded = startEmbeddedDatabase({ dataDir, durability })
  const pool = createEmbeddedPool(embedded)
  const close = async () => {
    await Promise.race([finishWaiting(pool), embedded.broken]).catch(() => {})
    await pool.end()
    await embedded.close()
  }
  return { pool, isEmbedded: true, embedded, broken: embedded.broken, close }
}

/** Creates the connection pool of a PGlite database, which has only one session: another pool would end this session. */
export function createEmbeddedPool(embedded: EmbeddedDatabase): FairPool {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `SET ${name} = '${value}'`)
  const pool = new FairPool({
    stream: () => embedded.connect(),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: (client) => client.query(settings.join('; ')),
  })
  return pool
}

/**
 * Opens the connection pool of a PostgreSQL server. `directUrl` is the address of the server if a pooler listens at
 * `connectionString`. A pooler refuses session settings, so prepareDatabaseServer stores them for the role instead.
 */
export function openServerDatabase(connectionString: string, max: number, directUrl?: string): Database {
  const pool = new FairPool(
    directUrl === undefined ? serverOptions(connectionString, max) : { ...common, connectionString, max },
  )
  const direct = directUrl === undefined ? undefined : serverOptions(directUrl, 1)
  return { pool, direct, isEmbedded: false, close: () => pool.end() }
}

/**
 * Makes the pool refuse connections to a replica, on which each write would fail: after a failover, DATABASE_URL may lead to
 * the wrong server for a while. Commands do not call this, because they may read from a replica.
 */
export function refuseReplicaConnections({ pool, isEmbedded }: Database): void {
  if (isEmbedded) return
  pool.options.onConnect = async (client) => {
    const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')
    // The error code is PostgreSQL's code for a server that does not accept connections yet.
    if (rows[0]?.recovering)
      throw Object.assign(new Error('The server at DATABASE_URL is a replica.'), { code: '57P03' })
  }
}

/** Options of all pools. The short timeout includes the wait for a free connection, so that requests fail early under overload. */
const common = { connectionTimeoutMillis: 3000, keepAlive: true, Client: TimeLimitedClient } as const

/**
 * Options of the pool of a server. Sets statement_timeout to 0 for migrations and commands, because a limit may be stored for the
 * role (prepareDatabaseServer). `limitStatementDuration` sets the limit for requests.
 */
const serverOptions = (connectionString: string, max: number) => ({
  ...common,
  connectionString,
  max,
  options: Object.entries({ ...sessionSettings, statement_timeout: '0' })
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' '),
})

/** Options of connections that keep their session: for LISTEN, locks of a session, and migrations. */
export const sessionOptions = ({ pool, direct }: Database): pg.PoolConfig => direct ?? pool.options

/** Limits the duration of later statements. Called after the migrations, which may take longer. */
export async function limitStatementDuration(database: Database, milliseconds: number): Promise<void> {
  const { pool, direct, embedded, isEmbedded } = database
  // A statement may wait half of its time for a connection, so that the other half is left to run.
  pool.maxWaitMs = milliseconds / 2
  embedded?.limitStatementDuration(milliseconds)
  if (isEmbedded) return
  // A pooler refuses this parameter, so the limit is stored for the role instead.
  if (!direct) pool.options.statement_timeout = milliseconds
  // Also closes connections that a firewall dropped silently. The next request then gets a new connection.
  pool.options.query_timeout = milliseconds + 1000
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of connections) client.release(true)
}

/**
 * Resolves when no statement waits for a connection of PGlite any more. Statements that wait while pg.Pool ends would never
 * settle. The pool of a server needs no such wait, because its connection timeout rejects these statements.
 */
async function finishWaiting(pool: FairPool): Promise<void> {
  while (pool.allWaitingCount > 0) {
    const client = await pool.connect()
    client.release()
  }
}

/** Opens a pool of one separate connection, for statements that must not wait for the connections of the main pool. */
export function openSingleConnectionPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, max: 1 })
  // Without a listener, an error of an idle connection would end the process. The pool replaces the connection.
  pool.on('error', () => {})
  return pool
}

/** Opens a separate connection for one repeated query. The query rejects if the server does not respond in time. */
export function openSingleQuery<Row extends pg.QueryResultRow>(
  options: pg.PoolConfig,
  text: string,
  timeoutMs: number,
) {
  const pool = openSingleConnectionPool({ ...options, query_timeout: timeoutMs })
  return { ask: () => withDeadline(pool.query<Row>(text), timeoutMs), close: () => pool.end() }
}
