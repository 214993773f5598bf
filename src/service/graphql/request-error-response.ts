// Responses to requests that are rejected as a whole, before or instead of an operation, in the media type that the client
// accepts.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GraphQLError } from 'graphql'
import type { RequestWrites } from '../../engine/postgres/write-outcome.ts'
import {
  acceptedGraphqlType,
  eventStreamType,
  graphqlType,
  jsonType,
  prefersEventStream,
} from '../http/accepted-type.ts'
import { mediaTypeOf } from '../http/csrf.ts'
import type { BodyLimits } from '../http/upload-limits.ts'
import { maskError } from './errors.ts'
import { createAbandonedResult } from './mutation-outcomes.ts'
import { createRequestError } from './request-errors.ts'
import { singleResultEvents } from './subscriptions/event-stream.ts'

/** Media types of request bodies that Yoga reads. */
const readableTypes: ReadonlySet<string> = new Set([
  ...['application/json', 'application/graphql+json', 'application/graphql'],
  ...['multipart/form-data', 'application/x-www-form-urlencoded'],
])

/** Media types that a page of another site cannot send without a CORS preflight, which prevents CSRF. */
const preflightedTypes = /^application\/(?:json|graphql|[\w.-]+\+json)$/

/** Headers that browsers send to another site only after a CORS preflight. Apollo clients send the second header. */
const preflightHeaders = ['graphql-require-preflight', 'apollo-require-preflight'] as const

/** Returns the error for a request whose method, body type or accepted types are not supported; undefined if all are supported. */
export function unsupportedRequestError(request: FastifyRequest): GraphQLError | undefined {
  const { method, headers } = request
  if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
    return createRequestError('METHOD_NOT_ALLOWED', 'Send GraphQL by POST, or queries by GET.')
  }
  if (method === 'POST') {
    const type = mediaTypeOf(request)
    const isCrossSite = !preflightedTypes.test(type) && !preflightHeaders.some((name) => headers[name])
    if (isCrossSite || !readableTypes.has(type)) return unsupportedMediaType()
  }
  if (acceptedGraphqlType(headers.accept) !== undefined || (method !== 'HEAD' && prefersEventStream(headers.accept))) {
    return undefined
  }
  return createRequestError(
    'NOT_ACCEPTABLE',
    `Accept ${graphqlType} or ${jsonType}, or ${eventStreamType} for subscriptions; responses are in UTF-8.`,
  )
}

const unsupportedMediaType = () =>
  createRequestError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Unsupported content type. Send application/json, or a multipart form with the header GraphQL-Require-Preflight or Apollo-Require-Preflight.',
  )

/** Returns the error for a request body that is larger than the limits allow. */
export const requestTooLargeError = ({ fields, files }: BodyLimits) =>
  createRequestError(
    'REQUEST_ENTITY_TOO_LARGE',
    `Request body too large: at most ${fields} bytes${files === 0 ? '' : `, and ${files} bytes of uploaded files`}.`,
  )

/** Returns the error for a request body that Fastify rejected. */
function bodyError(error: unknown): GraphQLError | undefined {
  const { code, statusCode = 500, message } = error as { code?: unknown; statusCode?: number; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return createRequestError('REQUEST_ENTITY_TOO_LARGE', 'Request body too large')
  if (statusCode === 415) return unsupportedMediaType()
  return statusCode >= 400 && statusCode < 500
    ? createRequestError('BAD_REQUEST', message ?? 'Unreadable request')
    : undefined
}

const statuses: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  REQUEST_ENTITY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
}

/** Sends an error that Fastify or the service threw before any operation. */
export function sendThrownError(request: FastifyRequest, reply: FastifyReply, error: unknown): FastifyReply {
  return sendGraphqlError(request, reply, bodyError(error) ?? maskError(error, request.log))
}

export function sendGraphqlError({ headers }: FastifyRequest, reply: FastifyReply, error: GraphQLError): FastifyReply {
  const { code, retryAfter } = error.extensions
  const status = statuses[String(code)] ?? 500
  // For `Basic`, a browser would ask for a password in a window of its own when a script gets the response.
  const schemes = headers['x-requested-with'] === undefined ? 'Basic realm="events", Bearer' : 'Bearer'
  if (status === 401) reply.header('www-authenticate', schemes)
  if (status === 405) reply.header('allow', 'GET, HEAD, POST')
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendResult(headers, reply, status, { errors: [error] })
}

function sendResult({ accept }: FastifyRequest['headers'], reply: FastifyReply, status: number, result: object) {
  if (prefersEventStream(accept)) {
    return reply
      .code(status)
      .type(`${eventStreamType}; charset=utf-8`)
      .send(singleResultEvents(JSON.stringify(result)))
  }
  const type = acceptedGraphqlType(accept) ?? jsonType
  return reply.code(status).type(`${type}; charset=utf-8`).send(JSON.stringify(result))
}

/** Responds to mutations that took too long. The status is 503 if none of them was committed or can still be committed. */
export function sendAbandonedMutations(
  { headers, log }: FastifyRequest,
  writes: RequestWrites,
  error: Error,
  reply: FastifyReply,
) {
  const { data, errors = [] } = createAbandonedResult(writes, error)
  const masked = errors.map((each) => maskError(each, log))
  const isSafe = masked.every(({ extensions }) => extensions.committed === false)
  if (isSafe) reply.header('retry-after', '1')
  return sendResult(headers, reply, isSafe ? 503 : 200, { data, errors: masked })
}
