// Runs mutations: each in one transaction. Errors that a client can act on become `userErrors` of the payload.

import { DomainError, type InputProblem, inputProblemsError } from '../../basics/errors.ts'
import { toInputProblems } from '../../basics/input-errors.ts'
import { checkInputSize } from '../../basics/input-limits.ts'
import type { Tx } from '../../engine/postgres/client.ts'
import { findReplay, writeOnce } from '../../engine/postgres/idempotency-keys.ts'
import { runInTransaction } from '../../engine/postgres/transaction.ts'
import { actorOf, type Context } from '../../service/context.ts'
import { domainErrorOf } from '../../service/graphql/errors.ts'
import {
  downloadImages,
  dryRunContexts,
  findFileProblems,
  findImageProblems,
  findImagesToDownload,
  findNewImages,
} from '../image/storage/write.ts'
import type { WriteResult } from './payload.ts'
import { toUserErrors } from './user-error.ts'

/**
 * Runs a mutation of content in one transaction; `work` returns the ID of the record that it wrote. `afterwards` runs after the
 * commit, but not for a repeated Idempotency-Key.
 */
export const runMutation = <Input extends object>(
  context: Context,
  input: Input,
  work: (tx: Tx, input: Input) => Promise<number>,
  afterwards?: (id: number) => Promise<void>,
): Promise<WriteResult> =>
  withUserErrors(context, async () => {
    const { problems, usable } = checkInputSize(input)
    if (!usable) throw inputProblemsError(problems)
    const images = findNewImages(usable)
    const early = [...problems, ...findImageProblems(images, context)]
    let isWritten = false
    const run = withImport(context, async (tx) => {
      isWritten = true
      return { id: await work(tx, usable) }
    })
    if (early.length > 0) {
      const files = await findFileProblems(images, context)
      throw inputProblemsError([...early, ...files, ...(await otherProblems(context, early, run))])
    }
    if (context.checksOnly) {
      await dryRun(context, run)
      throw inputProblemsError([])
    }
    const missing = await findImagesToDownload(images, context)
    if (missing.length > 0) {
      await dryRun(context, run).catch(async (error: unknown) => {
        throw inputProblemsError([...toInputProblems(error), ...(await findFileProblems(missing, context))])
      })
      await downloadImages(missing, context)
    }
    const result = await transact(context, run)
    if (isWritten) await afterwards?.(result.id)
    return result
  })

/**
 * Runs a mutation of users, credentials or webhooks in one transaction; `work` returns the source object of the payload.
 * `toStore` picks the part of the payload that is stored with an Idempotency-Key, instead of the whole response. `prepare`
 * runs before the transaction, for what takes long.
 */
export const mutateAccounts = <Result extends { readonly id: number }, Prepared = void>(
  context: Context,
  work: (tx: Tx, prepared: Prepared) => Promise<Result>,
  toStore?: (result: Result) => object,
  prepare?: () => Promise<Prepared>,
): Promise<(Result & WriteResult) | WriteResult> =>
  withUserErrors(context, async () => {
    if (toStore && context.writes.request) context.writes.request.isSecret = true
    const prepared = (await prepare?.()) as Prepared
    return transact(
      context,
      withImport(context, (tx) => work(tx, prepared)),
      toStore,
    )
  })

/** Adds the writes of an import to the work, in the same transaction. */
const withImport =
  <Result extends { readonly id: number }>({ importing }: Context, work: (tx: Tx) => Promise<Result>) =>
  async (tx: Tx): Promise<Result> => {
    await importing?.beforeWrite?.(tx)
    const result = await work(tx)
    await importing?.afterWrite?.(tx, result.id)
    return result
  }

class Rollback extends Error {}

/** Does the work and rolls it back, to report errors and missing permissions before any image is fetched. */
async function dryRun(context: Context, work: (tx: Tx) => Promise<unknown>): Promise<void> {
  dryRunContexts.add(context)
  try {
    await withRetries(context, async (tx) => {
      await work(tx)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  } finally {
    dryRunContexts.delete(context)
  }
}

/** Finds further problems of an invalid input by a dry run. Input problems take precedence over a missing permission. */
async function otherProblems(
  context: Context,
  early: readonly InputProblem[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<readonly InputProblem[]> {
  try {
    await dryRun(context, work)
  } catch (error) {
    if (!(error instanceof DomainError) || !toUserErrors(error)) throw error
    // Leaves out the paths of invalid values, which the dry run replaced.
    return error.problems.filter((problem) => !early.some(({ path }) => isBelow(path, problem.path)))
  }
  return []
}

const isBelow = (path: InputProblem['path'], other: InputProblem['path']) =>
  path.every((part, index) => String(part) === String(other[index]))

/** Returns the result of `work`, a stored result of the same Idempotency-Key, or the user errors that `work` threw. */
async function withUserErrors<Result extends { readonly id: number }>(
  { writes }: Context,
  work: () => Promise<Result>,
): Promise<(Result & WriteResult) | WriteResult> {
  const write = writes.current()
  try {
    write.progress.signal.throwIfAborted()
    const replay = writes.request && findReplay<Result>(writes.request, write.field)
    if (replay) write.progress.state = 'committed'
    const result = replay ?? (await work())
    write.id = result.id
    return { ...result, userErrors: [] }
  } catch (error) {
    const domainError = domainErrorOf(error)
    const userErrors = domainError && toUserErrors(domainError)
    if (!userErrors) throw error
    return { id: null, userErrors }
  }
}

const maxAttempts = 5

/** Runs `work` in a transaction, at most once for each Idempotency-Key. */
function transact<Result extends { readonly id: number }>(
  context: Context,
  work: (tx: Tx) => Promise<Result>,
  toStore: (result: Result) => object = (result) => result,
): Promise<Result> {
  const { writes } = context
  const { request } = writes
  const write = writes.current()
  return withRetries(context, async (tx) => {
    const result = await (request ? writeOnce(tx, request, write.field, () => work(tx), toStore) : work(tx))
    write.id = result.id
    return result
  })
}

/** Runs the transaction again when the database aborted it because of a concurrent one. */
async function withRetries<T>(context: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  const write = context.writes.current()
  const { progress } = write
  for (let attempt = 1; ; attempt += 1) {
    progress.signal.throwIfAborted()
    write.dates = 0
    try {
      return await runInTransaction(context.db, actorOf(context), work, progress)
    } catch (error) {
      if (attempt === maxAttempts || !isRetryable(error)) throw error
    }
  }
}

/** A deadlock, a serialization failure, or a link to a record that was deleted after it had been looked up. */
function isRetryable(error: unknown): boolean {
  if (error instanceof DomainError || !(error instanceof Error)) return false
  const { code, meta, cause } = error as { code?: unknown; meta?: unknown; cause?: unknown }
  return code === 'P2034' || code === 'P2003' || /40P01|40001|23503/.test(JSON.stringify([code, meta, cause]))
}
