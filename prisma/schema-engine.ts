// For development: Prisma's schema engine as WebAssembly, which compares schemas without a binary to download. The service
// applies migrations without it.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils'
import type { SchemaEngine } from '@prisma/schema-engine-wasm'
import * as glue from '@prisma/schema-engine-wasm/schema_engine_bg'
import type pg from 'pg'
import { memoizeOnce } from '../src/basics/memoize.ts'

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
  const { instance } = await WebAssembly.instantiate(wasm, { './schema_engine_bg.js': glue })
  engine.__wbg_set_wasm(instance.exports)
  instance.exports.__wbindgen_start()
  return engine
})

/** The engine, connected to `pool`; `datamodel` is the text of a schema.prisma. */
export async function schemaEngine(pool: pg.Pool, datamodel: string): Promise<SchemaEngine> {
  const { SchemaEngine } = await load()
  const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool))
  return SchemaEngine.new({ datamodels: [['schema.prisma', datamodel]] }, () => {}, adapter)
}
