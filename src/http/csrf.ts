// What a page of another site can make a browser send with the credentials that it keeps for this one.
import type { FastifyRequest } from 'fastify'
import type { Settings } from '../env.ts'

/** In lower case, without parameters; empty when none is said. */
export const mediaType = ({ headers }: FastifyRequest): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

type Sites = Pick<Settings, 'publicUrl' | 'pagesUrl' | 'corsOrigins'>

/**
 * A form that another site's page sends, signed with the Basic login that the browser remembers. What is not a form it may
 * send only after it asked, and a token only if it has it. Browsers that send neither Origin nor Sec-Fetch-Site name the
 * page in Referer; who sends none of the three is no browser.
 */
export function isForgeable(request: FastifyRequest, { publicUrl, pagesUrl, corsOrigins }: Sites): boolean {
  const { authorization = '', origin, referer, 'sec-fetch-site': site } = request.headers
  if (!/^basic\b/i.test(authorization) || /^application\/([\w.-]+\+)?json$/.test(mediaType(request))) return false
  if (origin === undefined && site !== undefined) return site !== 'same-origin' && site !== 'none'
  const sender = origin ?? (referer ? (URL.parse(referer)?.origin ?? 'null') : undefined)
  if (sender === undefined) return false
  const ownOrigins = [publicUrl, pagesUrl].map((url) => new URL(url).origin)
  const here = `${request.protocol}://${request.host}`
  // A list names sites that are trusted; all sites are not.
  return ![...ownOrigins, here, ...(corsOrigins === '*' ? [] : corsOrigins)].includes(sender)
}
