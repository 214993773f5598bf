import type pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { withFindPage } from './find-page.ts'
import { emitQuery, onQuery, type QueryEvent, registerAlias, registerClient } from './query.ts'
import { type ReadEngineMode, withReadEngine } from './read-engine/read-engine.ts'
import { adapterOf, send } from './transaction.ts'

/** Milliseconds. The embedded database has one connection: transactions take turns. */
const usualLimits = { maxWait: 30_000, timeout: 10_000 }

export interface ClientOptions {
  readonly readEngine?: ReadEngineMode
  /** Called after each SQL statement, whoever sends it. */
  readonly onQuery?: (event: QueryEvent) => void
  readonly transactionOptions?: { readonly maxWait: number; readonly timeout: number }
}

export function createClient(
  pool: pg.Pool,
  { readEngine = 'on', onQuery: listener, transactionOptions = usualLimits }: ClientOptions = {},
) {
  const prisma = new PrismaClient({
    adapter: adapterOf(pool),
    log: [{ emit: 'event', level: 'query' }],
    // Otherwise each query takes a stack trace, for the message of an error that it might end with.
    errorFormat: 'minimal',
    transactionOptions,
  })
  registerClient(prisma, pool)
  prisma.$on('query', ({ query, duration }) => emitQuery(prisma, { query, duration }))
  let client = withFindPage(prisma)
  registerAlias(client, prisma)
  client = withReadEngine(client, readEngine)
  registerAlias(client, prisma)
  if (listener) onQuery(client, listener)
  return client
}

export type Db = ReturnType<typeof createClient>
/** What a transaction offers. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0]

/** Makes writers that would create the same thing take turns until their transactions end. */
export const takeTurn = (tx: Tx, what: string) => send(tx, 'SELECT pg_advisory_xact_lock(hashtext($1))::text', [what])
