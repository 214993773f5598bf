// Sends cached responses with headers that were stored with them. Building and checking the headers for each request would take
// most of the time of a cached response.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CachedResponse } from '../../engine/cache/response-cache.ts'
import type { Environment } from '../context.ts'
import { sameCdnHeadersUntil } from './cdn-headers.ts'
import { findEncodedResponse } from './compression.ts'
import { setLoggedOperation } from './request-log.ts'
import { bodyHeaderNames, hasCurrentVersion } from './response-headers.ts'
import { writePositionOf } from './write-position.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Returns the key of the response in the response cache, for GET and HEAD; undefined if the handler must run. */
    readonly cacheKey?: (request: FastifyRequest) => string | undefined
  }
}

/**
 * Adds a hook that responds to reads with a cached response that was sent before. Hooks that are registered later do not run: they
 * would only set the same headers again, and start a timeout for a response that is ready.
 */
export function sendStoredResponsesFirst(app: FastifyInstance, environment: Environment, stopping: AbortSignal): void {
  const { cache, now, replicas } = environment
  app.addHook('onRequest', (request, reply, done) => {
    const { method } = request.raw
    if ((method !== 'GET' && method !== 'HEAD') || stopping.aborted) return done()
    // The cached response may be older than the position that the client sent: handleCached waits for newer notifications.
    if (replicas && writePositionOf(request) !== undefined) return done()
    const key = request.routeOptions.config.cacheKey?.(request)
    const cached = key === undefined ? undefined : cache.get(key, now())
    const encoded = key === undefined || !cached ? undefined : findEncodedResponse(environment, request, key, cached)
    if (!encoded || !sendStoredResponse(environment, request, reply, encoded)) done()
    else cache.countHit()
  })
}

/** Sends a cached response with its stored headers. Returns false if none are stored, or if the request needs other headers. */
export function sendStoredResponse(
  { now }: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedResponse,
): boolean {
  const stored = cached.sentHeaders
  if (!stored || now().getTime() >= stored.until) return false
  if (request.headers['x-server-timing'] !== undefined || reply.hasHeader('connection')) return false
  setLoggedOperation(request, cached.operation)
  const { raw } = reply.hijack()
  const isNotModified = request.method !== 'POST' && hasCurrentVersion(request, cached.etag)
  const headers = isNotModified ? stored.notModified : stored.ok
  const requestId = stored.hasRequestId ? ['x-request-id', request.id] : []
  raw.writeHead(isNotModified ? 304 : cached.status, [...headers, ...requestId])
  raw.end(isNotModified || request.method === 'HEAD' ? undefined : cached.body)
  return true
}

const headersOfRequest: ReadonlySet<string> = new Set(['x-request-id'])

/** Stores the headers that `reply` is about to be sent with, unless they depend on the request or change soon. */
export function storeHeaders(
  { settings, now }: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedResponse,
): void {
  const dependOnRequest =
    settings.corsOrigins !== '*' || request.headers['x-server-timing'] !== undefined || reply.hasHeader('connection')
  const until = sameCdnHeadersUntil(request, cached.validity, settings)
  if (cached.isStreamed || dependOnRequest || now().getTime() >= until) return
  const all = { ...reply.getHeaders(), 'content-length': cached.body.length }
  const without = (names: ReadonlySet<string>) =>
    Object.entries(all).flatMap(([name, value]) => (names.has(name) ? [] : [name, String(value)]))
  cached.sentHeaders = {
    ok: without(headersOfRequest),
    notModified: without(new Set([...headersOfRequest, ...bodyHeaderNames])),
    hasRequestId: reply.hasHeader('x-request-id'),
    until,
  }
}
