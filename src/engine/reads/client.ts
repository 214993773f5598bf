import { type ClientOptions, type Db, openClient } from '../postgres/client.ts'

/**
 * `on` compiles what it can, `verify` also compares each result with Prisma's, `sample` the first results of each shape of read,
 * and `prisma` leaves all reads to Prisma.
 */
export type ReadEngineMode = 'on' | 'sample' | 'verify' | 'prisma'

const modes = new WeakMap<Db, ReadEngineMode>()
const unobserved = new WeakMap<Db, Db>()

/** Prisma Client on a pool. `createReads` reads by it in this mode. */
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

/** A client for reads that only verify others, which count as none. Equal to the client without verification. */
export const unobservedClient = (client: Db): Db => unobserved.get(client) ?? client

export const readEngineModeOf = (client: Db): ReadEngineMode => modes.get(client) ?? 'on'
