// Routes by which programs find the pages: sitemap, robots.txt, icons, the OpenSearch description, completions of a search.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PageSuggestionsDocument } from '../../../generated/graphql/graphql.ts'
import { recordKinds } from '../../../kinds.ts'
import type { Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../../service/http/handle-read.ts'
import { languageOfRoot } from '../../../service/http/language-root.ts'
import { queryOf } from '../../../service/http/query-of.ts'
import { openSearchMediaType, suggestionsMediaType, suggestionsPath } from '../page.ts'
import { pathOf } from '../request-parameters.ts'
import { sendTextError } from './error-response.ts'
import { openSearchXml, robotsTxt } from './files.ts'
import { createHomeSitemap, createSitemap, createSitemapPart, type SitemapRequest } from './sitemap.ts'

export function discoveryPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { defaultLanguage } = environment.settings
  staticFiles(app, environment)
  app.register(async (scope) => {
    scope.setErrorHandler(sendTextError)
    const xml = (url: string, write: (sitemapRequest: SitemapRequest, part: number) => Promise<Buffer> | Buffer) =>
      scope.get(url, (request, reply) => {
        const { part } = request.params as { part?: string }
        const produce = async (contextIn: ContextIn) => ({
          headers: { 'content-type': 'application/xml; charset=utf-8' },
          body: await write({ context: await contextIn(defaultLanguage), execute }, Number(part)),
        })
        // The query string is not part of the cache key, because these files do not depend on it.
        return handleVisitorRead(environment, request, reply, produce, pathOf(request))
      })
    xml('/sitemap.xml', createSitemap)
    xml('/sitemap-home.xml', createHomeSitemap)
    for (const kind of recordKinds) {
      xml(`/sitemap-${kind}-:part(^\\d{1,9}$).xml`, (request, part) => createSitemapPart(kind, part, request))
    }
    scope.get('/suggestions', { config: { hasLanguageRoots: true } }, (request, reply) => {
      const language = languageOfRoot(request)
      return language ? sendSuggestions(request, reply, language, environment, execute) : reply.callNotFound()
    })
  })
}

type ContextIn = (language: string) => Promise<SitemapRequest['context']>

/** Sends completions of a search text as OpenSearch suggestions, for browsers and for the script of the search form. */
function sendSuggestions(
  request: FastifyRequest,
  reply: FastifyReply,
  language: string,
  environment: Environment,
  execute: Execute,
) {
  const { prefix: text } = queryOf(request)
  const prefix = typeof text === 'string' ? text.replaceAll('\0', '').trim().slice(0, maxLength).toWellFormed() : ''
  const produce = async (contextIn: ContextIn) => {
    const context = await contextIn(language)
    const { searchSuggestions } =
      prefix === '' ? { searchSuggestions: [] } : await execute(PageSuggestionsDocument, { prefix }, context)
    const texts = searchSuggestions.map(({ text }) => text)
    const urls = searchSuggestions.map(({ url }) => url)
    const headers = { 'content-type': `${suggestionsMediaType}; charset=utf-8` }
    return { headers, body: Buffer.from(JSON.stringify([prefix, texts, [], urls])) }
  }
  return handleVisitorRead(environment, request, reply, produce, `${suggestionsPath(language)}?${prefix}`)
}

/** Maximum number of characters that the GraphQL field `searchSuggestions` accepts. */
const maxLength = 100

const icons = {
  '/favicon.ico': { type: 'image/x-icon', body: readFileSync(new URL('../favicon.ico', import.meta.url)) },
  '/favicon.svg': { type: 'image/svg+xml', body: readFileSync(new URL('../favicon.svg', import.meta.url)) },
}

function staticFiles(app: FastifyInstance, { settings }: Environment): void {
  type Content = Buffer | string
  const file = (path: string, type: string, content: (request: FastifyRequest) => Content, maxAge: number) =>
    app.get(path, { config: { hasLanguageRoots: path === '/opensearch.xml' } }, (request, reply) =>
      reply
        .type(type)
        .headers({ 'cache-control': `public, max-age=${maxAge}`, 'x-content-type-options': 'nosniff' })
        .send(content(request)),
    )
  for (const [path, { type, body }] of Object.entries(icons)) file(path, type, () => body, 86_400)
  file('/robots.txt', 'text/plain; charset=utf-8', () => robotsTxt(settings), 3600)
  const inLanguage = (request: FastifyRequest) => languageOfRoot(request) ?? settings.defaultLanguage
  file('/opensearch.xml', openSearchMediaType, (request) => openSearchXml(inLanguage(request), settings), 3600)
}
