// The HTTP statuses of GraphQL responses with errors.
import { type ExecutionResult, GraphQLError } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { DomainError } from '../../basics/errors.ts'

interface Http {
  readonly status: number
  /** As GraphQL over HTTP requires, clients that accept application/json get status 200 instead. */
  readonly spec?: boolean
  readonly headers?: Readonly<Record<string, string>>
}

/** Adds a code and an HTTP status to the errors of requests that failed before execution. */
export const requestErrorsPlugin: Plugin = {
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
    if (Array.isArray(result) || !('errors' in result) || !result.errors) return
    const { data, errors, extensions } = result
    const http = statusOf(data as ExecutionResult['data'], errors)
    Object.assign(result, {
      errors: data === undefined ? errors.map(completed) : errors,
      extensions: http ? { ...extensions, http } : extensions,
    })
  },
}

/** Codes by HTTP status, for errors of Yoga that have no code or only BAD_REQUEST. */
const codes: Readonly<Record<number, string>> = { 405: 'METHOD_NOT_ALLOWED' }

/**
 * Returns the error of a request that failed before execution with a code and an HTTP status: with the media type
 * application/graphql-response+json, a response without `data` cannot have status 200.
 */
function completed(error: GraphQLError): GraphQLError {
  const { message, nodes, path, extensions } = error
  const http = (extensions.http ?? httpOf(extensions)) as Http
  const code = codes[http.status] ?? extensions.code ?? 'BAD_REQUEST'
  if (extensions.http === http && extensions.code === code) return error
  return new GraphQLError(message, { nodes, path, extensions: { ...extensions, code, http } })
}

function httpOf({ code, retryAfter }: GraphQLError['extensions']): Http {
  if (code === 'INTERNAL') return { status: 500 }
  if (code === 'TOO_MANY_REQUESTS') return { status: 429, headers: { 'retry-after': String(retryAfter) } }
  return { status: 400, spec: true }
}

/** Adds a code to the error that Yoga throws for a form that violates the GraphQL multipart request specification. */
function malformedForm(error: unknown): unknown {
  if (!(error instanceof Error) || error.name === 'AbortError') return error
  const isOwn = error instanceof GraphQLError
  // For a body without Content-Length, Yoga's parser wraps the error of the size limit.
  if (isOwn && error.message.endsWith('Request body too large')) {
    return createRequestError('REQUEST_ENTITY_TOO_LARGE', 'Request body too large', { status: 413 })
  }
  if (isOwn && error.extensions.code !== undefined) return error
  const message = isOwn ? error.message : 'The field "map" of a multipart request must map parts to lists of paths.'
  return createRequestError('BAD_REQUEST', message, { status: 400 })
}

/** HTTP statuses of errors that fail a whole request. */
export const refusalStatuses: Readonly<Record<string, number>> = {
  UNAVAILABLE: 503,
  INSUFFICIENT_STORAGE: 507,
  IDEMPOTENCY_KEY_IN_PROGRESS: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
}

/**
 * Returns the HTTP status of a result without data; undefined if the errors already have the right status. Partial results keep
 * status 200. So do mutations that were or may have been committed, because clients and proxies retry after a 503.
 */
function statusOf(data: ExecutionResult['data'], errors: readonly GraphQLError[]): Http | undefined {
  // Yoga would treat this error as a syntax error, for which clients that accept application/json get status 200.
  if (errors[0]?.extensions.code === 'DOCUMENT_TOO_LARGE') return { status: 400 }
  const refused = errors.find(({ extensions }) => refusalStatuses[String(extensions.code)] !== undefined)
  const status = refusalStatuses[String(refused?.extensions.code)]
  if (!refused || !status || Object.values(data ?? {}).some((value) => value !== null)) return undefined
  if (errors.some(({ extensions: { committed } }) => committed === true || committed === null)) return undefined
  const { retryAfter } = refused.extensions
  if (retryAfter === undefined && status !== 503) return { status, headers: {} }
  return { status, headers: { 'retry-after': String(retryAfter ?? 1) } }
}

/** Creates the error of a request that is rejected as a whole. */
export const createRequestError = (code: string, message: string, http?: Http): GraphQLError =>
  new GraphQLError(message, { extensions: { code, ...(http && { http }) } })

/** Returns the GraphQL error of a request that is refused as a whole because of a domain error. */
export function createRefusalError({ code, message, data }: DomainError, status: number): GraphQLError {
  const headers: Record<string, string> =
    data.retryAfter === undefined ? {} : { 'retry-after': String(data.retryAfter) }
  return new GraphQLError(message, { extensions: { code, ...data, http: { status, headers } } })
}
