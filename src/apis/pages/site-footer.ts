// The footer of every page: text and contact of the site, and a link for developers.
import { createRequire } from 'node:module'
import { html } from 'ghtml'
import type sanitizeHtml from 'sanitize-html'
import type { Settings } from '../../basics/env.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import { developersUrl, type PageContext } from './page.ts'

const require = createRequire(import.meta.url)

export function siteFooterHtml({ settings, language, messages }: PageContext): string {
  const { siteContact } = settings
  const contact = siteContact ? html`<p><a href="${siteContact}" rel="noopener">${messages.contact}</a></p>` : ''
  return html`<footer class="site-footer"><div class="wrap">
<div>!${footerText(settings)}!${contact}</div>
<p><a href="${developersUrl(language, settings)}">${messages.developers}</a></p></div></footer>`
}

/** SITE_FOOTER: text, or HTML with a few tags. */
const footerText = memoizeByObject(({ siteFooter: text }: Settings): string => {
  if (text === undefined) return ''
  // Loaded only if the setting is used: the library is large.
  const sanitize = require('sanitize-html') as typeof sanitizeHtml
  const safe = sanitize(text, {
    allowedTags: ['p', 'br', 'strong', 'b', 'em', 'i', 'small', 'ul', 'ol', 'li', 'a'],
    allowedAttributes: { a: ['href', 'rel'] },
    allowedSchemes: ['http', 'https', 'mailto', 'tel'],
    transformTags: { a: sanitize.simpleTransform('a', { rel: 'noopener' }) },
  })
  return /<(p|ul|ol)\b/.test(safe) ? safe : `<p>${safe}</p>`
})
