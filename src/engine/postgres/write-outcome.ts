// Tracks whether each write of a request was committed, even if its response fails.

import { committedUnreadableError, DomainError, type ErrorCode, outcomeUnknownError } from '../../basics/errors.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { IdempotentRequest } from './idempotency-keys.ts'
import { CommitUnknownError, type WriteProgress } from './transaction.ts'
import { RequestTimeoutError, toUnavailableError } from './unavailable.ts'

/** A mutation field of a request, whose progress is tracked. */
export interface TrackedMutation {
  /** Name or alias of the mutation field in the response. */
  readonly field: string
  /** Converts the ID of the written record to its global ID; null for types without a global ID. */
  readonly globalId: (id: number) => string | null
  readonly progress: WriteProgress
  /** ID of the written record, set before COMMIT is sent. */
  id?: number
  /** How many dates of series it writes. */
  dates: number
}

/** Tracks the mutations of one request, which run one after another. */
export interface RequestWrites {
  readonly all: TrackedMutation[]
  /** Set if the request has an Idempotency-Key. */
  request?: IdempotentRequest
  /** Prevents commits from now on, except a COMMIT that was sent already. */
  abort(): void
  /** Records that a mutation starts. */
  begin(field: string, globalId: TrackedMutation['globalId']): TrackedMutation
  /** Returns the running mutation. */
  current(): TrackedMutation
}

/** Returns the tracker of the mutations of an HTTP request. */
export const writesOfRequest = memoizeByObject((_request: object): RequestWrites => createRequestWrites())

export function createRequestWrites(): RequestWrites {
  const controller = new AbortController()
  const all: TrackedMutation[] = []
  const begin = (field: string, globalId: TrackedMutation['globalId']) => {
    const write: TrackedMutation = { field, globalId, progress: { signal: controller.signal, state: 'open' }, dates: 0 }
    all.push(write)
    return write
  }
  return {
    all,
    begin,
    abort: () => controller.abort(new RequestTimeoutError('The response took too long.')),
    current: () => all.at(-1) ?? begin('', () => null),
  }
}

/**
 * Replaces an error such as UNAVAILABLE, which does not say whether the write was committed, by an error that does. Returns
 * other domain errors unchanged: nothing was written, or the viewer may not see a part of the record.
 */
export function addOutcomeToError(error: unknown, write: TrackedMutation | undefined): unknown {
  if (!write || (error instanceof DomainError && !serviceErrors.has(error.code))) return error
  const { progress } = write
  if (progress.state === 'committed') return createUnreadableError(write, error)
  if (error instanceof CommitUnknownError || progress.state === 'committing') return outcomeUnknownError(error)
  const refused = error instanceof DomainError ? error : toUnavailableError(error)
  if (!refused) return error
  const { code, message, data, cause } = refused
  return Object.assign(new DomainError(code, message, { ...data, committed: false }), { cause: cause ?? error })
}

/** Codes of errors that can occur before or after the commit. */
const serviceErrors = new Set<ErrorCode>(['UNAVAILABLE', 'INSUFFICIENT_STORAGE', 'ANSWER_TOO_LARGE'])

/** Creates the error for a committed write whose record cannot be returned. */
export const createUnreadableError = ({ id, globalId }: TrackedMutation, cause: unknown): DomainError =>
  committedUnreadableError({ databaseId: id ?? null, id: id === undefined ? null : globalId(id) }, cause)
