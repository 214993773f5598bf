import type { Db, Tx } from './client.ts'
import { CommitUnknown, isRolledBack, type WriteProgress } from './commit.ts'

/**
 * Runs `work` in a transaction. Throws CommitUnknown if the confirmation of COMMIT is lost; any other error means that
 * nothing was written.
 */
export async function inTransaction<Result>(
  db: Db,
  work: (tx: Tx) => Promise<Result>,
  progress?: WriteProgress,
): Promise<Result> {
  // After `work` has returned, an error of $transaction is an error of COMMIT.
  let isCommitDue = false
  try {
    const result = await db.$transaction(async (tx) => {
      const returned = await work(tx)
      if (progress) startCommit(progress)
      isCommitDue = true
      return returned
    })
    if (progress) progress.state = 'committed'
    return result
  } catch (error) {
    if (isCommitDue && !isRolledBack(error)) throw new CommitUnknown(error)
    if (progress) progress.state = 'open'
    throw error
  }
}

/** Throws if the request was aborted: its response says that nothing was stored, so nothing may be committed. */
function startCommit(progress: WriteProgress): void {
  progress.signal.throwIfAborted()
  progress.state = 'committing'
}

/** Waits until no other transaction holds the lock of this name. It is released at the end of the transaction. */
export async function acquireAdvisoryLock(tx: Tx, name: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtext(${name}))`
}
