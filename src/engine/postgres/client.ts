import { PrismaPg } from '@prisma/adapter-pg'
import type pg from 'pg'
import { memoizeByObject } from '../../basics/memoize.ts'
import { type Prisma, PrismaClient } from '../../generated/prisma/client.ts'
import { createStatementNamer } from './prepared-statements.ts'
import { emitQuery, onQuery, type QueryEvent, registerClient } from './query.ts'

/** Limits in milliseconds. `maxWait` is long, because on the one connection of PGlite, transactions wait for each other. */
const defaultTransactionOptions = { maxWait: 30_000, timeout: 10_000 }

export interface ClientOptions {
  /** Whether to use prepared statements. Must be off for a connection pooler that does not support them. */
  readonly preparedStatements?: boolean
  /** Called after each SQL statement of the client. */
  readonly onQuery?: (event: QueryEvent) => void
  readonly transactionOptions?: { readonly maxWait: number; readonly timeout: number }
}

/** Prepared statements are named per connection, so all clients of a pool must share the names. */
const statementNamerOf = memoizeByObject((_pool: pg.Pool) => createStatementNamer())
const unnamed = () => undefined

/** Creates a Prisma Client that uses this connection pool. */
export function openClient(
  pool: pg.Pool,
  { preparedStatements = true, onQuery: listener, transactionOptions = defaultTransactionOptions }: ClientOptions = {},
) {
  const statementNameGenerator = preparedStatements ? statementNamerOf(pool) : unnamed
  const prisma = new PrismaClient({
    // The type requires a name for each statement, but at run time undefined is allowed, and means that it is not prepared.
    adapter: new PrismaPg(pool, { statementNameGenerator: statementNameGenerator as () => string }),
    log: [{ emit: 'event', level: 'query' }],
    // The other error formats capture a stack trace for each query, which is slow.
    errorFormat: 'minimal',
    transactionOptions,
  })
  registerClient(prisma, pool, preparedStatements)
  prisma.$on('query', ({ query, duration }) => emitQuery(prisma, { query, duration }))
  if (listener) onQuery(prisma, listener)
  return prisma
}

export type Db = ReturnType<typeof openClient>
/** The client of a transaction. */
export type Tx = Prisma.TransactionClient
