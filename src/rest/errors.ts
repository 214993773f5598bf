// Error to legacy answer: one table, by resource and domain code (contract d).
import { DomainError, type ErrorCode } from '../errors.ts'

export type Resource = 'events' | 'venues' | 'organizers' | 'categories' | 'tags'

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

const linked = (kind: string): Partial<Record<ErrorCode, Answer>> => ({
  TRASHED: [403, `${kind}-not-accessible`],
  NOT_ACCESSIBLE: [403, `${kind}-not-accessible`],
})

const table: Readonly<Record<Resource, Partial<Record<ErrorCode, Answer>>>> = {
  events,
  venues: linked('venue'),
  organizers: linked('organizer'),
  categories: {},
  tags: {},
}

/** The legacy answer to an error; undefined when nobody foresaw it. */
export function toLegacyError(error: unknown, resource: Resource | undefined): LegacyError | undefined {
  if (error instanceof LegacyError) return error
  if (!(error instanceof DomainError)) return undefined
  if (error.code === 'UNAUTHENTICATED') return new LegacyError(401, 'rest_forbidden', error.message)
  if (error.code === 'BAD_INPUT') return invalidParams(error.data.fields as Record<string, string>)
  const unknownSlug = error.code === 'NOT_FOUND' && error.data.by === 'slug'
  const answer = resource && !unknownSlug ? table[resource][error.code] : undefined
  if (answer) return new LegacyError(answer[0], answer[1], error.message)
  return invalidParams({ [String(error.data.by ?? 'id')]: error.message })
}

export const errorBody = ({ code, message, status, data }: LegacyError): ErrorBody => ({
  code,
  message,
  data: { status, ...data },
})
