// What can go wrong, in words of the domain: no HTTP, no GraphQL. Each door has one table from code to answer.
import type { RecordKind, TermKind } from './content/kinds.ts'

export type ErrorCode =
  | 'NOT_FOUND'
  | 'WRONG_KIND'
  | 'NOT_ACCESSIBLE'
  | 'TRASHED'
  | 'PASSWORD_REQUIRED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'CONFLICT'
  | 'TERM_EXISTS'
  | 'BAD_INPUT'
  | 'TOO_MANY_REQUESTS'
  | 'UNAVAILABLE'
  | 'INSUFFICIENT_STORAGE'
  | 'ANSWER_TOO_LARGE'
  | 'COMMITTED_UNREADABLE'
  | 'OUTCOME_UNKNOWN'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'

export type Kind = RecordKind | 'image' | 'user' | 'credential'

/** One thing that is wrong with an input. */
export interface InputProblem {
  /** Names of fields and places in lists, from the input down to what is wrong. */
  readonly path: readonly (string | number)[]
  readonly message: string
}

export class DomainError extends Error {
  readonly code: ErrorCode
  /** What a client can act on; public. */
  readonly data: Readonly<Record<string, unknown>>
  /** Of BAD_INPUT: each thing that is wrong. */
  readonly problems: readonly InputProblem[]

  constructor(
    code: ErrorCode,
    message: string,
    data: Readonly<Record<string, unknown>> = {},
    problems: readonly InputProblem[] = [],
  ) {
    super(message)
    this.name = 'DomainError'
    this.code = code
    this.data = data
    this.problems = problems
  }
}

/** `by` says which of the two ways the record was named. */
export const notFound = (kind: Kind, by: 'id' | 'slug') =>
  new DomainError('NOT_FOUND', `There is no ${kind} with this ${by}.`, { kind, by })

export const wrongKind = (kind: Kind, actual: Kind) =>
  new DomainError('WRONG_KIND', `This ID names a record of kind ${actual}, not ${kind}.`, { kind, actual })

export const notAccessible = (kind: Kind) => new DomainError('NOT_ACCESSIBLE', `This ${kind} is not public.`, { kind })

export const trashed = (kind: Kind) => new DomainError('TRASHED', `This ${kind} is in the trash.`, { kind })

export const passwordRequired = (kind: Kind) =>
  new DomainError('PASSWORD_REQUIRED', `This ${kind} is protected: send its password.`, { kind })

/** `fields` maps each argument or parameter that is wrong to what would be right. */
export const badInput = (fields: Readonly<Record<string, string>>) =>
  badInputs(Object.entries(fields).map(([field, message]) => ({ path: [field], message })))

/** All that is wrong with an input, as one error. */
export function badInputs(problems: readonly InputProblem[]): DomainError {
  const fields = Map.groupBy(problems, ({ path: [field = 'input'] }) => field)
  const messages = [...fields].map(
    ([field, problems]) => [field, problems.map(({ message }) => message).join(' ')] as const,
  )
  const message = messages.map(([, text]) => text).join(' ')
  return new DomainError('BAD_INPUT', message, { fields: Object.fromEntries(messages) }, problems)
}

export const unauthenticated = () =>
  new DomainError('UNAUTHENTICATED', 'The credential in the Authorization header is not valid here.')

/** Somebody signed in, or nobody, who may not do this. */
export const forbidden = (message: string) => new DomainError('FORBIDDEN', message)

/** What was to be changed is not as the caller knew it. */
export const conflict = (
  message: string,
  data: Readonly<Record<string, unknown>> = {},
  problems: readonly InputProblem[] = [],
) => new DomainError('CONFLICT', message, data, problems)

export const termExists = (kind: TermKind, databaseId: number) =>
  new DomainError('TERM_EXISTS', `There is a ${kind} with this name already.`, { kind, databaseId })

export const signInRequired = () => new DomainError('UNAUTHENTICATED', 'Sign in to change anything.')

/** `retryAfter` is in seconds. */
export const tooManyFailures = (retryAfter: number) =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many wrong credentials came from here; wait a little.', { retryAfter })

/** Passwords are checked one after the other, and too many wait. */
export const tooBusy = () =>
  new DomainError('TOO_MANY_REQUESTS', 'Too many passwords wait to be checked; try again in 5 s.', { retryAfter: 5 })

/** `verb` says of what it was too much; `retryAfter` is in seconds. */
export const tooManyRequests = (verb: string, retryAfter: number) =>
  new DomainError('TOO_MANY_REQUESTS', `Too much was ${verb} from here; wait ${retryAfter} s.`, { retryAfter })

/** The write is stored; `databaseId` is the number of its record, `id` its opaque ID. The cause is for the log alone. */
export const committedUnreadable = (record: { databaseId: number | null; id: string | null }, cause: unknown) =>
  Object.assign(
    new DomainError(
      'COMMITTED_UNREADABLE',
      'The write was committed, but its record could not be read back. Do not send it again: read the record by its ID.',
      { committed: true, ...record },
    ),
    { cause },
  )

/** `committed: null` says that nobody knows. The cause is for the log alone. */
export const outcomeUnknown = (cause: unknown) =>
  Object.assign(
    new DomainError(
      'OUTCOME_UNKNOWN',
      'The database did not confirm the commit: the write is stored or it is not. ' +
        'Send it again with the same Idempotency-Key; if it had none, look whether it is there first.',
      { committed: null },
    ),
    { cause },
  )

export const idempotencyKeyInProgress = () =>
  new DomainError(
    'IDEMPOTENCY_KEY_IN_PROGRESS',
    'A request with this Idempotency-Key is still running. Send it again in a moment.',
    { retryAfter: 1 },
  )

export const idempotencyKeyReused = () =>
  new DomainError(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key was sent with another request. Send each new request with a key of its own.',
  )

/** The cause is for the log alone. */
export const insufficientStorage = (cause?: unknown) =>
  Object.assign(
    new DomainError(
      'INSUFFICIENT_STORAGE',
      'The disk of this service is full: nothing was stored. Try again when its operator has made room.',
    ),
    { cause },
  )

/** The cause is for the log alone. */
export const tokenUnverifiable = (cause: unknown) =>
  Object.assign(
    new DomainError('UNAVAILABLE', 'Nobody can tell now whether this token is right; try again.', { retryAfter: 5 }),
    { cause },
  )
