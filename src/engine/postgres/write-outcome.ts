// Tracks whether each write of a request was committed, even if its response fails.

import { committedUnreadable, DomainError, type ErrorCode, outcomeUnknown } from '../../basics/errors.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { IdempotentRequest } from './idempotency-keys.ts'
import { CommitUnknown, type WriteProgress } from './transaction.ts'
import { RequestTimeoutError, toUnavailableError } from './unavailable.ts'

/** One mutation of a request. */
export interface Write {
  /** Response name of the mutation field. */
  readonly field: string
  /** Converts the ID of its record to the global ID; null for types without one. */
  readonly globalId: (id: number) => string | null
  readonly progress: WriteProgress
  /** ID of its record, set before COMMIT is sent. */
  id?: number
}

/** The writes of one request, which run one after another. */
export interface RequestWrites {
  readonly all: Write[]
  /** Set if the request has an Idempotency-Key. */
  request?: IdempotentRequest
  /** Prevents commits from now on, except one that was sent already. */
  abort(): void
  /** Records that a mutation starts. */
  begin(field: string, globalId: Write['globalId']): Write
  /** The running mutation. */
  current(): Write
}

/** The writes of an HTTP request. */
export const writesOfRequest = memoizeByObject((_request: object): RequestWrites => createRequestWrites())

export function createRequestWrites(): RequestWrites {
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
    abort: () => controller.abort(new RequestTimeoutError('The response took too long.')),
    current: () => all.at(-1) ?? begin('', () => null),
  }
}

/**
 * Replaces an error that leaves open whether the write was committed, such as UNAVAILABLE, by one that says so. Other domain
 * errors stay: they mean that nothing was written, or that a part of the record is not visible to the viewer.
 */
export function addOutcomeToError(error: unknown, write: Write | undefined): unknown {
  if (!write || (error instanceof DomainError && !serviceErrors.has(error.code))) return error
  const { progress } = write
  if (progress.state === 'committed') return createUnreadableError(write, error)
  if (error instanceof CommitUnknown || progress.state === 'committing') return outcomeUnknown(error)
  const refused = error instanceof DomainError ? error : toUnavailableError(error)
  if (!refused) return error
  const { code, message, data, cause } = refused
  return Object.assign(new DomainError(code, message, { ...data, committed: false }), { cause: cause ?? error })
}

/** Errors of the service, not of the input. They can occur before or after the commit. */
const serviceErrors = new Set<ErrorCode>(['UNAVAILABLE', 'INSUFFICIENT_STORAGE', 'ANSWER_TOO_LARGE'])

/** The error for a committed write whose record cannot be returned. */
export const createUnreadableError = ({ id, globalId }: Write, cause: unknown): DomainError =>
  committedUnreadable({ databaseId: id ?? null, id: id === undefined ? null : globalId(id) }, cause)
