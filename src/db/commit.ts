// What is known of a write whose connection failed: PostgreSQL stores it when it processes the COMMIT, answered or not.

/** How far a write has come, for an answer that is due before the write ends. */
export interface WriteProgress {
  /** Once aborted, the write is rolled back, unless its commit was sent before. */
  readonly signal: AbortSignal
  state: 'open' | 'committing' | 'committed'
}

/** The commit was sent and its answer was lost: the write is stored, or it is not. */
export class CommitUnknown extends Error {
  constructor(cause: unknown) {
    super('The answer to a commit was lost', { cause })
    this.name = 'CommitUnknown'
  }
}

interface ServerError {
  readonly code?: unknown
  readonly severity?: unknown
  readonly cause?: { readonly originalCode?: unknown; readonly severity?: unknown }
}

/** The driver refuses to send anything on a connection that it knows to be dead. */
const unsentMessages = new Set([
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

/** Prisma's, for a COMMIT that it did not send because it had rolled the transaction back, which took too long. */
const closedTransaction = 'P2028'

/**
 * Whether an error says that nothing was committed: the server refused the statement, or it was never sent. Errors that end
 * the connection say nothing of what was sent before.
 */
export function isRolledBack(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (unsentMessages.has(error.message)) return true
  const { code, severity, cause } = error as ServerError
  if (code === closedTransaction) return true
  const sqlState = cause?.originalCode ?? (severity === undefined ? undefined : code)
  const endsConnection = /^(FATAL|PANIC)$/.test(String(cause?.severity ?? severity))
  return typeof sqlState === 'string' && !endsConnection && !/^(08|57P0)/.test(sqlState)
}
