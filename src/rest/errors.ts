// Error to legacy answer: one table, by resource and domain code (contract d).
import { isPost, kindByPlural, type Plural, type RecordKind } from '../content/kinds.ts'
import { DomainError, type ErrorCode, type InputProblem } from '../errors.ts'

export type Resource = Plural

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly data: { readonly status: number; readonly [name: string]: unknown }
}

/** An error that only this door knows. */
export class LegacyError extends Error {
  readonly code: string
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'LegacyError'
    this.code = code
    this.status = status
    this.data = data
  }
}

/** `params` maps each wrong parameter to what would be right. */
export const invalidParams = (params: Readonly<Record<string, string>>) =>
  new LegacyError(400, 'rest_invalid_param', `Wrong parameters: ${Object.keys(params).join(', ')}.`, {
    params,
    details: {},
  })

export const missingParams = (params: readonly string[]) =>
  new LegacyError(400, 'rest_missing_callback_param', `Missing parameters: ${params.join(', ')}.`, { params })

export const noRoute = () => new LegacyError(404, 'rest_no_route', 'No route matches this path and method.')

export const internalError = () => new LegacyError(500, 'internal_error', 'Something went wrong here; it was logged.')

type Answer = readonly [status: number, code: string]

const events: Partial<Record<ErrorCode, Answer>> = {
  NOT_FOUND: [404, 'rest-event-not-found'],
  WRONG_KIND: [400, 'rest-invalid-event-id'],
  TRASHED: [403, 'event-no-longer-available'],
  NOT_ACCESSIBLE: [403, 'event-not-accessible'],
  PASSWORD_REQUIRED: [403, 'event-password-protected'],
}

function ofKind(code: ErrorCode, kind: RecordKind, isWrite: boolean): Answer | undefined {
  if (!isPost(kind)) return undefined
  // Writes tell what is in the trash apart from what only is not public.
  if (isWrite && code === 'TRASHED') return [410, `${kind}-is-in-trash`]
  if (kind === 'event') return events[code]
  const isHidden = !isWrite && (code === 'TRASHED' || code === 'NOT_ACCESSIBLE')
  return isHidden ? [403, `${kind}-not-accessible`] : undefined
}

/** Fields of the graph that the contract calls by another name. */
const params: Readonly<Record<string, string>> = {
  venues: 'venue',
  organizers: 'organizer',
  authorId: 'author',
  imageId: 'image',
  imageUrl: 'image',
  imageFile: 'image',
  parentId: 'parent',
  timeZone: 'timezone',
  startsLocal: 'start_date',
  startsAt: 'start_date',
  endsLocal: 'end_date',
  endsAt: 'end_date',
  publishedAt: 'date',
}

const paramOf = (field: string, resource: Resource | undefined): string => {
  if (field === 'parent' && resource === 'events') return 'post_parent'
  const kind = resource && kindByPlural[resource]
  if (field === 'name' && kind && kind !== 'event' && isPost(kind)) return kind
  return params[field] ?? field
}

/** What is wrong with a part of a parameter names the part: `author of venue 1: There is no such user.` */
function textOf({ path: [field, place, , part], message }: InputProblem): string {
  if (place === undefined) return message
  const item = `${params[String(field)] ?? field} ${Number(place) + 1}`
  const kind = field === 'venues' || field === 'organizers' ? field : undefined
  return `${part === undefined ? item : `${paramOf(String(part), kind)} of ${item}`}: ${message}`
}

/** Not about any one resource. */
const anywhere: Partial<Record<ErrorCode, Answer>> = {
  UNAUTHENTICATED: [401, 'rest_forbidden'],
  FORBIDDEN: [403, 'rest_forbidden'],
  TOO_MANY_REQUESTS: [429, 'rest_too_many_requests'],
  UNAVAILABLE: [503, 'rest_unavailable'],
  INSUFFICIENT_STORAGE: [507, 'rest_insufficient_storage'],
  ANSWER_TOO_LARGE: [400, 'rest_answer_too_large'],
  // Of a client that repeats what failed, a 503 would come again.
  OUTCOME_UNKNOWN: [500, 'rest_outcome_unknown'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [409, 'rest_idempotency_key_in_progress'],
  IDEMPOTENCY_KEY_REUSED: [422, 'rest_idempotency_key_reused'],
}

/** What a client can go by. `committed` is of writes: true, false, or null when nobody knows. */
const retry = ({ data }: DomainError) => ({
  ...(data.retryAfter === undefined ? {} : { retry_after: data.retryAfter }),
  ...(data.committed === undefined ? {} : { committed: data.committed }),
})

/** The legacy answer to an error; undefined when nobody foresaw it. */
export function toLegacyError(
  error: unknown,
  resource: Resource | undefined,
  isWrite = false,
): LegacyError | undefined {
  if (error instanceof LegacyError) return error
  if (!(error instanceof DomainError)) return undefined
  const general = anywhere[error.code]
  if (general) return new LegacyError(general[0], general[1], error.message, retry(error))
  if (error.code === 'TERM_EXISTS') {
    return new LegacyError(400, 'term_exists', error.message, { term_id: error.data.databaseId })
  }
  if (error.code === 'BAD_INPUT') {
    const named = Map.groupBy(error.problems, ({ path: [field = 'input'] }) => paramOf(String(field), resource))
    // The only thing that the graph finds wrong with the slug of a term (QUIRK-35).
    if (named.has('slug') && named.size === 1 && resource && !isPost(kindByPlural[resource])) {
      return new LegacyError(400, 'duplicate_term_slug', error.message)
    }
    return invalidParams(Object.fromEntries([...named].map(([name, those]) => [name, those.map(textOf).join(' ')])))
  }
  const unknownSlug = error.code === 'NOT_FOUND' && error.data.by === 'slug'
  const answer = resource && !unknownSlug ? ofKind(error.code, kindByPlural[resource], isWrite) : undefined
  if (answer) return new LegacyError(answer[0], answer[1], error.message)
  return invalidParams({ [String(error.data.by ?? 'id')]: error.message })
}

/** The answer to a write whose record could not be read back: it succeeded, and is not to be repeated. */
export const committedBody = ({ message, data }: DomainError, status: number) => ({
  id: data.databaseId,
  code: 'rest_committed_unreadable',
  message,
  data: { status, committed: true },
})

export const errorBody = ({ code, message, status, data }: LegacyError): ErrorBody => ({
  code,
  message,
  data: { status, ...data },
})
