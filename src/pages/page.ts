// The HTML document around the content of every page. `html` escapes interpolated values, except after a `!`.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Context } from '../context.ts'
import type { Settings } from '../env.ts'
import type { Execute } from '../graphql/execute.ts'
import { inScript } from '../http/tool-page.ts'
import { apiLinks } from './api-links.ts'
import { languageName, type Messages } from './messages.ts'

export interface PageContext {
  readonly settings: Settings
  readonly language: string
  readonly messages: Messages
}

export interface PageRequest extends PageContext {
  readonly execute: Execute
  readonly context: Context
  /** Page of the upcoming events, from 1. */
  readonly page: number
  /** Text of the search form; undefined if it is empty. */
  readonly search: string | undefined
  /** Password of a protected record, from the form. */
  readonly password: string | undefined
}

export interface Page {
  readonly status?: number
  readonly title: string
  /** Plain text, for search engines and previews. */
  readonly description?: string
  readonly image?: string | undefined
  /** Canonical URL. */
  readonly url?: string
  /** Whether search engines may index the page. */
  readonly indexed: boolean
  /** The page in each language of the site. `own` is true if the record has a translation in that language. */
  readonly languages: readonly { readonly language: string; readonly url: string; readonly own: boolean }[]
  readonly jsonLd?: unknown
  /** Path of the REST API that returns what the page shows, with its leading slash. */
  readonly restPath?: string
  /** Other formats of the page. */
  readonly formats?: readonly { readonly type: string; readonly url: string; readonly title: string }[]
  readonly body: string
}

const style = readFileSync(new URL('style.css', import.meta.url))
export const stylePath = `/pages/${createHash('sha256').update(style).digest('base64url').slice(0, 12)}/style.css`

export function pageAssets(app: FastifyInstance): void {
  app.get(stylePath, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
      .send(style),
  )
}

export const homeUrl = (language: string, { publicUrl }: Settings) => `${publicUrl}/${language}/`

export const homeLinks = ({ settings }: PageContext) =>
  settings.languages.map((language) => ({ language, url: homeUrl(language, settings), own: true }))

/** The path of a file of this service, as browsers request it: PUBLIC_URL may have a path. */
export const filePath = (path: string, { publicUrl }: Settings): string =>
  `${new URL(publicUrl).pathname.replace(/\/$/, '')}${path}`

export const openSearchType = 'application/opensearchdescription+xml'

export const openSearchPath = (language: string) => `/${language}/opensearch.xml`

/** The complete HTML document. */
export function renderDocument(page: Page, pageContext: PageContext): string {
  const { settings, language, messages } = pageContext
  const title = page.title === settings.siteName ? page.title : `${page.title} · ${settings.siteName}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
!${metadata(page, pageContext)}
!${apiLinks({ ...page, settings, language })}<link rel="icon" href="${filePath('/favicon.svg', settings)}" type="image/svg+xml">
<link rel="search" href="${filePath(openSearchPath(language), settings)}" type="${openSearchType}" title="${settings.siteName}">
<link rel="stylesheet" href="${filePath(stylePath, settings)}">
</head>
<body>
<a class="skip" href="#content">${messages.skip}</a>
<header>
<a href="${homeUrl(language, settings)}">${settings.siteName}</a>
<nav aria-label="${messages.languages}"><ul>!${page.languages.map((other) => languageLink(other, language))}</ul></nav>
</header>
<main id="content">
!${page.body}
</main>
<footer><nav aria-label="${messages.developers}"><ul>!${developerLinks(pageContext)}</ul></nav></footer>
</body>
</html>
`
}

const languageLink = (other: { language: string; url: string }, current: string) =>
  html`<li><a href="${other.url}" lang="${other.language}" hreflang="${other.language}"!${
    other.language === current ? ' aria-current="true"' : ''
  }>${languageName(other.language)}</a></li>`

function developerLinks({ settings, messages }: PageContext) {
  const { publicUrl, graphiql, restEnabled, restPrefix, restNamespace } = settings
  const links = [
    ...(graphiql ? [['GraphiQL', `${publicUrl}/graphql`]] : []),
    ...(restEnabled ? [['REST', `${publicUrl}${restPrefix}/${restNamespace}`]] : []),
    ...(restEnabled ? [[messages.documentation, `${publicUrl}/docs`]] : []),
  ]
  return links.map(([name, url]) => html`<li><a href="${url}">${name}</a></li>`)
}

function metadata(
  { title, description, image, url, indexed, languages, jsonLd, formats = [] }: Page,
  pageContext: PageContext,
): string {
  const others = formats.map(
    (format) => html`<link rel="alternate" type="${format.type}" href="${format.url}" title="${format.title}">`,
  )
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
    jsonLd ? html`<script type="application/ld+json">!${inScript(jsonLd)}</script>` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}
