// The HTTP statuses of GraphQL responses with errors.
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { DomainError } from '../../basics/errors.ts'

/** `spec`: as GraphQL over HTTP requires, clients that accept application/json get status 200 instead. */
const badRequest = { status: 400, spec: true }
const serverError = { status: 500 }

/** Codes of Yoga's errors that have none, or only BAD_REQUEST, by status. */
const codes: Readonly<Record<number, string>> = { 405: 'METHOD_NOT_ALLOWED' }

/**
 * Completes the errors of a request that failed before execution: each has a code, and a status, because with
 * application/graphql-response+json a response without `data` cannot have status 200.
 */
export const requestErrors: Plugin = {
  onRequestParse({ request, requestParser, setRequestParser }) {
    if (!requestParser || !request.headers.get('content-type')?.startsWith('multipart/form-data')) return
    setRequestParser(async (form) => {
      try {
        return await requestParser(form)
      } catch (error) {
        throw malformedForm(error)
      }
    })
  },
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors?.length || result.data !== undefined) return
    const errors = result.errors.map((error) => {
      const { message, nodes, path, extensions } = error
      const http = (extensions.http ?? (extensions.code === 'INTERNAL' ? serverError : badRequest)) as Status
      const code = codes[http.status] ?? extensions.code ?? 'BAD_REQUEST'
      if (extensions.http === http && extensions.code === code) return error
      return new GraphQLError(message, { nodes, path, extensions: { ...extensions, code, http } })
    })
    Object.assign(result, { errors })
  },
}

/** Yoga's parser throws errors without code for forms that do not follow the specification of multipart requests. */
function malformedForm(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const isOwn = error instanceof GraphQLError
  // The parser wraps the error of the limit, for a body without Content-Length.
  if (isOwn && error.message.endsWith('Request body too large')) {
    return requestError('REQUEST_ENTITY_TOO_LARGE', 'Request body too large', { status: 413 })
  }
  if (isOwn && error.extensions.code !== undefined) return error
  const message = isOwn ? error.message : 'The field "map" of a multipart request must map parts to lists of paths.'
  return requestError('BAD_REQUEST', message, { status: 400 })
}

/** HTTP statuses of errors that fail a whole request. */
export const refusalStatuses: Readonly<Record<string, number>> = {
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
}

/**
 * Sets such a status if the result has no data. Partial results keep status 200. So do mutations that were or may have been
 * committed, because clients and proxies retry after a 503.
 */
export const unavailableStatuses: Plugin = {
  onResultProcess({ result }) {
    if (Array.isArray(result) || !('data' in result || 'errors' in result)) return
    const { data, errors = [], extensions } = result as ExecutionResult
    const refusal = errors.find(({ extensions }) => refusalStatuses[String(extensions.code)] !== undefined)
    if (!refusal || Object.values(data ?? {}).some((value) => value !== null)) return
    if (errors.some(({ extensions: { committed } }) => committed === true || committed === null)) return
    const { code, retryAfter } = refusal.extensions
    const status = refusalStatuses[String(code)]
    const headers = retryAfter === undefined && status !== 503 ? {} : { 'retry-after': String(retryAfter ?? 1) }
    Object.assign(result, { extensions: { ...extensions, http: { status, headers } } })
  },
}

interface Status {
  readonly status: number
  readonly spec?: boolean
}

/** The error of a request that is rejected as a whole. */
export const requestError = (code: string, message: string, http?: Status): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...(http && { http }) } })

/** The error of a request that is refused as a whole for a domain error. */
export function refusal({ code, message, data }: DomainError, status: number): GraphQLError {
  const headers: Record<string, string> =
    data.retryAfter === undefined ? {} : { 'retry-after': String(data.retryAfter) }
  return new GraphQLError(message, { extensions: { code, ...data, http: { status, headers } } })
}
