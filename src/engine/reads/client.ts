import { type ClientOptions, type Db, openClient } from '../postgres/client.ts'

/** `on` compiles what it can, `verify` also compares each result with Prisma's, `prisma` leaves all reads to Prisma. */
export type ReadEngineMode = 'on' | 'verify' | 'prisma'

const modes = new WeakMap<Db, ReadEngineMode>()

/** Prisma Client on a pool. `createReads` reads by it in this mode. */
export function createClient(
  pool: Parameters<typeof openClient>[0],
  { readEngine = 'on', ...options }: ClientOptions & { readonly readEngine?: ReadEngineMode } = {},
): Db {
  const client = openClient(pool, options)
  modes.set(client, readEngine)
  return client
}

export const modeOf = (client: Db): ReadEngineMode => modes.get(client) ?? 'on'
