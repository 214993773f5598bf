// Runs transactions, and determines whether a transaction was committed if its connection fails: PostgreSQL may have committed
// although the confirmation was lost.
import type { Db, Tx } from './client.ts'
import { closedConnection, transactionFailure } from './unavailable.ts'

/** The progress of a write, for a response that is sent before the write ends. */
export interface WriteProgress {
  /** When aborted, the write is rolled back, unless COMMIT was sent before. */
  readonly signal: AbortSignal
  state: 'open' | 'committing' | 'committed'
}

/** Who makes a change, and through what, for the log of changes. */
export interface Actor {
  /** ID of the user; undefined for visitors and commands. */
  readonly user: number | undefined
  /** ID of the token or password. */
  readonly credential: number | undefined
  /** The API, command or job, such as `graphql`. */
  readonly source: string
  readonly request: string | undefined
}

/** Background work. */
export const job: Actor = { user: undefined, credential: undefined, source: 'job', request: undefined }

/** Error after COMMIT was sent and its confirmation was lost: the write may or may not be stored. */
export class CommitUnknownError extends Error {
  constructor(cause: unknown) {
    super('The confirmation of a commit was lost', { cause })
    this.name = 'CommitUnknown'
  }
}

/** Names the actor of all changes that the transaction makes from now on. */
const setActor = (tx: Pick<Tx, '$executeRaw'>, actor: Actor): Promise<unknown> =>
  tx.$executeRaw`SELECT set_config('calendar.actor', ${JSON.stringify(actor)}, true)`

/**
 * Runs `work` in a transaction, whose changes are logged as those of the actor. Throws CommitUnknownError if the confirmation of COMMIT is lost; any other error means that
 * nothing was written.
 */
export async function runInTransaction<Result>(
  db: Db,
  actor: Actor,
  work: (tx: Tx) => Promise<Result>,
  progress?: WriteProgress,
): Promise<Result> {
  // Whether `work` has returned. After that, an error of $transaction is an error of COMMIT.
  let isCommitDue = false
  try {
    const result = await db.$transaction(async (tx) => {
      await setActor(tx, actor)
      const returned = await work(tx)
      // If the request was aborted, its response says that nothing was stored, so nothing may be committed.
      progress?.signal.throwIfAborted()
      if (progress) progress.state = 'committing'
      isCommitDue = true
      return returned
    })
    if (progress) progress.state = 'committed'
    return result
  } catch (error) {
    if (isCommitDue && !isRolledBack(error)) throw new CommitUnknownError(error)
    if (progress) progress.state = 'open'
    throw error
  }
}

interface ServerError {
  readonly code?: unknown
  readonly severity?: unknown
  readonly cause?: { readonly originalCode?: unknown; readonly severity?: unknown }
}

/**
 * Whether the error proves that nothing was committed: the server rejected the statement, or it was never sent. Errors that
 * close the connection prove nothing about statements sent before.
 */
function isRolledBack(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (closedConnection.test(error.message)) return true
  const { code, severity, cause } = error as ServerError
  // The transaction exceeded its timeout, and Prisma rolled the transaction back.
  if (code === transactionFailure) return true
  const sqlState = cause?.originalCode ?? (severity === undefined ? undefined : code)
  const endsConnection = /^(FATAL|PANIC)$/.test(String(cause?.severity ?? severity))
  return typeof sqlState === 'string' && !endsConnection && !/^(08|57P0)/.test(sqlState)
}

/** Waits for the advisory lock of this name, and holds the lock until the end of the transaction. */
export async function acquireAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${name}))`
}
