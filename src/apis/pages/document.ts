// The HTML document around the content of every page.

import type { FastifyReply } from 'fastify'
import { html } from 'ghtml'
import type { Settings } from '../../basics/env.ts'
import { toScriptJson } from '../../service/http/tool-page.ts'
import { restApiHeaders, restApiLinkTags } from './api-links.ts'
import { readAssets } from './assets.ts'
import { listNavHtml } from './list-links.ts'
import { directionAttribute, languageName } from './messages.ts'
import { filePath, homeUrl, openSearchMediaType, openSearchPath, type Page, type PageContext } from './page.ts'
import { siteFooterHtml } from './site-footer.ts'

function renderDocument(page: Page, pageContext: PageContext): string {
  const { settings, language, messages } = pageContext
  const title = page.title === settings.siteName ? page.title : `${page.title} · ${settings.siteName}`
  return html`<!doctype html>
<html lang="${language}"!${directionAttribute(language)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
!${metadata(page, pageContext)}
!${restApiLinkTags({ ...page, settings, language })}<link rel="icon" href="${filePath('/favicon.svg', settings)}" type="image/svg+xml">
<link rel="search" href="${filePath(openSearchPath(language), settings)}" type="${openSearchMediaType}" title="${settings.siteName}">
<link rel="stylesheet" href="${filePath(readAssets(settings).stylePath, settings)}">
!${page.script ? html`<script src="${filePath(readAssets(settings).scripts[page.script].path, settings)}" defer></script>` : ''}
!${page.edit ? editLinkScript(page.edit, pageContext) : ''}
</head>
<body>
<a class="skip" href="#content">${messages.skip}</a>
<header class="site-header"><div class="wrap">
<a class="brand" href="${homeUrl(language, settings)}">!${logo(settings)}<span>${settings.siteName}</span></a>
!${listNavHtml(page, pageContext)}
<nav aria-label="${messages.languages}"><ul>!${page.languages.map((other) => languageLink(other, language))}</ul></nav>
</div></header>
<main id="content">
!${breadcrumbs(page, pageContext)}
!${page.body}
</main>
!${siteFooterHtml(pageContext)}
</body>
</html>
`
}

const editLinkQueries = {
  start: '{ viewer { rights } }',
  event: 'query ($id: ID!) { record: event(id: $id) { viewerCanUpdate } }',
  venue: 'query ($id: ID!) { record: venue(id: $id) { viewerCanUpdate } }',
  organizer: 'query ($id: ID!) { record: organizer(id: $id) { viewerCanUpdate } }',
} as const

/** The GraphQL documents that the script sends. */
export const editLinkDocuments = Object.values(editLinkQueries)

/** The script that shows a link to the editor to those who may edit what the page shows. */
function editLinkScript(edit: NonNullable<Page['edit']>, { settings, messages }: PageContext): string {
  const src = filePath(readAssets(settings).scripts.editLink.path, settings)
  const { kind, id } = edit
  const href = filePath(kind === 'start' ? '/edit/' : `/edit/${kind}s/${id}`, settings)
  const label = kind === 'start' ? messages.account.editor : messages.account.edit
  return html`<script src="${src}" data-graphql="${filePath('/graphql', settings)}" data-query="${editLinkQueries[kind]}" data-id="${id ?? ''}" data-href="${href}" data-label="${label}" defer></script>`
}

/** Returns the logo as HTML. Its `alt` is empty, because the name of the site follows the image. */
function logo(settings: Settings): string {
  const { logo } = readAssets(settings)
  if (!logo) return ''
  const size = logo.size ? html` width="${logo.size.width}" height="${logo.size.height}"` : ''
  return html`<img src="${logo.url.startsWith('/') ? filePath(logo.url, settings) : logo.url}" alt=""!${size}>`
}

const languageLink = (other: { language: string; url: string }, current: string) =>
  html`<li><a href="${other.url}" lang="${other.language}" hreflang="${other.language}"!${
    other.language === current ? ' aria-current="true"' : ''
  }>${languageName(other.language)}</a></li>`

const breadcrumbs = ({ breadcrumbs }: Page, { settings, language, messages }: PageContext): string =>
  breadcrumbs === undefined
    ? ''
    : html`<nav class="breadcrumbs wrap" aria-label="${messages.breadcrumbs}"><ol>!${[
        { name: messages.calendar, url: homeUrl(language, settings) },
        ...breadcrumbs,
      ].map(({ name, url }) => html`<li><a href="${url}">${name}</a></li>`)}</ol></nav>`

const breadcrumbList = ({ breadcrumbs = [], title, url }: Page, { settings, language }: PageContext) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [
    { name: settings.siteName, url: homeUrl(language, settings) },
    ...breadcrumbs,
    { name: title, url },
  ].map(({ name, url: item }, index) => ({ '@type': 'ListItem', position: index + 1, name, item })),
})

function metadata(page: Page, pageContext: PageContext): string {
  const { title, description, image, url, indexed, languages, jsonLd, formats = [], neighbors = {} } = page
  const others = [
    ...formats.map(
      (format) => html`<link rel="alternate" type="${format.type}" href="${format.url}" title="${format.title}">`,
    ),
    ...Object.entries(neighbors).map(([rel, href]) => html`<link rel="${rel}" href="${href}">`),
  ]
  if (!indexed || url === undefined) return ['<meta name="robots" content="noindex">', ...others].join('\n')
  const { defaultLanguage, siteName } = pageContext.settings
  const written = languages.filter(({ own }) => own).map((other) => [other.language, other.url])
  const fallback = written.find(([language]) => language === defaultLanguage)
  const alternates = [...written, ...(fallback ? [['x-default', fallback[1]]] : [])]
  const properties = [
    ['type', 'website'],
    ['site_name', siteName],
    ['title', title],
    ['url', url],
    ['locale', pageContext.language.replace('-', '_')],
    ['description', description],
    ['image', image],
  ]
  return [
    html`<link rel="canonical" href="${url}">`,
    ...alternates.map(([language, other]) => html`<link rel="alternate" hreflang="${language}" href="${other}">`),
    ...others,
    description ? html`<meta name="description" content="${description}">` : '',
    ...properties.map(([name, content]) => (content ? html`<meta property="og:${name}" content="${content}">` : '')),
    ...[jsonLd, page.breadcrumbs && breadcrumbList(page, pageContext)].map((data) =>
      data ? html`<script type="application/ld+json">!${toScriptJson(data)}</script>` : '',
    ),
  ]
    .filter((line) => line !== '')
    .join('\n')
}

// Sends rendered pages with their headers.

/** Returns the CSP sources of images: any host by https; without TLS on this site also by http. */
export const imageSourcePolicy = ({ publicUrl }: Settings): string =>
  `'self' ${publicUrl.startsWith('http:') ? 'https: http:' : 'https:'}`

/** Returns the CSP sources of sites that may show widgets in frames. */
export const frameAncestorPolicy = ({ embedOrigins }: Settings): string => {
  if (embedOrigins === 'none') return "'none'"
  return embedOrigins === '*' ? '*' : `'self' ${embedOrigins.join(' ')}`
}

export function sendRenderedPage(reply: FastifyReply, page: Page, pageContext: PageContext): FastifyReply {
  return reply
    .code(page.status ?? 200)
    .type('text/html; charset=utf-8')
    .headers({
      'content-language': pageContext.language,
      'content-security-policy': `default-src 'none'; ${page.script || page.edit ? "script-src 'self'; connect-src 'self'; " : ''}style-src 'self'; img-src ${imageSourcePolicy(pageContext.settings)}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'x-content-type-options': 'nosniff',
      ...restApiHeaders({ ...page, ...pageContext }),
    })
    .send(renderDocument(page, pageContext))
}
