import pg from 'pg'
import { type Durability, type Embedded, startEmbedded } from './pglite/embedded-database.ts'

/** One way to the database, whatever it is: `pool` is all that the code above needs. */
export interface Database {
  readonly pool: pg.Pool
  /** Whether it is PostgreSQL in this process, which has but one connection. */
  readonly isEmbedded: boolean
  /** Of the embedded one: resolves if it ends by itself. A server may come back. */
  readonly broken?: Promise<Error>
  /** Of one whose files are here: what its disk lacks for writing, undefined if there is room. */
  readonly shortage?: () => string | undefined
  close(): Promise<void>
}

/**
 * Sessions are pinned to UTC, since the driver sends dates without their offset. To compile a statement takes longer than any
 * of ours runs. What a statement reads is in memory as a rule: the defaults, made for disks that turn, have the planner
 * read small tables whole for each row of another.
 */
const sessionSettings = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', cpu_tuple_cost: '0.03' } as const

export interface EmbeddedOptions {
  /** A dump to begin with. */
  readonly loadDataDir?: Blob | undefined
  readonly durability?: Durability
}

/** The embedded database behind a pool of one connection; without `dataDir` it lives in memory. */
export function openEmbedded(dataDir: string | undefined, options: EmbeddedOptions = {}): Database {
  const { loadDataDir, durability = 'full' } = options
  const embedded = startEmbedded({ dataDir, durability, loadDataDir })
  const pool = connectEmbedded(embedded)
  const close = async () => {
    await pool.end()
    await embedded.close()
  }
  return { pool, isEmbedded: true, broken: embedded.broken, close }
}

/** The one session of an embedded database; another pool ends it. */
export function connectEmbedded(embedded: Embedded): pg.Pool {
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
  pool.on('error', ignoreIdleError)
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
    // Waiting for a free connection counts too: rather refused soon than answered late.
    connectionTimeoutMillis: 3000,
    keepAlive: true,
  })
  pool.on('error', ignoreIdleError)
  return { pool, isEmbedded: false, close: () => pool.end() }
}

/**
 * From now on statements that run longer are ended; those of the start may take their time. The embedded database knows no
 * such limit: there, what costs too much is refused before it is asked.
 */
export async function limitStatements({ pool, isEmbedded }: Database, milliseconds: number): Promise<void> {
  if (isEmbedded) return
  pool.options.statement_timeout = milliseconds
  // A connection that is silent, since a firewall dropped it, is given up; the next request gets another.
  pool.options.query_timeout = milliseconds + 1000
  const connections = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of connections) client.release(true)
}

/** An idle connection that breaks must not end the process: the next query opens another, or fails for its caller. */
function ignoreIdleError() {}
