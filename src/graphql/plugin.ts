import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { execute, type GraphQLError, type GraphQLSchema, NoSchemaIntrospectionCustomRule } from 'graphql'
import { createYoga, type Plugin } from 'graphql-yoga'
import { createContext, type Environment } from '../context.ts'
import { operationLanguage } from '../language.ts'
import { graphiqlPage, wantsGraphiql } from '../pages/graphiql.ts'
import { identifyViewer } from '../viewer.ts'
import { maskError } from './errors.ts'
import { readInContext } from './in-context.ts'

interface Transport {
  readonly req: FastifyRequest
  readonly reply: FastifyReply
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
    maxRequestBodySize: settings.bodyLimit,
    maskedErrors: { maskError: (error) => maskError(error, app.log) },
    plugins: [inContext(environment, schema), ...(settings.introspection ? [] : [withoutIntrospection])],
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
        handler: (req, reply) => {
          if (settings.graphiql && wantsGraphiql(req)) {
            return graphiqlPage(reply, settings.siteName, root ?? settings.defaultLanguage)
          }
          identifyViewer(req.headers.authorization)
          return yoga.handleNodeRequestAndResponse(req, reply, { req, reply, root })
        },
      })
    }
  })
}

/** An error before any operation: what is wrong with the request as a whole. */
function answerError(reply: FastifyReply, error: GraphQLError): FastifyReply {
  const refused = error.extensions.code === 'UNAUTHENTICATED'
  if (refused) reply.header('www-authenticate', 'Basic realm="events", Bearer')
  return reply.code(refused ? 401 : 500).send({ errors: [error] })
}

/** Builds the context of an operation once it is known which operation runs: its directive has a say in it. */
function inContext(environment: Environment, schema: GraphQLSchema): Plugin<object, Transport> {
  return {
    onExecute({ args, setExecuteFn }) {
      setExecuteFn(async (given) => {
        const { req, root } = args.contextValue as unknown as Transport
        const { language, password } = readInContext(schema, args)
        const sources = { parameter: languageParameter(req), directive: language, root }
        const operation = { language: operationLanguage(sources, environment.settings), password }
        return execute({ ...given, schema, contextValue: await createContext(environment, operation) })
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
