// The page for browsers while the service starts. It consists of one file, because nothing else can be requested yet.
import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { prefersHtml } from '../../service/http/accepted-type.ts'
import { findOtherFormat } from '../../service/http/other-formats.ts'
import { accentColorCss } from './accent-color.ts'
import { frameAncestorPolicy } from './document.ts'
import { directionAttribute, messagesOf } from './messages.ts'
import { negotiateLanguage } from './request-parameters.ts'

/** Waits until the service responds, then loads the page once: repeated reloads would interrupt screen readers. */
const script = `const wait = () => setTimeout(async () => {
  const { status } = await fetch(location.href, { method: 'HEAD', redirect: 'manual' }).catch(() => ({ status: 503 }))
  if (status > 500) wait()
  else location.reload()
}, 1000)
wait()`

/** Returns undefined if the client is no browser, or the URL belongs to an API or a feed. */
export function createStartingPage(request: IncomingMessage, settings: Settings) {
  const { method, url = '', headers } = request
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const { languages, restPrefix, restNamespace } = settings
  const [, first = ''] = url.split(/[/?]/, 2)
  const root = languages.find((language) => language === first)
  const path = root === undefined ? url : url.slice(root.length + 1)
  const isRest = path.startsWith(`${restPrefix}/${restNamespace}`)
  if (isRest || findOtherFormat(url) !== undefined || !prefersHtml(headers.accept ?? '')) return undefined
  const language = root ?? negotiateLanguage(request, settings)
  const style = accentColorCss(settings.siteAccentColor) + layout
  // The frame of a widget may forbid scripts and automatic reloads, so the page has a link instead.
  const isWidget = path.startsWith('/embed/')
  const framing = isWidget ? frameAncestorPolicy(settings) : "'none'"
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-language': language,
      'content-security-policy': `default-src 'none'; ${isWidget ? '' : `script-src ${hashOf(script)}; connect-src 'self'; `}style-src ${hashOf(style)}; form-action 'none'; base-uri 'none'; frame-ancestors ${framing}`,
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: render(language, settings, style, isWidget ? url : undefined),
  }
}

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** If `link` is set, a link to this URL replaces the script that reloads the page. */
function render(language: string, { siteName }: Settings, style: string, link?: string): string {
  const { starting, opensByItself, retry } = messagesOf(language)
  return html`<!doctype html>
<html lang="${language}"!${directionAttribute(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
!${link === undefined ? '<noscript><meta http-equiv="refresh" content="2"></noscript>' : ''}
<title>${starting} · ${siteName}</title>
<style>!${style}</style>
</head>
<body>
<main>
<div role="status">
<p>${siteName}</p>
<h1>${starting}</h1>
!${link === undefined ? html`<p>${opensByItself}</p>` : html`<p><a href="${link}">${retry}</a></p>`}
</div>
</main>
!${link === undefined ? `<script>${script}</script>` : ''}
</body>
</html>
`
}

const layout = `:root { color-scheme: light dark; font: 100%/1.55 system-ui, sans-serif; }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: var(--ground); color: light-dark(#1b1c1f, #eceae6); }
main { max-width: 34rem; padding: 1.5rem; overflow-wrap: anywhere; }
[role] > p:first-child { color: var(--accent); font-weight: 600; }
h1 { margin: 0; line-height: 1.2; text-wrap: balance; }
`
