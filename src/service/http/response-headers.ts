// Headers of all responses: CORS, security headers, and conditional requests (ETag and 304).
import { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import cors from '@fastify/cors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import helmet from 'helmet'
import type { Settings } from '../../basics/env.ts'
import { etagOf } from '../../engine/cache/response-cache.ts'

/** Adds hooks that set the headers. Once `stopping` is aborted, because the process stops, each response closes its connection. */
export function addCommonHeaders(app: FastifyInstance, settings: Settings, stopping: AbortSignal): void {
  const { corsOrigins, restHeaderPrefix, legacyAddresses, databaseReplicaUrl } = settings
  const exposedHeaders = [
    ...[`${restHeaderPrefix}-Total`, `${restHeaderPrefix}-TotalPages`, 'Content-Language', 'ETag', 'Link', 'Allow'],
    ...['Location', 'Retry-After', 'WWW-Authenticate', 'Cache-Status', 'Server-Timing', 'X-Request-Id'],
    ...['Idempotency-Replayed', 'Sync-Token'],
    ...(databaseReplicaUrl ? ['Calendar-Write-Position'] : []),
    ...(legacyAddresses ? ['X-WP-Total', 'X-WP-TotalPages'] : []),
  ]
  // No cookies are allowed, because a script of another site sends a token itself. `preflight: false` because OPTIONS without the
  // headers of a preflight describes the methods of a path.
  if (corsOrigins !== '*') app.register(cors, { origin: [...corsOrigins], exposedHeaders, preflight: false })
  // With `*`, these headers are the same for all requests, so no hook of @fastify/cors is needed.
  const corsHeaders = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders.join(', '),
  }
  let headersOfAll: OutgoingHttpHeaders | undefined
  app.addHook('onRequest', (request, reply, done) => {
    headersOfAll ??= { ...helmetHeaders(settings, request.raw, reply.raw), ...(corsOrigins === '*' && corsHeaders) }
    reply.headers(headersOfAll).header('x-request-id', request.id)
    if (stopping.aborted) reply.header('connection', 'close')
    if (isPreflight(request)) sendPreflight(request, reply)
    else done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    // Also for requests that began before the stop, because the next request on their connection would be lost.
    if (stopping.aborted) reply.header('connection', 'close')
    // Some CDNs keep a 404 or a redirect without this header for an hour, and no surrogate key could purge it.
    if (reply.statusCode >= 300 && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
    done(null, notModified(request, reply, payload))
  })
}

/** Returns the headers of Helmet. Helmet runs only for the first response, because its headers are the same for all responses. */
function helmetHeaders({ publicUrl }: Settings, request: IncomingMessage, response: ServerResponse) {
  const setHeaders = helmet({
    // A policy for responses without HTML. Pages set a policy of their own.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    // Other sites may embed images.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
    hsts: publicUrl.startsWith('https:') ? { includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
    xFrameOptions: { action: 'deny' },
  })
  setHeaders(request, response, () => {})
  return response.getHeaders()
}

/**
 * Headers that tell a browser how to treat a body. A 304 omits them, because the browser keeps the headers of its stored
 * response.
 */
export const bodyHeaderNames: readonly string[] = [
  ...['content-encoding', 'content-length', 'content-type', 'content-security-policy', 'cross-origin-opener-policy'],
  ...['cross-origin-resource-policy', 'origin-agent-cluster', 'referrer-policy', 'x-content-type-options'],
  ...['x-dns-prefetch-control', 'x-download-options', 'x-frame-options', 'x-permitted-cross-domain-policies'],
  'x-xss-protection',
]

const isPreflight = ({ method, headers }: FastifyRequest) =>
  method === 'OPTIONS' && headers.origin !== undefined && headers['access-control-request-method'] !== undefined

function sendPreflight({ headers }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const requestedHeaders = headers['access-control-request-headers']
  addVary(reply, 'Access-Control-Request-Headers')
  if (requestedHeaders !== undefined) reply.header('access-control-allow-headers', requestedHeaders)
  return reply
    .code(204)
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
      'access-control-max-age': '86400',
    })
    .send()
}

/** Adds a weak ETag, because a proxy may compress the body, and responds 304 if the client has this version. */
function notModified(request: FastifyRequest, reply: FastifyReply, original: unknown): unknown {
  const { method } = request
  if ((method !== 'GET' && method !== 'HEAD') || reply.statusCode !== 200) return original
  // Encodes text once for the ETag, the Content-Length and the socket.
  const payload = typeof original === 'string' ? Buffer.from(original) : original
  if (!reply.hasHeader('etag') && Buffer.isBuffer(payload)) {
    reply.header('etag', etagOf(payload))
  }
  const tag = reply.getHeader('etag')
  if (typeof tag !== 'string' || !hasCurrentVersion(request, tag)) return payload
  if (payload !== null && typeof payload === 'object' && 'destroy' in payload) (payload as NodeJS.ReadStream).destroy()
  reply.code(304)
  for (const name of bodyHeaderNames) reply.removeHeader(name)
  return ''
}

/** Whether the client has the version of the response with this ETag. */
export function hasCurrentVersion({ headers }: FastifyRequest, etag: string | undefined): boolean {
  const ifNoneMatch = headers['if-none-match']
  return ifNoneMatch !== undefined && etag !== undefined && matches(ifNoneMatch, etag)
}

const withoutWeakPrefix = (tag: string) => tag.trim().replace(/^W\//, '')

/** Compares the tags of If-None-Match with an ETag, but ignores `*`, which would match any response, even of a health check. */
const matches = (ifNoneMatch: string, tag: string) =>
  ifNoneMatch.split(',').some((each) => withoutWeakPrefix(each) === withoutWeakPrefix(tag))

const clientErrors: Readonly<Record<string, readonly [status: number, code: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout', 'The request did not arrive completely in time.'],
  HPE_HEADER_OVERFLOW: [431, 'headers_too_large', 'The URL and the headers exceed 16 KB.'],
}
const malformedRequest = [400, 'bad_request', 'The request is not valid HTTP.'] as const

/** Responds 400, 408 or 431 to bytes that are not a valid HTTP request, which Fastify never gets, and closes the connection. */
export function sendClientError({ code }: { code?: string }, socket: Socket): void {
  if (code === 'ECONNRESET' || !socket.writable) return
  const [status, name, message] = clientErrors[code ?? ''] ?? malformedRequest
  const body = JSON.stringify({ code: name, message, data: { status } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=UTF-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** Appends request headers to the Vary header. */
export function addVary(reply: FastifyReply, fields: string): FastifyReply {
  const before = reply.getHeader('vary')
  return reply.header('vary', before === undefined ? fields : `${before}, ${fields}`)
}
