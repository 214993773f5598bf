// Prisma's migration engine as WebAssembly: no binary to download, and the same on the embedded database and on a server.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, DriverAdapterError } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import { memoizeOnce } from '../memoize.ts'

const require = createRequire(import.meta.url)

interface Wasm {
  instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>
}
interface Glue {
  __wbg_set_wasm(exports: object): void
  SchemaEngine: { new: (options: object, log: () => void, adapter: object) => Promise<SchemaEngine> }
}

/** The glue module keeps its instance in module variables: a second one would corrupt it. */
const load = memoizeOnce(async (): Promise<Glue> => {
  const engine = glue as unknown as Glue
  const { WebAssembly } = globalThis as unknown as { WebAssembly: Wasm }
  const wasm = readFileSync(join(dirname(require.resolve('@prisma/schema-engine-wasm')), 'schema_engine_bg.wasm'))
  const onPanic = (message: string) => {
    throw new Error(message)
  }
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: onPanic } })
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': withoutWaiting(glue) })
  engine.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return engine
})

/** The engine never clears the timer of its lock, which would keep a command that is done from ending. */
function withoutWaiting(functions: object): object {
  const patient = Object.entries(functions).map(([name, call]) => [
    name,
    name.startsWith('__wbg_setTimeout') ? (...given: unknown[]) => (call(...given) as NodeJS.Timeout).unref() : call,
  ])
  return Object.fromEntries(patient)
}

/** The engine, connected to `pool`; `datamodel` is the text of a schema.prisma. */
export async function schemaEngine(pool: pg.Pool, datamodel: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await load()
  const factory = new PrismaPg(pool)
  const connect = factory.connect.bind(factory)
  factory.connect = async () => Object.assign(await connect(), { executeScript: (sql: string) => runScript(pool, sql) })
  const adapter = bindMigrationAwareSqlAdapterFactory(factory)
  return SchemaEngine.new({ datamodels: [['schema.prisma', datamodel]] }, () => {}, adapter)
}

/** Notes in the transaction of a migration that it is finished: a process killed after its end would not get to it. */
const noteFinished =
  'UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL;'

/**
 * A script whole and on one connection. Prisma's own adapter cuts it at every semicolon and sends the pieces to the
 * pool, which breaks function bodies and transactions, and leaves the connection in a failed one.
 */
async function runScript(pool: pg.Pool, sql: string): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(sql.replace(/^COMMIT;\s*$/m, `${noteFinished}\nCOMMIT;`))
  } catch (error) {
    await client.query('ROLLBACK')
    throw new DriverAdapterError(toDriverError(error))
  } finally {
    client.release()
  }
}

function toDriverError(error: unknown) {
  const { message, code = 'XX000', severity = 'ERROR', detail, column, hint } = error as pg.DatabaseError
  return {
    kind: 'postgres' as const,
    message,
    code,
    severity,
    detail,
    column,
    hint,
    originalCode: code,
    originalMessage: message,
  }
}
