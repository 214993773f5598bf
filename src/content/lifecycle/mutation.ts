// Runs mutations: each in one transaction. Errors that a client can act on become `userErrors` of the payload.
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { replayOf, writeOnce } from '../../db/idempotency-keys.ts'
import { inTransaction } from '../../db/transaction.ts'
import { toUnavailableError } from '../../db/unavailable.ts'
import { unreadable } from '../../db/write-outcome.ts'
import { badInputs, conflict, DomainError, type ErrorKind, type InputProblem } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { domainErrorOf } from '../../graphql/errors.ts'
import { selectionOf } from '../../graphql/record-selection.ts'
import { limitInput } from '../../http/input-limits.ts'
import { globalId } from '../identify.ts'
import {
  fetchImages,
  fileProblems,
  type InputImage,
  imageProblems,
  imagesOf,
  missingImages,
  pendingImages,
} from '../image/write.ts'
import type { RecordKind } from '../kinds.ts'
import { findRecord } from '../list/records.ts'
import { problemsOf } from './input-errors.ts'
import { toUserErrors, UserError, type UserErrorShape } from './user-error.ts'

/** The source object of a mutation's payload. */
export interface Outcome {
  /** ID of the record that was written; null if nothing was written. */
  readonly id: number | null
  readonly userErrors: readonly UserErrorShape[]
}

/** Runs a mutation of content in one transaction; `work` returns the ID of the record that it wrote. */
export const mutate = <Input extends object>(
  context: Context,
  input: Input,
  work: (tx: Tx, input: Input) => Promise<number>,
): Promise<Outcome> =>
  withUserErrors(context, async () => {
    const { problems, usable } = limitInput(input)
    if (!usable) throw badInputs(problems)
    const images = imagesOf(usable)
    const early = [...problems, ...imageProblems(images, context)]
    const run = (tx: Tx) => work(tx, usable)
    if (early.length > 0) {
      const files = await fileProblems(images, context)
      throw badInputs([...early, ...files, ...(await otherProblems(context, images, early, run))])
    }
    if (context.checksOnly) {
      await dryRun(context, images, run)
      throw badInputs([])
    }
    const missing = await missingImages(images, context)
    if (missing.length > 0) {
      await dryRun(context, missing, run).catch(async (error: unknown) => {
        throw badInputs([...problemsOf(error), ...(await fileProblems(missing, context))])
      })
      await fetchImages(missing, context)
    }
    return transact(context, async (tx) => ({ id: await run(tx) }))
  })

/**
 * Runs a mutation of users or credentials in one transaction; `work` returns the source object of the payload. `toStore`
 * picks the part of it that may be stored with an Idempotency-Key; if it is set, the response is not stored.
 */
export const mutateAccounts = <Result extends { readonly id: number }>(
  context: Context,
  work: (tx: Tx) => Promise<Result>,
  toStore?: (result: Result) => object,
): Promise<(Result & Outcome) | Outcome> =>
  withUserErrors(context, () => {
    if (toStore && context.writes.request) context.writes.request.isSecret = true
    return transact(context, work, toStore)
  })

class Rollback extends Error {}

/** Does the work and rolls it back, to report errors and missing permissions before any image is fetched. */
async function dryRun(
  context: Context,
  images: readonly InputImage[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const pending = pendingImages(context)
  for (const { source } of images) pending.add(source)
  try {
    await withRetries(context, async (tx) => {
      await work(tx)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) throw error
  } finally {
    pending.clear()
  }
}

/** Further problems of an input that is invalid already; problems go before a missing permission. */
async function otherProblems(
  context: Context,
  images: readonly InputImage[],
  early: readonly InputProblem[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<readonly InputProblem[]> {
  try {
    await dryRun(context, images, work)
  } catch (error) {
    if (!(error instanceof DomainError) || !toUserErrors(error)) throw error
    // The values at these paths were replaced.
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
): Promise<(Result & Outcome) | Outcome> {
  const write = writes.current()
  try {
    write.progress.signal.throwIfAborted()
    const replay = writes.request && replayOf<Result>(writes.request, write.field)
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

/** The `userErrors` field of every payload. */
export const userErrorsField = {
  type: [UserError] as [typeof UserError],
  description: 'Why nothing was written; empty after a success.',
  resolve: ({ userErrors }: Outcome) => [...userErrors],
}

/**
 * Resolves the record of a payload as it is after the transaction. Tries twice, because a connection that was lost after
 * the commit is replaced by the next statement.
 */
export const writtenRecord =
  <Node extends object>(kind: RecordKind) =>
  async ({ id }: Outcome, _args: object, context: Context, info: GraphQLResolveInfo): Promise<Node | null> => {
    if (id === null) return null
    const find = () => findRecord<Node>(context, kind, selectionOf(context, info), { id })
    const record = await find().catch((error: unknown) => {
      if (!toUnavailableError(error)) throw error
      return find()
    })
    if (record) return record
    throw unreadable(context.writes.current(), new Error('The record was deleted right after it was written'))
  }

/** The `databaseId` field of a deletion's payload. */
export const deletedId = {
  nullable: true,
  description: 'Numeric ID of the deleted record; null if nothing was deleted.',
  resolve: ({ id }: Outcome) => id,
} as const

/** The `id` field of a deletion's payload. */
export const deletedGlobalId = <Deletion extends Outcome>(kindOf: (deletion: Deletion) => ErrorKind) => ({
  nullable: true as const,
  description: 'Global ID of the deleted record; null if nothing was deleted.',
  resolve: (deletion: Deletion) => (deletion.id === null ? null : globalId(kindOf(deletion), deletion.id)),
})

interface Deletion extends Outcome {
  readonly kind: ErrorKind
}

export const DeletionPayload = builder.objectRef<Deletion>('DeletionPayload').implement({
  description: 'Result of a deletion.',
  fields: (t) => ({
    id: t.id(deletedGlobalId(({ kind }: Deletion) => kind)),
    databaseId: t.int(deletedId),
    userErrors: t.field(userErrorsField),
  }),
})

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
async function withRetries<T>({ db, writes }: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { progress } = writes.current()
  for (let attempt = 1; ; attempt += 1) {
    progress.signal.throwIfAborted()
    try {
      return await inTransaction(db, work, progress)
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

/** Throws conflict when the record was changed since the caller read it. */
export function checkUnmodified(modifiedAt: Date, since: Date | null | undefined): void {
  if (since == null || modifiedAt.getTime() <= since.getTime()) return
  throw modifiedSince(modifiedAt)
}

/** What only an import from another site sets, besides the input of a mutation. */
export interface ImportedValues {
  /** A free ID for the new record. */
  readonly recordId?: number | undefined
  /** When the record was modified on the other site. */
  readonly modifiedAt?: Date | undefined
}

/**
 * The new `modifiedAt`: always later than the previous one, so that each version of a record has its own. An import keeps
 * the time of the other site unless the record here is newer.
 */
export const nextModifiedAt = (before: Date, now: Date, { modifiedAt }: ImportedValues = {}): Date =>
  modifiedAt && modifiedAt >= before ? modifiedAt : new Date(Math.max(now.getTime(), before.getTime() + 1))

const modifiedSince = (modifiedAt: Date) =>
  conflict('The record was modified after ifUnmodifiedSince. Read it again and repeat the change.', { modifiedAt })
