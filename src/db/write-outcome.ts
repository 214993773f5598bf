// What is known of the writes of one request: whether each was committed, whatever became of the answer.

import { committedUnreadable, DomainError, type ErrorCode, outcomeUnknown } from '../errors.ts'
import { memoizeByObject } from '../memoize.ts'
import { CommitUnknown, type WriteProgress } from './commit.ts'
import type { IdempotentRequest } from './idempotency-keys.ts'
import { RequestTimeoutError, toUnavailableError } from './unavailable.ts'

/** One mutation of a request. */
export interface Write {
  /** Response name of its field. */
  readonly field: string
  /** Opaque ID of its record, for kinds of records that have one. */
  readonly globalId: (id: number) => string | null
  readonly progress: WriteProgress
  /** Number of its record, known before the commit is sent. */
  id?: number
}

/** The writes of one request, which run one after another. */
export interface Writes {
  readonly all: Write[]
  /** Of a request with an Idempotency-Key. */
  request?: IdempotentRequest
  /** From now on nothing is committed that was not sent to be. */
  giveUp(): void
  /** Notes that a mutation starts. */
  begin(field: string, globalId: Write['globalId']): Write
  /** The mutation that runs now. */
  current(): Write
}

/** The writes of an HTTP request. */
export const writesOf = memoizeByObject((_request: object): Writes => createWrites())

export function createWrites(): Writes {
  const controller = new AbortController()
  const all: Write[] = []
  const begin = (field: string, globalId: Write['globalId']) => {
    const write: Write = { field, globalId, progress: { signal: controller.signal, state: 'open' } }
    all.push(write)
    return write
  }
  return {
    all,
    begin,
    giveUp: () => controller.abort(new RequestTimeoutError('The answer took too long.')),
    current: () => all.at(-1) ?? begin('', () => null),
  }
}

/**
 * An error that says whether the write was committed, in place of one that does not: UNAVAILABLE and the like. What a domain
 * error refuses was not written, or is a part of a record that the reader may not see.
 */
export function withOutcome(error: unknown, write: Write | undefined): unknown {
  if (!write || (error instanceof DomainError && !serviceErrors.has(error.code))) return error
  const { progress } = write
  if (progress.state === 'committed') return unreadable(write, error)
  if (error instanceof CommitUnknown || progress.state === 'committing') return outcomeUnknown(error)
  const refused = error instanceof DomainError ? error : toUnavailableError(error)
  if (!refused) return error
  const { code, message, data, cause } = refused
  return Object.assign(new DomainError(code, message, { ...data, committed: false }), { cause: cause ?? error })
}

/** Errors that are not about the input, and may come at any moment of a write. */
const serviceErrors: ReadonlySet<ErrorCode> = new Set([
  ...(['UNAVAILABLE', 'INSUFFICIENT_STORAGE', 'ANSWER_TOO_LARGE'] as const),
])

/** The error for a write that was committed, whose record can not be shown. */
export const unreadable = ({ id, globalId }: Write, cause: unknown): DomainError =>
  committedUnreadable({ databaseId: id ?? null, id: id === undefined ? null : globalId(id) }, cause)
