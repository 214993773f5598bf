import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'
import { memoizeByObject } from '../memoize.ts'
import { createStatementNamer } from './prepared-statements.ts'
import { emitQuery, onQuery, type QueryEvent, registerAlias, registerClient } from './query.ts'
import { type ReadEngineMode, withReadEngine } from './read-engine/read-engine.ts'
import { withFindPage, withSelectionTemplates } from './record-reads.ts'

/** Milliseconds. The embedded database has one connection: transactions take turns. */
const defaultTransactionOptions = { maxWait: 30_000, timeout: 10_000 }

export interface ClientOptions {
  readonly readEngine?: ReadEngineMode
  /** Called after each SQL statement, whoever sends it. */
  readonly onQuery?: (event: QueryEvent) => void
  readonly transactionOptions?: { readonly maxWait: number; readonly timeout: number }
}

/** Connections know prepared statements by name, so clients of one pool share the names. */
const statementNamerOf = memoizeByObject((_pool: pg.Pool) => createStatementNamer())

export function createClient(
  pool: pg.Pool,
  { readEngine = 'on', onQuery: listener, transactionOptions = defaultTransactionOptions }: ClientOptions = {},
) {
  const prisma = new PrismaClient({
    // Its type demands a name for every statement; undefined sends one without.
    adapter: new PrismaPg(pool, { statementNameGenerator: statementNamerOf(pool) as () => string }),
    log: [{ emit: 'event', level: 'query' }],
    // Otherwise each query takes a stack trace, for the message of an error that it might end with.
    errorFormat: 'minimal',
    transactionOptions,
  })
  registerClient(prisma, pool)
  prisma.$on('query', ({ query, duration }) => emitQuery(prisma, { query, duration }))
  let client = withFindPage(withSelectionTemplates(prisma))
  registerAlias(client, prisma)
  client = withReadEngine(client, readEngine)
  registerAlias(client, prisma)
  if (listener) onQuery(client, listener)
  return client
}

export type Db = ReturnType<typeof createClient>
/** What a transaction offers. */
export type Tx = Parameters<Parameters<Db['$transaction']>[0]>[0]
