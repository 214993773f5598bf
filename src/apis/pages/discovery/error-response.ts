// Sends errors of the sitemap, robots.txt and similar files as plain text, because programs request these files.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DomainError, type ErrorCode } from '../../../basics/errors.ts'
import { toRequestError } from '../../../service/http/write-errors.ts'

const statuses: Partial<Record<ErrorCode, number>> = {
  NOT_FOUND: 404,
  WRONG_KIND: 404,
  TRASHED: 404,
  BAD_INPUT: 400,
  NOT_ACCESSIBLE: 401,
  UNAUTHENTICATED: 401,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
}

export function sendTextError(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const error = toRequestError(thrown, request, false)
  const domainError = error instanceof DomainError ? error : undefined
  const status = (domainError && statuses[domainError.code]) ?? (error as { statusCode?: number }).statusCode ?? 500
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events"')
  if (domainError?.data.retryAfter !== undefined) reply.header('retry-after', String(domainError.data.retryAfter))
  const message =
    domainError && status < 500 ? domainError.message : 'The service cannot answer right now. Retry later.'
  return reply.code(status).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(`${message}\n`)
}
