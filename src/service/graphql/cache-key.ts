import type { FastifyRequest } from 'fastify'
import { acceptedType, prefersEventStream } from '../http/accepted-type.ts'
import { fullUrl } from '../http/language-root.ts'
import { costHeader } from './limits/limits.ts'

/**
 * The cache key: the parts of an anonymous request that its response depends on. Undefined for authenticated requests and
 * long bodies. Mutations get a key, too, but their responses are not cached.
 */
export function cacheKeyOf(request: FastifyRequest): string | undefined {
  const { method, headers, body } = request
  if (headers.authorization !== undefined || headers[costHeader] !== undefined) return undefined
  if (prefersEventStream(headers.accept)) return undefined
  const type = acceptedType(headers.accept)
  if (method === 'GET' || method === 'HEAD') return ['GET', fullUrl(request), type].join('\n')
  if (method !== 'POST' || typeof body !== 'string' || body.length > maxCachedBodyLength) return undefined
  return [headers['content-type'], fullUrl(request), type, body].join('\n')
}

/** Characters. */
const maxCachedBodyLength = 20_000

/** Whether the request is certainly a query, so that simultaneous requests can share its response. */
export const isQuery = ({ method, body }: FastifyRequest) =>
  method !== 'POST' || (typeof body === 'string' && body.includes('"query"') && !body.includes('mutation'))
