// Handles GET requests whose response to visitors depends only on the URL.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, type HttpResponse } from '../../engine/cache/response-cache.ts'
import { type Context, createContext, type Environment, type OperationOptions } from '../context.ts'
import { type CachedRequestHandler, handleCached } from './handle-request.ts'
import { fullUrl } from './language-root.ts'
import { addVary } from './response-headers.ts'
import { createSourceChooser } from './write-position.ts'

const keyFor = (request: FastifyRequest, address: string) =>
  request.headers.authorization === undefined ? address : undefined

/** The key of the cached response; undefined for a request with credentials. */
export const readCacheKey = (request: FastifyRequest) => keyFor(request, fullUrl(request))

/** Sends the response to a GET request of an API. `address` is the cache key: the part of the URL that an anonymous response depends on. */
export function handleRead(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  source: CachedRequestHandler['source'],
  handle: CachedRequestHandler['handle'],
  address = fullUrl(request),
) {
  addVary(reply, 'Authorization')
  return handleCached(environment, request, reply, {
    ...{ source, cacheKey: keyFor(request, address), rateLimit: 'read', isShareable: () => true },
    handle,
  })
}

/** A read that shows what visitors see, whoever requests it. `contextIn` builds the context in a language. */
export const handleVisitorRead = (
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  produce: (
    contextIn: (language: string) => Promise<Context>,
  ) => Promise<Pick<HttpResponse, 'headers'> & { readonly body: Buffer }>,
  address?: string,
) =>
  handleRead(
    environment,
    request,
    reply,
    'page',
    async (_caller, recorder) => {
      const contextIn = (language: string) => createVisitorContext(environment, request, { language, recorder })
      const { headers, body } = await produce(contextIn)
      return { status: 200, headers: { 'cache-control': 'no-cache', ...headers }, body, etag: etagOf(body) }
    },
    address,
  )

/** Creates the context of a query that reads what visitors see. */
export const createVisitorContext = (
  environment: Environment,
  request: FastifyRequest,
  operation: Pick<OperationOptions, 'language' | 'recorder'>,
) =>
  createContext(environment, {
    ...operation,
    viewer: undefined,
    origin: { source: 'page', requestId: request.id },
    replicaReads: createSourceChooser(environment.replicas, request),
  })
