import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import qs from 'qs'
import type { Environment } from './context.ts'
import { createExecute } from './graphql/execute.ts'
import { graphqlPlugin } from './graphql/plugin.ts'
import { createSchema } from './graphql/schema.ts'
import { answerFault, commonHeaders } from './limits/http.ts'
import { createRates } from './limits/rates.ts'
import { limitAnswers, timeouts } from './limits/timeouts.ts'
import { limitUnsent } from './limits/unsent.ts'
import { type Operations, operate } from './operations/operations.ts'
import { logging } from './operations/request-log.ts'
import { missingPage } from './pages/answer.ts'
import { docsPlugin } from './pages/docs.ts'
import { graphiqlFiles } from './pages/graphiql.ts'
import { imageFiles } from './pages/images.ts'
import { pagesPlugin } from './pages/plugin.ts'
import { createRecordPasswords } from './record-passwords.ts'
import { restPlugin } from './rest/plugin.ts'
import { addVary } from './vary.ts'

/** The whole service but for its process: what tests talk to, and what start.ts listens with. */
export function buildApp(
  given: Omit<Environment, 'rates' | 'passwords' | 'shortage'>,
  operations: Operations,
): FastifyInstance {
  const { settings } = given
  const environment: Environment = {
    ...given,
    rates: createRates(settings),
    passwords: createRecordPasswords(settings),
    shortage: operations.database.shortage,
  }
  const schema = createSchema(settings.languages)
  const app = Fastify({
    ...logging(settings.logLevel),
    trustProxy: settings.trustProxy,
    frameworkErrors: (_error, _request, reply) =>
      refuse(reply as FastifyReply, 400, 'bad_url', 'The address is not encoded well, or a part of it is too long.'),
    bodyLimit: settings.bodyLimit,
    ...timeouts(settings),
    clientErrorHandler: answerFault,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
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
  limitAnswers(app, settings)
  limitUnsent(app, settings)
  operate(app, environment, operations)
  commonHeaders(app, settings)
  graphqlPlugin(app, environment, schema)
  if (settings.graphiql) graphiqlFiles.serve(app)
  if (settings.restEnabled) docsPlugin(app, settings)
  imageFiles(app, settings.imagesDir)
  const execute = createExecute(schema, environment.cache, settings.execution, environment.shortage)
  restPlugin(app, environment, execute)
  pagesPlugin(app, environment, execute)
  return app
}

/** Parameters are read by tables of their own: what Fastify compiles JSON schemas with need not be loaded at each start. */
function noSchemas(): never {
  throw new Error('Routes have no JSON schemas here')
}

/** What belongs to no door is answered as the legacy one does: its clients are those that guess addresses. */
const refuse = (reply: FastifyReply, status: number, code: string, message: string) =>
  addVary(reply, 'Accept, Accept-Language')
    .code(status)
    .header('cache-control', 'no-store')
    .send({ code, message, data: { status } })
