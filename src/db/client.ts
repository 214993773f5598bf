import type pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { allowReading, onSent } from './read.ts'
import { adapterOf, send } from './transaction.ts'

/** `onQuery` hears of each SQL statement. */
export function createClient(pool: pg.Pool, onQuery?: (sql: string) => void) {
  const client = new PrismaClient({
    adapter: adapterOf(pool),
    log: [{ emit: 'event', level: 'query' }],
    // Otherwise each query takes a stack trace, for the message of an error that it might end with.
    errorFormat: 'minimal',
    // The embedded database has one connection: transactions take turns.
    transactionOptions: { maxWait: 30_000, timeout: 10_000 },
  })
  allowReading(client, pool)
  if (onQuery) {
    client.$on('query', (event) => onQuery(event.query))
    onSent(client, (event) => onQuery(event.query))
  }
  return client
}

export type Db = ReturnType<typeof createClient>
/** What a transaction offers. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0]

/** Makes writers that would create the same thing take turns until their transactions end. */
export const takeTurn = (tx: Tx, what: string) => send(tx, 'SELECT pg_advisory_xact_lock(hashtext($1))::text', [what])
