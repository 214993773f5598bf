// Statements of our own within Prisma's transactions, on the same connection: what Prisma does around a statement takes
// longer than to run it.
import { AsyncLocalStorage } from 'node:async_hooks'
import { PrismaPg } from '@prisma/adapter-pg'
import type { ArgType, SqlQuery, Transaction } from '@prisma/driver-adapter-utils'
import type pg from 'pg'
import type { Db, Tx } from './client.ts'
import { CommitUnknown, isRolledBack, type WriteProgress } from './commit.ts'
import { namer, statementNames } from './prepared.ts'
import { emitQuery, queryRows, toValue } from './query.ts'

interface Opened {
  readonly db: Db
  isOpen: boolean
  /** Undefined until it is there, and again when it has ended: what came later would be in nobody's transaction. */
  transaction?: Transaction | undefined
  /** What the server answered to COMMIT; undefined before it is sent. */
  commit?: 'done' | 'refused' | 'unknown'
}

/** The transaction that is being opened; Prisma does not tell which of the adapter's is which of its own. */
const opening = new AsyncLocalStorage<Opened>()
const opened = new WeakMap<Tx, Opened>()
/** What work is given that is tried without one. */
const alone = new WeakMap<Tx, { readonly db: Db; readonly progress: WriteProgress | undefined }>()

class Own implements SqlQuery {
  readonly argTypes: ArgType[]
  readonly sql: string
  readonly args: unknown[]

  constructor(sql: string, args: unknown[]) {
    this.sql = sql
    this.args = args
    this.argTypes = args.map(() => any)
  }
}

const any: ArgType = { scalarType: 'unknown', arity: 'scalar' }

/** All of them are constants, and their values no reason for another plan. */
const nameOfOwn = statementNames('constant')

/** Prisma's way to a pool. */
export function adapterOf(pool: pg.Pool): PrismaPg {
  const nameOfOthers = namer()
  const nameOf = (query: SqlQuery) => (query instanceof Own ? nameOfOwn(query.sql) : nameOfOthers(query))
  const factory = new PrismaPg(pool, { statementNameGenerator: nameOf as () => string })
  const connect = factory.connect.bind(factory)
  factory.connect = async () => {
    const adapter = await connect()
    const start = adapter.startTransaction.bind(adapter)
    adapter.startTransaction = async (level) => {
      const transaction = await start(level)
      const ours = opening.getStore()
      if (ours && !ours.isOpen) follow(ours, transaction)
      return transaction
    }
    return adapter
  }
  return factory
}

/** Prisma ends transactions by a statement, those too that take too long. */
function follow(ours: Opened, transaction: Transaction): void {
  Object.assign(ours, { isOpen: true, transaction })
  const execute = transaction.executeRaw.bind(transaction)
  transaction.executeRaw = async (query) => {
    if (query.sql === 'COMMIT' || query.sql === 'ROLLBACK') ours.transaction = undefined
    if (query.sql !== 'COMMIT') return execute(query)
    ours.commit = 'unknown'
    try {
      const rows = await execute(query)
      ours.commit = 'done'
      return rows
    } catch (error) {
      if (isRolledBack(error)) ours.commit = 'refused'
      throw error
    }
  }
}

/**
 * Runs `work` in a transaction, in which `send` goes the short way. Throws CommitUnknown when the answer to COMMIT is lost;
 * any other error means that nothing was stored.
 */
export async function inTransaction<Done>(
  db: Db,
  work: (tx: Tx) => Promise<Done>,
  progress?: WriteProgress,
): Promise<Done> {
  const ours: Opened = { db, isOpen: false }
  let result: { readonly done: Done } | undefined
  const start = () =>
    db.$transaction(async (tx) => {
      opened.set(tx, ours)
      result = { done: await work(tx) }
      if (progress) startCommit(progress)
      return result.done
    })
  try {
    const done = await opening.run(ours, start)
    if (progress) progress.state = 'committed'
    return done
  } catch (error) {
    if (ours.commit === 'unknown') throw new CommitUnknown(error)
    const isCommitted = ours.commit === 'done' && result !== undefined
    if (progress) progress.state = isCommitted ? 'committed' : 'open'
    if (isCommitted && result) return result.done
    throw error
  }
}

/** Throws instead when the write was given up: what is answered as not stored must not be stored later. */
function startCommit(progress: WriteProgress): void {
  progress.signal.throwIfAborted()
  progress.state = 'committing'
}

/** Thrown by what only a transaction allows. */
export class NoTransaction extends Error {}

/**
 * Runs `work` without a transaction, for what looks around and then stores everything by one statement, which is one by
 * itself. Throws NoTransaction when it wants to do anything else; nothing is written then.
 */
export function withoutTransaction<Done>(
  db: Db,
  work: (tx: Tx) => Promise<Done>,
  progress?: WriteProgress,
): Promise<Done> {
  const tx = new Proxy({}, { get: refuse }) as Tx
  alone.set(tx, { db, progress })
  return work(tx)
}

function refuse(): never {
  throw new NoTransaction()
}

/** Throws NoTransaction outside of one. */
export function requireTransaction(tx: Tx): void {
  if (alone.has(tx)) refuse()
}

/**
 * Sends a statement of a transaction. Its text is a constant of the code, but for the names of tables. In transactions
 * that were opened otherwise Prisma does, which also says what is wrong with one that has ended.
 */
export async function send<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  requireTransaction(tx)
  const { db, transaction } = opened.get(tx) ?? {}
  const given = values.map(toValue)
  if (!db || !transaction) return tx.$queryRawUnsafe<Row[]>(text, ...given)
  const start = performance.now()
  const { columnNames, rows } = await transaction.queryRaw(new Own(text, given))
  emitQuery(db, { query: text, duration: performance.now() - start })
  return rows.map((row) => Object.fromEntries(columnNames.map((name, place) => [name, row[place]])) as Row)
}

/** The same for a statement that only looks, which needs no transaction. */
export async function sendAlone<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const outside = alone.get(tx)
  return outside ? queryRows<Row>(outside.db, { text, values, prepared: 'constant' }) : send<Row>(tx, text, values)
}

/**
 * The same for the statement that is all that `work` writes. Outside of a transaction it is stored when it ends, if it
 * returns rows: it throws CommitUnknown when its answer is lost.
 */
export async function writeAlone<Row>(tx: Tx, text: string, values: readonly unknown[]): Promise<Row[]> {
  const outside = alone.get(tx)
  if (!outside) return send<Row>(tx, text, values)
  const { db, progress } = outside
  let isSent = false
  const onSend = () => {
    if (progress) startCommit(progress)
    isSent = true
  }
  try {
    const rows = await queryRows<Row>(db, { text, values, prepared: 'constant' }, onSend)
    if (progress) progress.state = rows.length > 0 ? 'committed' : 'open'
    return rows
  } catch (error) {
    if (isSent && !isRolledBack(error)) throw new CommitUnknown(error)
    if (progress) progress.state = 'open'
    throw error
  }
}
