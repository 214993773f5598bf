// Routes by which programs find the pages: sitemap, robots.txt, icons, the OpenSearch description.
import { readFileSync } from 'node:fs'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { etagOf } from '../../../engine/cache/response-cache.ts'
import { recordKinds } from '../../../kinds.ts'
import type { Context, Environment } from '../../../service/context.ts'
import type { Execute } from '../../../service/graphql/execute.ts'
import { handleCached } from '../../../service/http/handle-request.ts'
import { rootOf } from '../../../service/http/language-root.ts'
import { addVary } from '../../../service/http/vary.ts'
import { openSearchType } from '../page.ts'
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
      scope.get(path, (request, reply) => sendXml(request, reply, environment, (context) => produce(context, request)))
    xml('/sitemap.xml', (context) => sitemap({ context, execute }))
    xml('/sitemap-home.xml', (context) => homeSitemap({ context, execute }))
    scope.get('/suggestions', { config: { hasLanguageRoots: true } }, (request, reply) => {
      const language = rootOf(request)
      return language ? sendSuggestions(request, reply, { environment, execute, language }) : reply.callNotFound()
    })
    for (const kind of recordKinds) {
      xml(`/sitemap-${kind}-:part(^\\d{1,9}$).xml`, (context, { params }) =>
        sitemapPart(kind, Number((params as { part: string }).part), { context, execute }),
      )
    }
  })
}

/** Always the response for visitors, who may not be signed in to read a sitemap. */
function sendXml(
  request: FastifyRequest,
  reply: FastifyReply,
  environment: Environment,
  produce: (context: Context) => Promise<Buffer> | Buffer,
) {
  addVary(reply, 'Authorization')
  const [path] = request.url.split('?', 1)
  return handleCached(environment, request, reply, {
    // The query is ignored.
    cacheKey: request.headers.authorization === undefined ? path : undefined,
    rateLimit: 'read',
    isShareable: () => true,
    async handle(caller, recorder) {
      const context = await caller.createContext({ language: environment.settings.defaultLanguage, recorder })
      const headers = { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'no-cache' }
      const body = await produce(context)
      return { status: 200, headers, body, etag: etagOf(body) }
    },
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
