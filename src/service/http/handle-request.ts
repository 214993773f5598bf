// The steps that GraphQL, REST and the pages share: look up the response cache, identify the viewer, apply the rate limit,
// and build the context of the operation.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HttpResponse, ResponseRecorder } from '../../engine/cache/response-cache.ts'
import { assignWorkToClient } from '../../engine/postgres/connection-shares.ts'
import { writesOfRequest } from '../../engine/postgres/write-outcome.ts'
import { identifyViewer } from '../auth/authenticate.ts'
import { verifyPassword } from '../auth/sessions.ts'
import {
  type Client,
  type Context,
  createContext,
  type Environment,
  type OperationOptions,
  type Origin,
} from '../context.ts'
import { addCdnHeaders } from './cdn-headers.ts'
import { findEncodedResponse, preventCompression } from './compression.ts'
import { rateLimitKey } from './rate-limits.ts'
import { setLoggedOperation } from './request-log.ts'
import { addVary, hasCurrentVersion } from './response-headers.ts'
import { sessionOf } from './session-cookies.ts'
import { sendStoredResponse, storeHeaders } from './stored-headers.ts'
import { withResponseDeadline } from './timeouts.ts'
import { createSourceChooser, writePositionOf } from './write-position.ts'

interface ContextOptions extends Pick<OperationOptions, 'language' | 'forEditing' | 'checksOnly' | 'recorder'> {
  /** The password for protected records in the request. */
  readonly password?: string | undefined
}

export type Caller = ReturnType<typeof createCaller>

/** Creates the caller: the sender of a request, with functions that create contexts for the operations of the request. */
function createCaller(environment: Environment, request: FastifyRequest, { viewer, address }: Client, origin: Origin) {
  let hasPassword = false
  return {
    viewer,
    address,
    /** Whether the caller is a visitor, and no context was built with a password yet. */
    isPublic: () => viewer === undefined && !hasPassword,
    createContext({ password, ...options }: ContextOptions): Promise<Context> {
      if (password !== undefined) {
        hasPassword = true
        preventCompression(request)
      }
      return createContext(environment, {
        ...options,
        viewer,
        origin,
        checkPassword:
          viewer && ((login, password) => verifyPassword(environment, { login, password }, { address, ...origin })),
        address,
        password: password === undefined ? undefined : environment.requestPassword(password, address),
        replicaReads: createSourceChooser(environment.replicas, request),
        writes: writesOfRequest(request),
      })
    },
  }
}

/** Cache-Control of a successful read: clients may keep what visitors see, but have to revalidate it. */
export const cacheControlOf = (isPublic: boolean) => (isPublic ? 'no-cache' : 'private, no-store')

export interface RequestHandler<Result> {
  /** The API, for the log of changes and sign-ins. */
  readonly source: 'graphql' | 'rest' | 'feed' | 'page'
  /** How the rate limit counts the request; undefined if each operation is counted by its cost. */
  readonly rateLimit?: 'read' | 'write' | undefined
  handle(caller: Caller): Promise<Result>
}

/** Throws the errors of identifyViewer, of the rate limit, and of `handle`, and RequestTimeoutError. */
export const handleRequest = <Result>(
  environment: Environment,
  request: FastifyRequest,
  { source, rateLimit, handle }: RequestHandler<Result>,
): Promise<Result> =>
  withResponseDeadline(request, async () => {
    const address = request.ip
    const origin = { source, requestId: request.id }
    const { authorization } = request.headers
    const session = sessionOf(request, environment.settings)
    const viewer = await identifyViewer(environment, { authorization, session }, { address, ...origin })
    if (viewer) assignWorkToClient(rateLimitKey({ viewer, address }))
    if (rateLimit) await environment.rateLimits[rateLimit]({ viewer, address })
    return handle(createCaller(environment, request, { viewer, address }, origin))
  })

export interface CachedRequestHandler extends Pick<RequestHandler<HttpResponse>, 'source' | 'rateLimit'> {
  /** Everything in the request that an anonymous response depends on; undefined if the response is not cached. */
  readonly cacheKey: string | undefined
  /** Whether simultaneous requests with this key may share one response, because the operation is certainly a query. */
  isShareable(): boolean
  /** `recorder` collects what the response depends on; undefined if the response is not cached. */
  handle(caller: Caller, recorder: ResponseRecorder | undefined): Promise<HttpResponse>
}

/** Sends the cached response, or the one that `handle` returns. Sends a cached one synchronously, for speed. */
export function handleCached(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: CachedRequestHandler,
): FastifyReply | Promise<FastifyReply> {
  const position = environment.replicas && writePositionOf(request)
  if (!environment.replicas || position === undefined) return sendCached(environment, request, reply, handler)
  // Waits for notifications of the client's last write, which another instance may have executed.
  return environment.replicas
    .receiveChanges(position)
    .then((areReceived) =>
      areReceived
        ? sendCached(environment, request, reply, handler)
        : handleUncached(environment, request, reply, { ...handler, cacheKey: undefined }),
    )
}

function sendCached(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: CachedRequestHandler,
): FastifyReply | Promise<FastifyReply> {
  const { cacheKey } = handler
  const cached = cacheKey === undefined ? undefined : environment.cache.get(cacheKey, environment.now())
  if (cacheKey === undefined || !cached || (cached.isStreamed && !hasCurrentVersion(request, cached.etag))) {
    return handleUncached(environment, request, reply, handler)
  }
  environment.cache.countHit()
  const encoded = findEncodedResponse(environment, request, cacheKey, cached)
  if (encoded && sendStoredResponse(environment, request, reply, encoded)) return reply
  const response = encoded ?? cached
  setLoggedOperation(request, cached.operation)
  addHeaders(environment, request, reply, response, 'hit')
  if (encoded) storeHeaders(environment, request, reply, encoded)
  return sendBody(request, reply, response)
}

async function handleUncached(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  { source, cacheKey, rateLimit, isShareable, handle }: CachedRequestHandler,
): Promise<FastifyReply> {
  const { cache, now } = environment
  if (!isShareable()) preventCompression(request)
  const produce = (caller: Caller) =>
    cacheKey === undefined
      ? handle(caller, undefined)
      : cache.load(cacheKey, now(), isShareable(), async (recorder) => {
          // Keeps the ETag if the content has not changed, so that clients can still revalidate.
          const current = cache.get(cacheKey, now())
          const produced = await handle(caller, recorder)
          return current?.isStreamed && !Buffer.isBuffer(produced.body) ? { ...produced, etag: current.etag } : produced
        })
  const response = await handleRequest(environment, request, {
    source,
    rateLimit,
    async handle(caller) {
      const produced = await produce(caller)
      // The client already got the error for the timeout, so nothing will read the stream.
      if (request.deadline?.isOver && !Buffer.isBuffer(produced.body)) produced.body.destroy()
      return produced
    },
  })
  addHeaders(environment, request, reply, response, cacheKey === undefined ? undefined : 'fwd=miss')
  return sendBody(request, reply, response)
}

/** `cacheStatus` is a parameter of the header Cache-Status (RFC 9211); undefined if the response is never cached. */
function addHeaders(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, etag, validity }: HttpResponse,
  cacheStatus: 'hit' | 'fwd=miss' | undefined,
): void {
  if (cacheStatus !== undefined) reply.header('cache-status', `calendar; ${cacheStatus}`)
  if (status === 200 && etag !== undefined) reply.header('etag', etag)
  reply.code(status).headers(headers)
  if (environment.settings.compression) addVary(reply, 'accept-encoding')
  addCdnHeaders(request, reply, validity, environment)
}

function sendBody(request: FastifyRequest, reply: FastifyReply, { body }: HttpResponse): FastifyReply {
  if (request.method !== 'HEAD' || Buffer.isBuffer(body)) return reply.send(body)
  // Destroyed, because otherwise Fastify would read the whole stream.
  body.destroy()
  return reply.send(Readable.from([]))
}
