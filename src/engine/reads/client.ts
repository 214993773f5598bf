import { type ClientOptions, type Db, openClient } from '../postgres/client.ts'
import { registerAlias } from '../postgres/query.ts'
import { type ReadEngineMode, withReadEngine } from './read-engine.ts'

/** Prisma Client on a pool, whose reads outside of transactions the read engine runs. */
export function createClient(
  pool: Parameters<typeof openClient>[0],
  { readEngine = 'on', ...options }: ClientOptions & { readonly readEngine?: ReadEngineMode } = {},
): Db {
  const base = openClient(pool, options)
  const client = withReadEngine(base, readEngine)
  registerAlias(client, base)
  return client
}
