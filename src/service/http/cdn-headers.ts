// CDN_MAX_AGE lets a CDN keep responses to visitors. Clients still revalidate them, because nothing can purge their copies.
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import type { Validity } from '../../engine/cache/response-cache.ts'
import { surrogateKeys } from '../../engine/cache/surrogate-keys.ts'
import type { Environment } from '../context.ts'

/** Headers with surrogate keys: separated by spaces for Varnish and Fastly, and by commas for Cloudflare. */
const keyHeaders = memoizeByObject((validity: Validity) => {
  const keys = surrogateKeys(validity)
  return { 'surrogate-key': keys.join(' '), 'cache-tag': keys.join(',') }
})

/** Returns until when `addCdnHeaders` sets unchanged headers for a response with this validity, in milliseconds since 1970. */
export function sameCdnHeadersUntil(
  { method }: FastifyRequest,
  validity: Validity | undefined,
  { cdnMaxAge, cdnStaleWhileRevalidate }: Settings,
): number {
  if (cdnMaxAge === 0 || !validity || (method !== 'GET' && method !== 'HEAD')) return Number.POSITIVE_INFINITY
  return validity.until - (cdnMaxAge + cdnStaleWhileRevalidate) * 1000
}

/** Lets a CDN cache the response. Call with all other headers set. Without `validity`, the response must not be cached. */
export function addCdnHeaders(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  validity: Validity | undefined,
  { settings, now }: Pick<Environment, 'settings' | 'now'>,
): void {
  const { cdnMaxAge, cdnStaleWhileRevalidate } = settings
  if (cdnMaxAge === 0 || !validity || (method !== 'GET' && method !== 'HEAD')) return
  if (reply.statusCode !== 200 || reply.getHeader('cache-control') !== 'no-cache') return
  // The Server-Timing header of this response is meant for this client only.
  if (headers['x-server-timing'] !== undefined) return
  const left = Math.floor((validity.until - now().getTime()) / 1000)
  if (left < 1) return
  const maxAge = Math.min(cdnMaxAge, left)
  // A response that changes at a certain time must not be served after it, not even while the CDN requests the next one.
  const stale = Math.min(cdnStaleWhileRevalidate, left - maxAge)
  const whileRevalidating = stale > 0 ? `, stale-while-revalidate=${stale}` : ''
  const forCdn = `public, max-age=${maxAge}${whileRevalidating}`
  // Without this, a CDN would send the X-Request-Id of the first request to all clients.
  reply.removeHeader('x-request-id').headers({
    // Clients must revalidate. `no-cache` would forbid the CDN to use its copy, too.
    'cache-control': `public, max-age=0, must-revalidate, s-maxage=${maxAge}${whileRevalidating}`,
    // RFC 9213, which takes precedence over Cache-Control, for example at Cloudflare.
    'cdn-cache-control': forCdn,
    // The older header, for example of Fastly and Varnish.
    'surrogate-control': forCdn.replace('public, ', ''),
    ...keyHeaders(validity),
  })
}
