// Routes by which programs find the pages: sitemap, robots.txt, icons, the OpenSearch description.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordKinds } from '../../../kinds.ts'
import type { Context, Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { handleVisitorRead } from '../../../service/http/handle-read.ts'
import { rootOf } from '../../../service/http/language-root.ts'
import { openSearchType } from '../page.ts'
import { pathOf } from '../request-parameters.ts'
import { sendTextError } from './error-response.ts'
import { openSearchDescription } from './open-search.ts'
import { robotsTxt } from './robots.ts'
import { homeSitemap, sitemap, sitemapPart } from './sitemap.ts'
import { sendSuggestions } from './suggestions.ts'

export function discoveryPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  staticFiles(app, environment)
  app.register(async (scope) => {
    scope.setErrorHandler(sendTextError)
    type Produce = (context: Context, request: FastifyRequest) => Promise<Buffer> | Buffer
    const xml = (path: string, produce: Produce) =>
      scope.get(path, (request, reply) =>
        // The query is ignored.
        handleVisitorRead(environment, request, reply, pathOf(request), async (contextIn) => ({
          headers: { 'content-type': 'application/xml; charset=utf-8' },
          body: await produce(await contextIn(environment.settings.defaultLanguage), request),
        })),
      )
    xml('/sitemap.xml', (context) => sitemap({ context, execute }))
    xml('/sitemap-home.xml', (context) => homeSitemap({ context, execute }))
    scope.get('/suggestions', { config: { hasLanguageRoots: true } }, (request, reply) => {
      const language = rootOf(request)
      return language ? sendSuggestions(request, reply, language, environment, execute) : reply.callNotFound()
    })
    for (const kind of recordKinds) {
      xml(`/sitemap-${kind}-:part(^\\d{1,9}$).xml`, (context, { params }) =>
        sitemapPart(kind, Number((params as { part: string }).part), { context, execute }),
      )
    }
  })
}

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
  const inLanguage = (request: FastifyRequest) => rootOf(request) ?? settings.defaultLanguage
  file('/opensearch.xml', openSearchType, (request) => openSearchDescription(inLanguage(request), settings), 3600)
}
