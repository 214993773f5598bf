import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type GraphQLError, type GraphQLSchema, getOperationAST, NoSchemaIntrospectionCustomRule } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { createContext, type Environment } from '../context.ts'
import { mediaType } from '../cross-site.ts'
import { operationLanguage } from '../language.ts'
import { costHeader, documentCache, limits } from '../limits/graphql.ts'
import type { Client } from '../limits/rates.ts'
import { onlyTrusted } from '../limits/trusted.ts'
import { noteOperation } from '../operations/request-log.ts'
import { graphiqlPage, wantsGraphiql } from '../pages/graphiql.ts'
import { addVary } from '../vary.ts'
import { identifyViewer } from '../viewer.ts'
import { maskError } from './errors.ts'
import { readInContext } from './in-context.ts'
import { run } from './run.ts'
import { unavailableAnswers } from './unavailable.ts'

interface Transport {
  readonly req: FastifyRequest
  readonly client: Client
  /** Whether the answer is to tell what it cost. */
  readonly tellsCost: boolean
  /** Language of the root in the path. */
  readonly root: string | undefined
}

/** `/graphql` and `/{language}/graphql`, by GET and POST; a browser that asks for a page gets GraphiQL. */
export function graphqlPlugin(app: FastifyInstance, environment: Environment, schema: GraphQLSchema): void {
  const { settings } = environment
  const yoga = createYoga<Transport>({
    schema,
    graphqlEndpoint: '*',
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    maxRequestBodySize: settings.bodyLimit,
    maskedErrors: { maskError: (error) => maskError(error, app.log) },
    parserAndValidationCache: documentCache(),
    extraParamNames: ['documentId'],
    plugins: [
      ...(settings.trustedOperations === undefined ? [] : [onlyTrusted(settings.trustedOperations)]),
      limits(environment, schema),
      inContext(environment, schema),
      unavailableAnswers,
      ...(settings.introspection ? [] : [withoutIntrospection]),
    ],
  })

  app.register(async (scope) => {
    // Yoga reads the body itself.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, _request, reply) => answerError(reply, maskError(error, app.log)))
    for (const root of [undefined, ...settings.languages]) {
      scope.route({
        url: root ? `/${root}/graphql` : '/graphql',
        method: ['GET', 'POST', 'OPTIONS'],
        handler: async (req, reply) => {
          addVary(reply, 'Accept, Authorization, GraphQL-Cost')
          if (settings.graphiql && wantsGraphiql(req)) {
            return graphiqlPage(reply, settings, root ?? settings.defaultLanguage, environment.now())
          }
          if (isForm(req) && req.headers['graphql-require-preflight'] === undefined) return refuseForm(reply)
          const viewer = await identifyViewer(environment, req.headers.authorization, req.ip)
          const client = { viewer, address: req.ip }
          plainAddress(req)
          const transport = { req, client, tellsCost: req.headers[costHeader] !== undefined, root }
          const response =
            req.method === 'HEAD'
              ? await yoga.fetch(`http://localhost${req.url}`, { headers: req.headers as HeadersInit }, transport)
              : await yoga.handleNodeRequestAndResponse(req, reply, transport)
          return send(reply, response, viewer !== undefined)
        },
      })
    }
  })
}

/** Yoga makes an address of the header Host, which may be none, and of the target, which may be one already. */
function plainAddress({ raw }: FastifyRequest): void {
  raw.headers.host = 'localhost'
  const { pathname, search } = new URL(raw.url ?? '/', 'http://localhost')
  raw.url = pathname + search
}

/** As any other answer of this service, so that what holds for all holds for it. */
async function send(reply: FastifyReply, response: Response, isPrivate: boolean): Promise<FastifyReply> {
  for (const [name, value] of response.headers) if (name !== 'content-length') reply.header(name, value)
  reply.header('cache-control', isPrivate ? 'private, no-store' : 'no-cache')
  return reply.code(response.status).send(await response.text())
}

/** What a page of another site can send with a reader's credentials, unless it has to ask first. */
const isForm = (request: FastifyRequest) =>
  request.method === 'POST' && !/^application\/(json|graphql|[\w.-]+\+json)$/.test(mediaType(request))

const refuseForm = (reply: FastifyReply) =>
  reply.code(415).send({
    errors: [{ message: 'Send application/json, or a multipart form with the header GraphQL-Require-Preflight.' }],
  })

const statuses: Readonly<Record<string, number>> = { UNAUTHENTICATED: 401, TOO_MANY_REQUESTS: 429, UNAVAILABLE: 503 }

/** An error before any operation: what is wrong with the request as a whole. */
function answerError(reply: FastifyReply, error: GraphQLError): FastifyReply {
  const { code, retryAfter } = error.extensions
  const status = statuses[String(code)] ?? 500
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events", Bearer')
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(status).send({ errors: [error] })
}

/** Builds the context of an operation once it is known which operation runs: its directive has a say in it. */
function inContext(environment: Environment, schema: GraphQLSchema): Plugin<object, Transport> {
  return {
    onExecute({ args, setExecuteFn }) {
      setExecuteFn(async (given) => {
        const { req, client, root } = args.contextValue as unknown as Transport
        const { language, password, forEditing } = readInContext(schema, args)
        const sources = { parameter: languageParameter(req), directive: language, root }
        const running = getOperationAST(args.document, args.operationName)
        noteOperation(req, running?.name?.value)
        const isWriting = running?.operation === 'mutation'
        const operation = {
          viewer: client.viewer,
          language: operationLanguage(sources, environment.settings),
          password,
          forEditing: forEditing ?? isWriting,
        }
        return run({ ...given, schema, contextValue: await createContext(environment, operation) })
      })
    },
  }
}

function languageParameter({ query }: FastifyRequest): unknown {
  const { translation_language } = query as { translation_language?: unknown }
  return translation_language
}

const withoutIntrospection: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule)
  },
}
