import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { registerOEmbedRoute } from './apis/embed/oembed.ts'
import { embedPlugin } from './apis/embed/plugin.ts'
import { feedsPlugin } from './apis/feeds/plugin.ts'
import { accountPlugin } from './apis/pages/account/plugin.ts'
import { discoveryPlugin } from './apis/pages/discovery/plugin.ts'
import { docsPlugin } from './apis/pages/docs.ts'
import { editLinkDocuments } from './apis/pages/document.ts'
import { editorDocuments } from './apis/pages/editor.ts'
import { sendNotFoundPage } from './apis/pages/error-page.ts'
import { pagesPlugin } from './apis/pages/plugin.ts'
import { createRequestRewriter } from './apis/rest/platform/rewrite-request.ts'
import { restPlugin } from './apis/rest/plugin.ts'
import { serveImageFiles } from './calendar/image/storage/serve.ts'
import { createRequestPasswordReader } from './calendar/rules/request-password.ts'
import { createSharedCounters } from './engine/postgres/rate-limit-counters.ts'
import { createSchema } from './schema.ts'
import type { Environment } from './service/context.ts'
import { createExecute } from './service/graphql/execute.ts'
import { graphiqlFiles } from './service/graphql/graphiql/graphiql.ts'
import { graphqlPlugin } from './service/graphql/plugin.ts'
import { openSubscriptions } from './service/graphql/subscriptions/subscriptions.ts'
import { registerCompression } from './service/http/compression.ts'
import { registerHealthRoutes } from './service/http/health.ts'
import { fullUrl, refuseUnsupportedLanguageRoots, removeLanguageRoots } from './service/http/language-root.ts'
import { type MonitoringOptions, registerMetrics } from './service/http/metrics.ts'
import { findOtherFormat, sendNoSuchFormat } from './service/http/other-formats.ts'
import { keepQueryText } from './service/http/query-of.ts'
import { createRateLimits } from './service/http/rate-limits.ts'
import { addLoggedOperation, logOptions } from './service/http/request-log.ts'
import { addCommonHeaders, addVary, sendClientError } from './service/http/response-headers.ts'
import { addServerTiming } from './service/http/server-timing.ts'
import { limitUnsentBytes } from './service/http/slow-clients.ts'
import { sendStoredResponsesFirst } from './service/http/stored-headers.ts'
import { limitResponseTime, timeoutOptions } from './service/http/timeouts.ts'
import { sendWritePositions } from './service/http/write-position.ts'

/** Builds the Fastify app with all routes. The app does not listen: start.ts makes it listen, and tests inject requests. */
export function buildApp(
  base: Omit<Environment, 'rateLimits' | 'requestPassword' | 'shortage'>,
  operations: MonitoringOptions,
): FastifyInstance {
  const { settings } = base
  const shared = createSharedCounters(settings, base.db)
  const environment: Environment = {
    ...base,
    rateLimits: createRateLimits(settings, shared),
    requestPassword: createRequestPasswordReader(settings, shared),
    shortage: operations.database.shortage,
  }
  const schema = createSchema(settings.languages)
  const app = Fastify({
    ...logOptions(settings.logLevel, operations.worker?.number),
    trustProxy: settings.trustProxy,
    rewriteUrl: removeLanguageRoots(settings.languages, createRequestRewriter(settings)),
    frameworkErrors: (_error, _request, reply) =>
      sendError(reply as FastifyReply, 400, 'bad_url', 'The URL is not encoded correctly, or a segment is too long.'),
    bodyLimit: settings.bodyLimit,
    ...timeoutOptions(settings),
    clientErrorHandler: sendClientError,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Long, because slugs in non-Latin scripts are percent-encoded twice.
      maxParamLength: 2000,
      querystringParser: keepQueryText,
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const format = findOtherFormat(fullUrl(request))
    if (format) return sendNoSuchFormat(reply, format)
    return (
      sendNotFoundPage(request, reply, { environment, execute }) ??
      sendError(reply, 404, 'not_found', 'There is nothing at this URL.')
    )
  })
  addLoggedOperation(app)
  if (environment.replicas) sendWritePositions(app, environment.replicas, settings)
  limitUnsentBytes(app, settings)
  sendStoredResponsesFirst(app, environment, operations.stopping)
  limitResponseTime(app, settings)
  addServerTiming(app, environment.db)
  registerMetrics(app, environment, operations)
  registerHealthRoutes(app, operations, environment.replicas)
  addCommonHeaders(app, settings, operations.stopping)
  registerCompression(app, settings)
  refuseUnsupportedLanguageRoots(app)
  const subscriptions = openSubscriptions(app, environment, schema, operations)
  graphqlPlugin(app, environment, schema, subscriptions, () => [...editorDocuments(), ...editLinkDocuments])
  if (settings.graphiql) graphiqlFiles.serve(app)
  if (settings.restEnabled) docsPlugin(app, settings)
  serveImageFiles(app, environment)
  const execute = createExecute(schema, environment)
  restPlugin(app, environment, execute)
  feedsPlugin(app, environment, execute)
  pagesPlugin(app, environment, execute)
  accountPlugin(app, environment, execute)
  discoveryPlugin(app, environment, execute)
  embedPlugin(app, environment, execute)
  registerOEmbedRoute(app, environment, execute)
  return app
}

/** Replaces Fastify's schema compilers, which start slowly. Routes validate parameters themselves. */
function noSchemas(): never {
  throw new Error('JSON schemas of routes are not supported: validate parameters in the route.')
}

/** Sends an error in the REST format for a URL that belongs to no API, because usually a REST client has built that URL. */
const sendError = (reply: FastifyReply, status: number, code: string, message: string) =>
  addVary(reply, 'Accept, Accept-Language')
    .code(status)
    .header('cache-control', 'no-store')
    .send({ code, message, data: { status } })
