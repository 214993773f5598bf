// Reads at addresses of their own: their anonymous response depends only on the address.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, type HttpResponse } from '../../engine/cache/response-cache.ts'
import { type Context, createContext, type Environment, type Operation } from '../context.ts'
import { type CachedRequestHandler, handleCached } from './handle-request.ts'
import { addVary } from './vary.ts'
import { replicaReads } from './write-position.ts'

/** Sends the response to a read. `cacheKey` is what an anonymous one depends on. */
export function handleRead(
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheKey: string,
  handle: CachedRequestHandler['handle'],
) {
  addVary(reply, 'Authorization')
  return handleCached(environment, request, reply, {
    cacheKey: request.headers.authorization === undefined ? cacheKey : undefined,
    rateLimit: 'read',
    isShareable: () => true,
    handle,
  })
}

/** A read that shows what visitors see, whoever requests it. `contextIn` builds the context in a language. */
export const handleVisitorRead = (
  environment: Environment,
  request: FastifyRequest,
  reply: FastifyReply,
  cacheKey: string,
  produce: (
    contextIn: (language: string) => Promise<Context>,
  ) => Promise<Pick<HttpResponse, 'headers'> & { readonly body: Buffer }>,
) =>
  handleRead(environment, request, reply, cacheKey, async (_caller, recorder) => {
    const { headers, body } = await produce((language) => visitorContext(environment, request, { language, recorder }))
    return { status: 200, headers: { 'cache-control': 'no-cache', ...headers }, body, etag: etagOf(body) }
  })

export const visitorContext = (
  environment: Environment,
  request: FastifyRequest,
  operation: Pick<Operation, 'language' | 'recorder'>,
) =>
  createContext(environment, {
    ...operation,
    viewer: undefined,
    replicaReads: replicaReads(environment.replicas, request),
  })
