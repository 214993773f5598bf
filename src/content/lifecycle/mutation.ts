// How everything is written: all of a mutation or nothing, and what a client can act on as data of the answer.
import type { GraphQLResolveInfo } from 'graphql'
import type { Context } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { replayOf, writeOnce } from '../../db/idempotency-keys.ts'
import { inTransaction } from '../../db/transaction.ts'
import { toUnavailableError } from '../../db/unavailable.ts'
import { unreadable } from '../../db/write-outcome.ts'
import { badInputs, DomainError, type ErrorCode, type InputProblem } from '../../errors.ts'
import { builder } from '../../graphql/builder.ts'
import { domainErrorOf } from '../../graphql/errors.ts'
import { selectionOf } from '../../graphql/record-selection.ts'
import { checkInputLimits } from '../../http/input-limits.ts'
import { awaited, fetchImages, imageProblems, missingImages, type WantedImage, wantedImages } from '../image/write.ts'
import type { RecordKind } from '../kinds.ts'
import { findRecord } from '../list/records.ts'

interface UserErrorShape {
  readonly code: string
  readonly message: string
  readonly field: string | null
  readonly path: readonly string[]
  readonly databaseId: number | null
  readonly by: string | null
}

export const UserError = builder.objectRef<UserErrorShape>('UserError').implement({
  description: 'Why a mutation did nothing. Nothing at all is written when there is one.',
  fields: (t) => ({
    code: t.exposeString('code', { description: 'Stable code, such as `BAD_INPUT`, `FORBIDDEN` or `CONFLICT`.' }),
    message: t.exposeString('message', { description: 'What is wrong, for people.' }),
    field: t.exposeString('field', { nullable: true, description: 'Field of the input that is wrong, if one is.' }),
    path: t.stringList({
      description: 'Where in the input it is: names of fields and places in lists, which begin at 0; empty: nowhere.',
      resolve: ({ path }) => [...path],
    }),
    databaseId: t.exposeInt('databaseId', { nullable: true, description: 'Number of the record that is in the way.' }),
    by: t.exposeString('by', {
      nullable: true,
      description: 'How a record that was not found was named: `id` or `slug`.',
    }),
  }),
})

/** What a mutation's payload is resolved from. */
export interface Outcome {
  /** The record that was written; null when nothing was. */
  readonly id: number | null
  readonly userErrors: readonly UserErrorShape[]
}

/** Runs a mutation of content in one transaction; `work` returns the ID of the record that it wrote. */
export const mutate = (context: Context, input: object, work: (tx: Tx) => Promise<number>): Promise<Outcome> =>
  attempt(context, async () => {
    checkInputLimits(input)
    const images = wantedImages(input)
    const wrong = imageProblems(images, context)
    if (wrong.length > 0) throw badInputs([...wrong, ...(await otherProblems(context, images, work))])
    if (context.checksOnly) {
      await rehearse(context, images, work)
      throw badInputs([])
    }
    const missing = await missingImages(images, context)
    if (missing.length > 0) {
      await rehearse(context, missing, work)
      await fetchImages(missing, context)
    }
    return transact(context, async (tx) => ({ id: await work(tx) }))
  })

/**
 * Runs a mutation of anything else in one transaction; `work` answers what the payload is resolved from. `toStore` is what
 * of it may be stored with an Idempotency-Key; where some of it may not, the answer is not stored either.
 */
export const mutateAccounts = <Done extends { readonly id: number }>(
  context: Context,
  work: (tx: Tx) => Promise<Done>,
  toStore?: (done: Done) => object,
): Promise<(Done & Outcome) | Outcome> =>
  attempt(context, () => {
    if (toStore && context.writes.request) context.writes.request.isSecret = true
    return transact(context, work, toStore)
  })

class Undone extends Error {}

/** Nothing is fetched for those who may not write it: the same work, taken back. */
async function rehearse(
  context: Context,
  images: readonly WantedImage[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<void> {
  const later = awaited(context)
  for (const { source } of images) later.add(source)
  try {
    await withRetries(context, async (tx) => {
      await work(tx)
      throw new Undone()
    })
  } catch (error) {
    if (!(error instanceof Undone)) throw error
  } finally {
    later.clear()
  }
}

/** What else is wrong with an input of which something is wrong already: that goes before any missing right. */
async function otherProblems(
  context: Context,
  images: readonly WantedImage[],
  work: (tx: Tx) => Promise<unknown>,
): Promise<readonly InputProblem[]> {
  try {
    await rehearse(context, images, work)
  } catch (error) {
    if (error instanceof DomainError && !ofRequest.has(error.code)) return error.problems
    throw error
  }
  return []
}

/** These say something of the request, not of its input; `withOutcome` adds what became of the write. */
const ofRequest: ReadonlySet<ErrorCode> = new Set([
  ...(['UNAVAILABLE', 'INSUFFICIENT_STORAGE', 'COMMITTED_UNREADABLE', 'OUTCOME_UNKNOWN'] as const),
  ...(['IDEMPOTENCY_KEY_IN_PROGRESS', 'IDEMPOTENCY_KEY_REUSED'] as const),
])

/** What `work` answers, or what it was refused for. */
async function attempt<Done extends { readonly id: number }>(
  { writes }: Context,
  work: () => Promise<Done>,
): Promise<(Done & Outcome) | Outcome> {
  const write = writes.current()
  try {
    write.progress.signal.throwIfAborted()
    const replay = writes.request && replayOf<Done>(writes.request, write.field)
    if (replay) write.progress.state = 'committed'
    const done = replay ?? (await work())
    write.id = done.id
    return { ...done, userErrors: [] }
  } catch (error) {
    const known = domainErrorOf(error)
    if (!known || ofRequest.has(known.code)) throw error
    return { id: null, userErrors: toUserErrors(known) }
  }
}

/** The field of every payload that says why nothing was written. */
export const userErrorsField = {
  type: [UserError] as [typeof UserError],
  description: 'Why nothing was written.',
  resolve: ({ userErrors }: Outcome) => [...userErrors],
}

/**
 * Resolves the field of a payload that is the record: as it is after the transaction. The connection may have been lost
 * since; the next statement opens another, so one more attempt often finds the record.
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
    throw unreadable(context.writes.current(), new Error('The record is gone'))
  }

/** The field of the payload of a deletion that says what is gone. */
export const deletedId = {
  nullable: true,
  description: 'Number of what was deleted.',
  resolve: ({ id }: Outcome) => id,
} as const

export const DeletionPayload = builder.objectRef<Outcome>('DeletionPayload').implement({
  description: 'What became of a deletion.',
  fields: (t) => ({
    databaseId: t.int(deletedId),
    userErrors: t.field(userErrorsField),
  }),
})

function toUserErrors({ code, message, data, problems }: DomainError): UserErrorShape[] {
  const databaseId = typeof data.databaseId === 'number' ? data.databaseId : null
  const by = typeof data.by === 'string' ? data.by : null
  if (problems.length === 0) return [{ code, message, field: null, path: [], databaseId, by }]
  return problems.map(({ path, message }) => {
    const names = path.map(String)
    return { code, message, field: names[0] ?? null, path: names, databaseId, by }
  })
}

const attempts = 5

/** Runs `work` in a transaction, once for each Idempotency-Key. */
function transact<Done extends { readonly id: number }>(
  context: Context,
  work: (tx: Tx) => Promise<Done>,
  toStore: (done: Done) => object = (done) => done,
): Promise<Done> {
  const { writes } = context
  const { request } = writes
  const write = writes.current()
  return withRetries(context, async (tx) => {
    const done = await (request ? writeOnce(tx, request, write.field, () => work(tx), toStore) : work(tx))
    write.id = done.id
    return done
  })
}

/** Writers that got in each other's way try again; the database ended one of them. */
async function withRetries<T>({ db, writes }: Context, work: (tx: Tx) => Promise<T>): Promise<T> {
  const { progress } = writes.current()
  for (let attempt = 1; ; attempt += 1) {
    progress.signal.throwIfAborted()
    try {
      return await inTransaction(db, work, progress)
    } catch (error) {
      if (attempt === attempts || !isCollision(error)) throw error
    }
  }
}

/** A deadlock, or a link to what was deleted after it had been looked up: the next attempt finds it missing. */
function isCollision(error: unknown): boolean {
  if (error instanceof DomainError || !(error instanceof Error)) return false
  const { code, meta, cause } = error as { code?: unknown; meta?: unknown; cause?: unknown }
  return code === 'P2034' || code === 'P2003' || /40P01|40001|23503/.test(JSON.stringify([code, meta, cause]))
}

/** Throws conflict when the record was changed since the caller read it. */
export function checkUnmodified(modifiedAt: Date, since: Date | null | undefined): void {
  if (since == null || modifiedAt.getTime() <= since.getTime()) return
  throw conflictOf(modifiedAt)
}

/** When a change took place: always later than the one before, so that nobody takes its version for that one. */
export const modification = (before: Date, now: Date): Date => new Date(Math.max(now.getTime(), before.getTime() + 1))

const conflictOf = (modifiedAt: Date) =>
  new DomainError('CONFLICT', 'The record was changed since you read it.', { modifiedAt: modifiedAt.toISOString() })
