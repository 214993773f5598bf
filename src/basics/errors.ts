// Errors of the domain, independent of HTTP and GraphQL. Each API has a table that maps error codes to responses.
import { type RecordKind, type TermKind, withArticle } from '../kinds.ts'

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
  | 'CHANGES_MISSED'
  | 'SYNC_TOKEN_EXPIRED'
  | 'INSUFFICIENT_STORAGE'
  | 'ANSWER_TOO_LARGE'
  | 'COMMITTED_UNREADABLE'
  | 'OUTCOME_UNKNOWN'
  | 'IDEMPOTENCY_KEY_IN_PROGRESS'
  | 'IDEMPOTENCY_KEY_REUSED'

/** Kinds of objects that have a global ID (interface Node of GraphQL). */
export type NodeKind =
  | RecordKind
  | 'series'
  | 'image'
  | 'user'
  | 'credential'
  | 'webhook'
  | 'webhookDelivery'
  | 'proposal'

/** An invalid value in the input of an operation. */
export interface InputProblem {
  /** Names of fields and list indexes that lead from the input to the invalid value. */
  readonly path: readonly (string | number)[]
  readonly message: string
  /** Code of the problem. The default is the code of the whole error. */
  readonly code?: 'FORBIDDEN' | 'CONFLICT' | 'TERM_EXISTS'
  /** The existing record that prevents the change. */
  readonly existing?: { readonly kind: NodeKind; readonly id: number }
}

export class DomainError extends Error {
  readonly code: ErrorCode
  readonly data: Readonly<Record<string, unknown>>
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

const wordOf = (kind: NodeKind): string => (kind === 'webhookDelivery' ? 'delivery' : kind)

/** Creates the error for a record that does not exist. `by` says how the client identified the record. */
export const notFoundError = (kind: NodeKind, by: 'id' | 'slug') =>
  new DomainError('NOT_FOUND', `There is no ${wordOf(kind)} with this ${by}.`, { kind, by })

export const wrongKindError = (kind: NodeKind, actual: NodeKind) =>
  new DomainError('WRONG_KIND', wrongKindMessage(kind, actual), { kind, actual })

export const wrongKindMessage = (kind: NodeKind, actual: NodeKind): string =>
  `This is the ID of ${withArticle(wordOf(actual))}. Send the ID of ${withArticle(wordOf(kind))}.`

export const notAccessibleError = (kind: NodeKind) =>
  new DomainError('NOT_ACCESSIBLE', `This ${kind} is not public.`, { kind })

export const trashedError = (kind: NodeKind) => new DomainError('TRASHED', `This ${kind} is in the trash.`, { kind })

export const passwordRequiredError = (kind: NodeKind) =>
  new DomainError('PASSWORD_REQUIRED', `This ${kind} is protected: send its password.`, { kind })

/** Creates the error for invalid arguments. `fields` maps the name of each invalid argument or parameter to a message. */
export const badInputError = (fields: Readonly<Record<string, string>>) =>
  inputProblemsError(Object.entries(fields).map(([field, message]) => ({ path: [field], message })))

export function inputProblemsError(problems: readonly InputProblem[]): DomainError {
  const fields = Map.groupBy(problems, ({ path: [field = 'input'] }) => field)
  const messages = [...fields].map(
    ([field, problems]) => [field, [...new Set(problems.map(({ message }) => message))].join(' ')] as const,
  )
  const message = messages.map(([, text]) => text).join(' ')
  return new DomainError('BAD_INPUT', message, { fields: Object.fromEntries(messages) }, problems)
}

/** Returns a function that creates errors with this message. The cause is logged, and not shown to clients. */
const always =
  (code: ErrorCode, message: string, data?: DomainError['data']) =>
  (cause?: unknown): DomainError =>
    causedBy(cause, new DomainError(code, message, data))

const causedBy = (cause: unknown, error: DomainError): DomainError =>
  cause === undefined ? error : Object.assign(error, { cause })

const fieldError = (
  code: NonNullable<InputProblem['code']>,
  field: string,
  message: string,
  existing?: InputProblem['existing'],
  data?: DomainError['data'],
) => new DomainError(code, message, data, [{ path: [field], message, code, ...(existing && { existing }) }])

/** Creates an error that tells the client to retry. `retryAfter` is in seconds. */
const retryLater = (code: 'TOO_MANY_REQUESTS' | 'UNAVAILABLE', message: string, retryAfter: number) =>
  new DomainError(code, message, { retryAfter })

export const unauthenticatedError = always(
  'UNAUTHENTICATED',
  'The credential in the Authorization header is invalid, expired or revoked.',
)

export const sessionEndedError = always('UNAUTHENTICATED', 'Your session has ended. Sign in again.')

export const signInRequiredError = always('UNAUTHENTICATED', 'Sign in to make changes.')

/** Creates the error for a client, signed in or not, that has no permission. */
export const forbiddenError = (message: string) => new DomainError('FORBIDDEN', message)

export const forbiddenFieldError = (field: string, message: string) => fieldError('FORBIDDEN', field, message)

/** Creates the error for a record that changed since the client read it, or for a change that another record prevents. */
export const conflictError = (message: string, data?: DomainError['data']) => new DomainError('CONFLICT', message, data)

export const loginTakenError = (id?: number) =>
  fieldError('CONFLICT', 'login', 'Another user has this login.', id === undefined ? id : { kind: 'user', id })

export const uidTakenError = (id?: number) =>
  fieldError('CONFLICT', 'uid', 'Another event has this uid.', id === undefined ? id : { kind: 'event', id })

/** Creates the error for removing the last administrator. `field` is the input field that would remove the administrator. */
export const lastAdministratorError = (field: 'id' | 'role') =>
  fieldError('CONFLICT', field, 'This is the last administrator. Make another user an administrator first.')

export function termExistsError(kind: TermKind, id: number): DomainError {
  const message = `A ${kind} with this name already exists.`
  return fieldError('TERM_EXISTS', 'name', message, { kind, id }, { kind, databaseId: id })
}

export function tooManyFailuresError(retryAfter: number): DomainError {
  const message = `Too many failed sign-in attempts from this address. Retry in ${retryAfter} seconds.`
  return retryLater('TOO_MANY_REQUESTS', message, retryAfter)
}

/** Creates the error for a sign-in while the queue of password checks is full, or that waited too long in the queue. */
export const tooBusyError = () =>
  retryLater('TOO_MANY_REQUESTS', 'Too many sign-in requests are waiting. Retry in 5 seconds.', 5)

export const tooManyRequestsError = (limited: 'reads' | 'writes', retryAfter: number) =>
  retryLater('TOO_MANY_REQUESTS', `Rate limit for ${limited} exceeded. Retry in ${retryAfter} seconds.`, retryAfter)

/** Creates the error for a proposal above a limit. */
export const tooManyProposalsError = (message: string, retryAfter: number) =>
  retryLater('TOO_MANY_REQUESTS', message, retryAfter)

/** Creates the error for a client that has reached the limit of concurrent subscriptions. */
export const tooManySubscriptionsError = (message: string) => retryLater('TOO_MANY_REQUESTS', message, 60)

/** Creates the error for a subscription that the process cannot serve now. */
export const subscriptionsUnavailableError = (message: string) => retryLater('UNAVAILABLE', message, 5)

export const tokenUnverifiableError = always('UNAVAILABLE', 'The token cannot be verified right now. Retry later.', {
  retryAfter: 5,
})

export const syncTokenExpiredError = always(
  'SYNC_TOKEN_EXPIRED',
  'The token is too old, or belongs to another filter, language or user. Read everything again without a token.',
)

/** Creates the error that ends a subscription which may have missed changes, or whose user has other rights. */
export const changesMissedError = always(
  'CHANGES_MISSED',
  'Changes may have been missed, or your rights have changed. Subscribe again, then fetch the records again.',
)

/** Creates the error for a committed write whose record cannot be read. `id` is the global ID of the record. */
export function committedUnreadableError(record: { databaseId: number | null; id: string | null }, cause: unknown) {
  const message =
    'The write was committed, but its record could not be read back. Do not send it again: read the record by its ID.'
  return causedBy(cause, new DomainError('COMMITTED_UNREADABLE', message, { committed: true, ...record }))
}

/** Creates the error for a write that may or may not have been committed, which `committed: null` tells clients. */
export const outcomeUnknownError = always(
  'OUTCOME_UNKNOWN',
  'The database did not confirm the commit, so it is unknown whether the write was stored. ' +
    'Send it again with the same Idempotency-Key; without a key, check first whether it was stored.',
  { committed: null },
)

export const idempotencyKeyInProgressError = always(
  'IDEMPOTENCY_KEY_IN_PROGRESS',
  'A request with this Idempotency-Key is still running. Retry in a second.',
  { retryAfter: 1 },
)

export const idempotencyKeyReusedError = always(
  'IDEMPOTENCY_KEY_REUSED',
  'This Idempotency-Key was already used for another request. Use a new key for each new request.',
)

export const insufficientStorageError = always(
  'INSUFFICIENT_STORAGE',
  'The disk of this service is full: nothing was stored. Retry when the operator has freed disk space.',
)

/** Creates the error for a response whose texts are too long in total. */
export const responseTooLargeError = always(
  'ANSWER_TOO_LARGE',
  'The texts of the response exceed 20,000,000 bytes. Request smaller pages, or fewer texts at once.',
)

export const isResponseTooLarge = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.code === 'ANSWER_TOO_LARGE'
