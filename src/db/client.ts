import type pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { allowReading, onSent } from './read.ts'
import { adapterOf, send } from './transaction.ts'

/** Milliseconds. The embedded database has one connection: transactions take turns. */
const usualLimits = { maxWait: 30_000, timeout: 10_000 }

/** `onQuery` hears of each SQL statement. */
export function createClient(pool: pg.Pool, onQuery?: (sql: string) => void, transactionOptions = usualLimits) {
  const client = new PrismaClient({
    adapter: adapterOf(pool),
    log: [{ emit: 'event', level: 'query' }],
    // Otherwise each query takes a stack trace, for the message of an error that it might end with.
    errorFormat: 'minimal',
    transactionOptions,
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
