import pg from 'pg'
import { withDeadline } from '../../basics/deadline.ts'
import { FairPool } from './fair-pool.ts'
import { type Durability, type EmbeddedDatabase, startEmbeddedDatabase } from './pglite/embedded-database.ts'
import { TimeLimitedClient } from './time-limited-client.ts'

/** A PostgreSQL server or the embedded database, behind the same pool interface. */
export interface Database {
  readonly pool: FairPool
  /**
   * How to connect without the pooler of DATABASE_URL, for work that needs a separate session; see `sessionOptions`. Undefined if
   * there is no pooler.
   */
  readonly direct?: pg.PoolConfig | undefined
  /** Whether it is the embedded database, which has only one connection. */
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
 * UTC because the driver sends dates without offset. Without JIT because compiling a statement takes longer than running it.
 * The default costs are meant for hard disks: with them, the planner scans small tables repeatedly, although data is usually
 * in memory.
 */
export const sessionSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', cpu_tuple_cost: '0.03' } as const

export interface EmbeddedOptions {
  /** A dump of a data folder to start from. */
  readonly loadDataDir?: Blob | undefined
  readonly durability?: Durability
}

/** The embedded database, with a pool of one connection. Without `dataDir` it is in memory. */
export function openEmbeddedDatabase(dataDir: string | undefined, options: EmbeddedOptions = {}): Database {
  const { loadDataDir, durability = 'full' } = options
  const embedded = startEmbeddedDatabase({ dataDir, durability, loadDataDir })
  const pool = createEmbeddedPool(embedded)
  const close = async () => {
    await Promise.race([finishWaiting(pool), embedded.broken]).catch(() => {})
    await pool.end()
    await embedded.close()
  }
  return { pool, isEmbedded: true, embedded, broken: embedded.broken, close }
}

/** A pool for the only session of an embedded database. Connecting another pool ends that session. */
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
 * A PostgreSQL server. `directUrl` is its address if a pooler listens at `connectionString`: a pooler refuses settings of a
 * session, so they are stored for the role instead (prepare-server.ts).
 */
export function openServerDatabase(connectionString: string, max: number, directUrl?: string): Database {
  const pool = new FairPool(
    directUrl === undefined ? serverOptions(connectionString, max) : { ...common, connectionString, max },
  )
  const direct = directUrl === undefined ? undefined : serverOptions(directUrl, 1)
  return { pool, direct, isEmbedded: false, close: () => pool.end() }
}

/**
 * Refuses connections to a replica, which would fail each write: after a failover an address may lead to the wrong server for a
 * while. Commands may read from a replica.
 */
export function refuseReplicaConnections({ pool, isEmbedded }: Database): void {
  if (isEmbedded) return
  pool.options.onConnect = async (client) => {
    const { rows } = await client.query<{ recovering: boolean }>('SELECT pg_is_in_recovery() AS recovering')
    // The code that PostgreSQL has for a server that does not accept connections yet.
    if (rows[0]?.recovering)
      throw Object.assign(new Error('The server at DATABASE_URL is a replica.'), { code: '57P03' })
  }
}

/** The connection timeout includes the wait for a free connection: under overload, fail early. */
const common = { connectionTimeoutMillis: 3000, keepAlive: true, Client: TimeLimitedClient } as const

/**
 * The role may have a limit of the duration of statements, for example since there was a pooler (prepare-server.ts). It does not
 * apply to migrations and commands. `limitStatementDuration` sets another one.
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
  // Leaves half of the time to read.
  pool.maxWaitMs = milliseconds / 2
  embedded?.limitStatementDuration(milliseconds)
  if (isEmbedded) return
  // A pooler refuses this parameter; there, the limit is stored for the role.
  if (!direct) pool.options.statement_timeout = milliseconds
  // Also detects connections that a firewall dropped silently; the next request gets a new one.
  pool.options.query_timeout = milliseconds + 1000
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of connections) client.release(true)
}

/**
 * Resolves after all statements that wait for a connection: pg.Pool never answers those that still wait when it ends, and
 * their operations would hold what they have reserved. The pool of a server answers them by its timeout.
 */
async function finishWaiting(pool: FairPool): Promise<void> {
  while (pool.allWaitingCount > 0) {
    const client = await pool.connect()
    client.release()
  }
}

/** One connection apart from the pool, for what must not wait for the others. */
export function openSingleConnectionPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({ ...options, max: 1 })
  // Without a listener, an error of an idle connection would end the process. The next query opens a new connection.
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
