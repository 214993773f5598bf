import pg from 'pg'
import { type Durability, type EmbeddedDatabase, startEmbedded } from './pglite/embedded-database.ts'

/** A PostgreSQL server or the embedded database, behind the same pool interface. */
export interface Database {
  readonly pool: pg.Pool
  /** Whether it is the embedded database, which has only one connection. */
  readonly isEmbedded: boolean
  /** Resolves if the embedded database crashes. A server may recover, so it has no such promise. */
  readonly broken?: Promise<Error>
  /** For an embedded database on disk: why there is too little disk space to write, or undefined. */
  readonly shortage?: () => string | undefined
  close(): Promise<void>
}

/**
 * UTC because the driver sends dates without offset. Without JIT because compiling a statement takes longer than running it.
 * The default costs are meant for hard disks: with them, the planner scans small tables repeatedly, although data is usually
 * in memory.
 */
const sessionSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', cpu_tuple_cost: '0.03' } as const

export interface EmbeddedOptions {
  /** A dump of a data folder to start from. */
  readonly loadDataDir?: Blob | undefined
  readonly durability?: Durability
}

/** The embedded database, with a pool of one connection. Without `dataDir` it is in memory. */
export function openEmbedded(dataDir: string | undefined, options: EmbeddedOptions = {}): Database {
  const { loadDataDir, durability = 'full' } = options
  const embedded = startEmbedded({ dataDir, durability, loadDataDir })
  const pool = connectEmbedded(embedded)
  const close = async () => {
    await Promise.race([finishWaiting(pool), embedded.broken]).catch(ignoreError)
    await pool.end()
    await embedded.close()
  }
  return { pool, isEmbedded: true, broken: embedded.broken, close }
}

/** A pool for the only session of an embedded database. Connecting another pool ends that session. */
export function connectEmbedded(embedded: EmbeddedDatabase): pg.Pool {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `SET ${name} = '${value}'`)
  const pool = new pg.Pool({
    stream: () => embedded.connect(),
    ssl: false,
    user: 'postgres',
    database: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: (client) => client.query(settings.join('; ')),
  })
  pool.on('error', ignoreError)
  return pool
}

/** A PostgreSQL server. */
export function openServer(connectionString: string, max: number): Database {
  const pool = new pg.Pool({
    connectionString,
    max,
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    // This includes the wait for a free connection: under overload, fail early.
    connectionTimeoutMillis: 3000,
    keepAlive: true,
  })
  pool.on('error', ignoreError)
  return { pool, isEmbedded: false, close: () => pool.end() }
}

/**
 * Limits the duration of later statements. Called after the migrations, which may take longer. The embedded database does not support this: there,
 * only the complexity limit prevents slow statements.
 */
export async function limitStatements({ pool, isEmbedded }: Database, milliseconds: number): Promise<void> {
  if (isEmbedded) return
  pool.options.statement_timeout = milliseconds
  // Also detects connections that a firewall dropped silently; the next request gets a new one.
  pool.options.query_timeout = milliseconds + 1000
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of connections) client.release(true)
}

/**
 * Resolves after all statements that wait for a connection: pg.Pool never answers those that still wait when it ends, and
 * their operations would hold what they have reserved. The pool of a server answers them by its timeout.
 */
async function finishWaiting(pool: pg.Pool): Promise<void> {
  while (pool.waitingCount > 0) {
    const client = await pool.connect()
    client.release()
  }
}

/** Without a listener, an error of an idle connection would end the process. The next query opens a new connection. */
function ignoreError() {}
