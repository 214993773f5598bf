// Sends rendered pages with their headers.
import type { FastifyReply } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { apiHeaders } from './api-links.ts'
import { renderDocument } from './document.ts'
import type { Page, PageContext } from './page.ts'

/** Images may be on any host; on a site without TLS also over plain HTTP. */
export const imageSources = ({ publicUrl }: Settings): string =>
  `'self' ${publicUrl.startsWith('http:') ? 'https: http:' : 'https:'}`

/** The sites that may show widgets in a frame. */
export const frameAncestors = ({ embedOrigins }: Settings): string => {
  if (embedOrigins === 'none') return "'none'"
  return embedOrigins === '*' ? '*' : `'self' ${embedOrigins.join(' ')}`
}

export function send(reply: FastifyReply, page: Page, pageContext: PageContext): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .headers({
      'content-language': pageContext.language,
      'content-security-policy': `default-src 'none'; ${page.hasSearch ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; img-src ${imageSources(pageContext.settings)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      ...apiHeaders({ ...page, ...pageContext }),
    })
    .send(renderDocument(page, pageContext))
}
