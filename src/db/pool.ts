import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PGlite, PGliteOptions } from '@electric-sql/pglite'
import pg from 'pg'

const require = createRequire(import.meta.url)

/** One way to the database, whatever it is: `pool` is all that the code above needs. */
export interface Database {
  readonly pool: pg.Pool
  /** The embedded database itself, when that is what the pool leads to. */
  readonly lite: PGlite | undefined
  close(): Promise<void>
}

/**
 * Sessions are pinned to UTC, since the driver sends dates without their offset. To compile a statement takes longer than any
 * of ours runs. What a statement reads is in memory as a rule: the defaults, made for disks that turn, have the planner
 * read small tables whole for each row of another.
 */
const session = { TimeZone: 'UTC', jit: 'off', random_page_cost: '1.1', cpu_tuple_cost: '0.03' } as const

/** The embedded database behind a pool of one connection; without `dataDir` it lives in memory. */
export async function openLite(dataDir: string | undefined, loadDataDir?: Blob): Promise<Database> {
  const pgliteWasmModule = compileLite()
  const [{ PGlite }, { createPgConfig }, ...extensions] = await Promise.all([
    import('@electric-sql/pglite'),
    import('@electric-sql/pglite/node-postgres'),
    import('@electric-sql/pglite/contrib/pg_trgm'),
    import('@electric-sql/pglite/contrib/cube'),
    import('@electric-sql/pglite/contrib/earthdistance'),
    import('@electric-sql/pglite/contrib/btree_gin'),
  ])
  const lite = await PGlite.create({
    ...(dataDir === undefined ? {} : { dataDir }),
    ...(loadDataDir === undefined ? {} : { loadDataDir }),
    extensions: Object.assign({}, ...extensions),
    pgliteWasmModule: await pgliteWasmModule,
  })
  const { connection, ...config } = createPgConfig(lite)
  const parse = connection.parse.bind(connection)
  // pg hands its own parsers over as an object; PGlite expects a list.
  connection.parse = (query) => parse({ ...query, types: undefined })
  const pool = new pg.Pool({ ...(config as pg.PoolConfig), connection, max: 1, idleTimeoutMillis: 0 } as pg.PoolConfig)
  pool.on('error', ignoreIdleError)
  await pool.query(
    Object.entries(session)
      .map(([name, value]) => `SET ${name} = '${value}'`)
      .join('; '),
  )
  const close = async () => {
    await pool.end()
    await lite.close()
  }
  return { pool, lite, close }
}

type WasmModule = PGliteOptions['pgliteWasmModule']

let compiled: Promise<WasmModule> | undefined

/** On other threads, from the first moment on: at a start this one is busy with loading modules meanwhile. */
function compileLite(): Promise<WasmModule> {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<WasmModule> } }
  compiled ??= WebAssembly.compile(readFileSync(join(dirname(require.resolve('@electric-sql/pglite')), 'pglite.wasm')))
  return compiled
}

/** A PostgreSQL server. */
export function openServer(connectionString: string, max: number): Database {
  const pool = new pg.Pool({
    connectionString,
    max,
    options: Object.entries(session)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    // Waiting for a free connection counts too: rather refused soon than answered late.
    connectionTimeoutMillis: 3000,
    keepAlive: true,
  })
  pool.on('error', ignoreIdleError)
  return { pool, lite: undefined, close: () => pool.end() }
}

/**
 * From now on statements that run longer are ended; those of the start may take their time. The embedded database knows no
 * such limit: there, what costs too much is refused before it is asked.
 */
export async function limitStatements({ pool, lite }: Database, milliseconds: number): Promise<void> {
  if (lite) return
  pool.options.statement_timeout = milliseconds
  // A connection that is silent, since a firewall dropped it, is given up; the next request gets another.
  pool.options.query_timeout = milliseconds + 1000
  const early = await Promise.all(Array.from({ length: pool.totalCount }, () => pool.connect()))
  for (const client of early) client.release(true)
}

/** An idle connection that breaks must not end the process: the next query opens another, or fails for its caller. */
function ignoreIdleError() {}
