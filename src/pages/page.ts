// What every page for people has around its content. `html` escapes what it is given, unless a `!` stands before it.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { html } from 'ghtml'
import type { Context } from '../context.ts'
import type { Settings } from '../env.ts'
import type { Execute } from '../graphql/execute.ts'
import { inScript } from '../http/tool-page.ts'
import { nameOf, type Words } from './words.ts'

/** Where a page is shown. */
export interface Place {
  readonly settings: Settings
  readonly language: string
  readonly words: Words
}

/** Who asks for it, and for which part. */
export interface Visit extends Place {
  readonly execute: Execute
  readonly context: Context
  /** Page of the coming events, from 1. */
  readonly page: number
  /** Given for a protected record. */
  readonly password: string | undefined
}

export interface Page {
  readonly status?: number
  readonly title: string
  /** For search engines and previews; plain text. */
  readonly description?: string
  readonly image?: string | undefined
  /** Its address. */
  readonly url?: string
  /** Whether search engines may list it. */
  readonly indexed: boolean
  /** Where it is in each language of the site; `own` if it was written in that language. */
  readonly languages: readonly { readonly language: string; readonly url: string; readonly own: boolean }[]
  readonly jsonLd?: object | undefined
  readonly body: string
}

const style = readFileSync(new URL('style.css', import.meta.url))
const stylePath = `/pages/${createHash('sha256').update(style).digest('base64url').slice(0, 12)}/style.css`

export function pageAssets(app: FastifyInstance): void {
  app.get(stylePath, (_request, reply) =>
    reply
      .type('text/css; charset=utf-8')
      .headers({ 'cache-control': 'public, max-age=31536000, immutable', 'x-content-type-options': 'nosniff' })
      .send(style),
  )
}

export const homeOf = (language: string, { publicUrl }: Settings) => `${publicUrl}/${language}/`

export const homes = ({ settings }: Place) =>
  settings.languages.map((language) => ({ language, url: homeOf(language, settings), own: true }))

/** The whole document. */
export function documentOf(page: Page, place: Place): string {
  const { settings, language, words } = place
  const title = page.title === settings.siteName ? page.title : `${page.title} · ${settings.siteName}`
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
!${metadata(page, place)}
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<a class="skip" href="#content">${words.skip}</a>
<header>
<a href="${homeOf(language, settings)}">${settings.siteName}</a>
<nav aria-label="${words.languages}"><ul>!${page.languages.map((other) => languageLink(other, language))}</ul></nav>
</header>
<main id="content">
!${page.body}
</main>
<footer><nav aria-label="${words.developers}"><ul>!${developerLinks(place)}</ul></nav></footer>
</body>
</html>
`
}

const languageLink = (other: { language: string; url: string }, current: string) =>
  html`<li><a href="${other.url}" lang="${other.language}" hreflang="${other.language}"!${
    other.language === current ? ' aria-current="true"' : ''
  }>${nameOf(other.language)}</a></li>`

function developerLinks({ settings, words }: Place) {
  const { publicUrl, graphiql, restEnabled, restPrefix, restNamespace } = settings
  const links = [
    ...(graphiql ? [['GraphiQL', `${publicUrl}/graphql`]] : []),
    ...(restEnabled ? [['REST', `${publicUrl}${restPrefix}/${restNamespace}`]] : []),
    ...(restEnabled ? [[words.documentation, `${publicUrl}/docs`]] : []),
  ]
  return links.map(([name, url]) => html`<li><a href="${url}">${name}</a></li>`)
}

function metadata({ title, description, image, url, indexed, languages, jsonLd }: Page, place: Place): string {
  if (!indexed || url === undefined) return html`<meta name="robots" content="noindex">`
  const { defaultLanguage, siteName } = place.settings
  const written = languages.filter(({ own }) => own).map((other) => [other.language, other.url])
  const fallback = written.find(([language]) => language === defaultLanguage)
  const alternates = [...written, ...(fallback ? [['x-default', fallback[1]]] : [])]
  const properties = [
    ['type', 'website'],
    ['site_name', siteName],
    ['title', title],
    ['url', url],
    ['locale', place.language.replace('-', '_')],
    ['description', description],
    ['image', image],
  ]
  return [
    html`<link rel="canonical" href="${url}">`,
    ...alternates.map(([language, other]) => html`<link rel="alternate" hreflang="${language}" href="${other}">`),
    description ? html`<meta name="description" content="${description}">` : '',
    ...properties.map(([name, content]) => (content ? html`<meta property="og:${name}" content="${content}">` : '')),
    jsonLd ? html`<script type="application/ld+json">!${inScript(jsonLd)}</script>` : '',
  ]
    .filter((line) => line !== '')
    .join('\n')
}
