// Protects people who are signed in in a browser, by HTTP Basic or a session, against cross-site request forgery (CSRF).
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'

/** Returns the Content-Type in lower case and without parameters; empty without a Content-Type. */
export const mediaTypeOf = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

type Sites = Pick<Settings, 'publicUrl' | 'pagesUrl' | 'corsOrigins'>

/**
 * Whether the request may be a form that a page of another site makes a browser send, with remembered Basic credentials. For
 * other content types, browsers send a CORS preflight; tokens are never added by a browser.
 */
export function isForgeable(request: FastifyRequest, sites: Sites): boolean {
  const isBasic = /^basic\b/i.test(request.headers.authorization ?? '')
  return isBasic && !/^application\/([\w.-]+\+)?json$/.test(mediaTypeOf(request)) && isFromOtherSite(request, sites)
}

/**
 * Whether a page of another site sent the request. Browsers identify the page in Origin, Sec-Fetch-Site or Referer; a client that
 * sends none of the three is not a browser.
 */
export function isFromOtherSite(request: FastifyRequest, { publicUrl, pagesUrl, corsOrigins }: Sites): boolean {
  const { origin, referer, 'sec-fetch-site': site } = request.headers
  if (origin === undefined && site !== undefined) return site !== 'same-origin' && site !== 'none'
  const sender = origin ?? (referer ? (URL.parse(referer)?.origin ?? 'null') : undefined)
  if (sender === undefined) return false
  const ownOrigins = [publicUrl, pagesUrl].map((url) => new URL(url).origin)
  const here = `${request.protocol}://${request.host}`
  // A list of origins is trusted; `*` is not, because it allows every site.
  return ![...ownOrigins, here, ...(corsOrigins === '*' ? [] : corsOrigins)].includes(sender)
}
