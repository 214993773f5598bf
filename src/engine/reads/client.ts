import { type ClientOptions, type Db, openClient } from '../postgres/client.ts'

/**
 * How reads run. `on` compiles the reads that the read engine supports, `verify` also compares each result with the result of
 * Prisma's own engine, `sample` only the first results per shape of arguments, and `prisma` leaves all reads to Prisma.
 */
export type ReadEngineMode = 'on' | 'sample' | 'verify' | 'prisma'

const modes = new WeakMap<Db, ReadEngineMode>()
const unobserved = new WeakMap<Db, Db>()

/** Creates a Prisma Client on a connection pool. `readEngine` says which engine executes the reads of `createReads`. */
export function createClient(
  pool: Parameters<typeof openClient>[0],
  { readEngine = 'on', ...options }: ClientOptions & { readonly readEngine?: ReadEngineMode } = {},
): Db {
  const client = openClient(pool, options)
  modes.set(client, readEngine)
  const { onQuery: _, ...rest } = options
  unobserved.set(client, readEngine === 'on' ? client : openClient(pool, rest))
  return client
}

/** Returns the client for reads that only verify other reads and are not counted. Without verification it is `client` itself. */
export const unobservedClient = (client: Db): Db => unobserved.get(client) ?? client

export const readEngineModeOf = (client: Db): ReadEngineMode => modes.get(client) ?? 'on'
