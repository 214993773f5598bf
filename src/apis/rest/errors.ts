// Domain errors as legacy errors: status and code by resource and domain error code (contract d).
import type { FastifyReply } from 'fastify'
import { DomainError, type ErrorCode, type InputProblem } from '../../basics/errors.ts'
import { isPost, kindByPlural, type Plural, type RecordKind } from '../../kinds.ts'

/** First path segment of a REST resource, such as `events`. */
export type ResourceName = Plural

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly data: { readonly status: number; readonly [name: string]: unknown }
}

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

/** Creates the error for invalid parameters. `params`: the accepted values by parameter. */
export const invalidParamsError = (params: Readonly<Record<string, string>>) =>
  new LegacyError(400, 'rest_invalid_param', `Invalid parameters: ${Object.keys(params).join(', ')}.`, {
    params,
    details: {},
  })

export const missingParamsError = (params: readonly string[]) =>
  new LegacyError(400, 'rest_missing_callback_param', `Missing parameters: ${params.join(', ')}.`, { params })

export const noRouteError = () => new LegacyError(404, 'rest_no_route', 'No route matches this path and method.')

export const internalError = () => new LegacyError(500, 'internal_error', 'Internal error. The server has logged it.')

type StatusAndCode = readonly [status: number, code: string]

const eventErrors: Partial<Record<ErrorCode, StatusAndCode>> = {
  NOT_FOUND: [404, 'rest-event-not-found'],
  WRONG_KIND: [400, 'rest-invalid-event-id'],
  TRASHED: [403, 'event-no-longer-available'],
  NOT_ACCESSIBLE: [403, 'event-not-accessible'],
  PASSWORD_REQUIRED: [403, 'event-password-protected'],
}

function postError(code: ErrorCode, kind: RecordKind, isWrite: boolean): StatusAndCode | undefined {
  if (!isPost(kind)) return undefined
  // Reads have one code for all records that the caller cannot see; writes say whether a record is in the trash.
  if (isWrite && code === 'TRASHED') return [410, `${kind}-is-in-trash`]
  if (kind === 'event') return eventErrors[code]
  const isHidden = !isWrite && (code === 'TRASHED' || code === 'NOT_ACCESSIBLE')
  return isHidden ? [403, `${kind}-not-accessible`] : undefined
}

const paramNames: Readonly<Record<string, string>> = {
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
  onlineUrl: 'virtual_url',
  near: 'geoloc_radius',
}

const paramName = (field: string, resource: ResourceName | undefined): string => {
  if (field === 'parent' && resource === 'events') return 'post_parent'
  const kind = resource && kindByPlural[resource]
  if (field === 'name' && kind && kind !== 'event' && isPost(kind)) return kind
  return paramNames[field] ?? field
}

/** Returns the message with REST names, nested values first: `author of venue 1: There is no user with this ID.` */
function problemText({ path, message }: InputProblem, resource: ResourceName | undefined): string {
  const [field, index, name, part] = path
  const own = path.findLast((step) => typeof step === 'string') ?? ''
  const rest = message.startsWith(`${own} `) ? message.slice(own.length) : undefined
  if (index === undefined) return rest === undefined ? message : paramName(own, resource) + rest
  // The message about an unknown ID contains the ID.
  if (name === 'id') return message
  const item = `${paramNames[String(field)] ?? field} ${Number(index) + 1}`
  const kind = field === 'venues' || field === 'organizers' ? field : undefined
  const subject = part === undefined ? item : `${paramName(String(part), kind)} of ${item}`
  return rest === undefined ? `${subject}: ${message}` : subject + rest
}

const generalErrors: Partial<Record<ErrorCode, StatusAndCode>> = {
  UNAUTHENTICATED: [401, 'rest_forbidden'],
  FORBIDDEN: [403, 'rest_forbidden'],
  TOO_MANY_REQUESTS: [429, 'rest_too_many_requests'],
  UNAVAILABLE: [503, 'rest_unavailable'],
  INSUFFICIENT_STORAGE: [507, 'rest_insufficient_storage'],
  ANSWER_TOO_LARGE: [400, 'rest_answer_too_large'],
  // Not 503: clients repeat a request after a 503, but this write may have been committed.
  OUTCOME_UNKNOWN: [500, 'rest_outcome_unknown'],
  SYNC_TOKEN_EXPIRED: [410, 'rest_sync_token_expired'],
  IDEMPOTENCY_KEY_IN_PROGRESS: [409, 'rest_idempotency_key_in_progress'],
  IDEMPOTENCY_KEY_REUSED: [422, 'rest_idempotency_key_reused'],
}

/** Converts a DomainError to the error of the legacy contract; undefined for any other error. */
export function toLegacyError(
  error: unknown,
  resource: ResourceName | undefined,
  isWrite = false,
): LegacyError | undefined {
  if (error instanceof LegacyError) return error
  if (!(error instanceof DomainError)) return undefined
  const general = generalErrors[error.code]
  if (general) {
    const { retryAfter, committed } = error.data
    return new LegacyError(general[0], general[1], error.message, {
      // Seconds after which the client may repeat the request.
      ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
      // Whether a write was committed: true, false, or null if that is unknown.
      ...(committed === undefined ? {} : { committed }),
    })
  }
  if (error.code === 'TERM_EXISTS') {
    return new LegacyError(400, 'term_exists', error.message, { term_id: error.data.databaseId })
  }
  if (error.code === 'BAD_INPUT') {
    const byParam = Map.groupBy(error.problems, ({ path: [field = 'input'] }) => paramName(String(field), resource))
    // GraphQL rejects the slug of a term only if it is taken (QUIRK-35).
    if (byParam.has('slug') && byParam.size === 1 && resource && !isPost(kindByPlural[resource])) {
      return new LegacyError(400, 'duplicate_term_slug', error.message)
    }
    const texts = [...byParam].map(
      ([name, problems]) => [name, problems.map((problem) => problemText(problem, resource)).join(' ')] as const,
    )
    return invalidParamsError(Object.fromEntries(texts))
  }
  const unknownSlug = error.code === 'NOT_FOUND' && error.data.by === 'slug'
  const post = resource && !unknownSlug ? postError(error.code, kindByPlural[resource], isWrite) : undefined
  if (post) return new LegacyError(post[0], post[1], error.message)
  return invalidParamsError({ [String(error.data.by ?? 'id')]: error.message })
}

/** Returns the body of the response to a committed write whose record could not be read afterwards. */
export const toCommittedWriteBody = ({ message, data }: DomainError, status: number) => ({
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

export const jsonContentType = 'application/json; charset=UTF-8'

export const sendJson = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).type(jsonContentType).send(JSON.stringify(body))

export function sendLegacyError(error: LegacyError, reply: FastifyReply, cause: unknown = error): FastifyReply {
  const { status, data } = error
  if (status >= 500) reply.log.error({ err: cause }, 'request failed')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events", Bearer')
  if (data.retry_after !== undefined) reply.header('retry-after', String(data.retry_after))
  return sendJson(reply, status, errorBody(error))
}
