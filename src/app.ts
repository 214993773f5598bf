import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import qs from 'qs'
import type { Environment } from './context.ts'
import { createExecute } from './graphql/execute.ts'
import { graphqlPlugin } from './graphql/plugin.ts'
import { createSchema } from './graphql/schema.ts'
import { answerFault, commonHeaders, timeouts } from './limits/http.ts'
import { createRates } from './limits/rates.ts'
import { missingPage } from './pages/answer.ts'
import { docsPlugin } from './pages/docs.ts'
import { graphiqlFiles } from './pages/graphiql.ts'
import { imageFiles } from './pages/images.ts'
import { pagesPlugin } from './pages/plugin.ts'
import { restPlugin } from './rest/plugin.ts'

/** The whole service but for its process: what tests talk to, and what server.ts listens with. */
export function buildApp(given: Omit<Environment, 'rates'>): FastifyInstance {
  const { settings } = given
  const environment: Environment = { ...given, rates: createRates(settings) }
  const schema = createSchema(settings.languages)
  const app = Fastify({
    logger: { level: settings.logLevel, serializers: { req: logRequest } },
    trustProxy: settings.trustProxy,
    frameworkErrors: (error, _request, reply) => refuse(reply as FastifyReply, 400, 'bad_url', error.message),
    bodyLimit: settings.bodyLimit,
    ...timeouts(settings),
    clientErrorHandler: answerFault,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Slugs of other scripts are percent-encoded twice over.
      maxParamLength: 2000,
      querystringParser: (text) => qs.parse(text, { duplicates: 'last', parameterLimit: 2000, arrayLimit: 1000 }),
    },
  })
  app.setNotFoundHandler(
    (request, reply) =>
      missingPage(request, reply, settings) ?? refuse(reply, 404, 'not_found', 'There is nothing at this address.'),
  )
  commonHeaders(app, settings)
  graphqlPlugin(app, environment, schema)
  if (settings.graphiql) graphiqlFiles.serve(app)
  if (settings.restEnabled) docsPlugin(app, settings)
  imageFiles(app, settings.imagesDir)
  const execute = createExecute(schema)
  restPlugin(app, environment, execute)
  pagesPlugin(app, environment, execute)
  return app
}

/** What belongs to no door is answered as the legacy one does: its clients are those that guess addresses. */
const refuse = (reply: FastifyReply, status: number, code: string, message: string) =>
  reply.code(status).send({ code, message, data: { status } })

/** The path alone: a query may hold the password of a record. */
function logRequest({ method, url, ip }: FastifyRequest) {
  return { method, path: url.split('?', 1)[0], ip }
}
