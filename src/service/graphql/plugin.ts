import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { Settings } from '../../basics/env.ts'
import { RequestTimeoutError } from '../../engine/postgres/unavailable.ts'
import { writesOfRequest } from '../../engine/postgres/write-outcome.ts'
import type { Environment } from '../context.ts'
import { acceptedGraphqlType, acceptsEventStream, graphqlType, prefersEventStream } from '../http/accepted-type.ts'
import { handleCached } from '../http/handle-request.ts'
import { fullUrl, languageOfRoot } from '../http/language-root.ts'
import { addVary } from '../http/response-headers.ts'
import { sessionOf } from '../http/session-cookies.ts'
import type { Transport } from './executing.ts'
import { sendGraphiql, wantsGraphiql } from './graphiql/graphiql.ts'
import { streamResponse, toEventStreamResponse, toHttpResponse, wantsEventStream } from './http-response.ts'
import { costHeader } from './limits/limits.ts'
import {
  sendAbandonedMutations,
  sendGraphqlError,
  sendThrownError,
  unsupportedRequestError,
} from './request-error-response.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'
import { createFetchFromYoga } from './yoga.ts'

/**
 * Serves `/graphql` and `/{language}/graphql` by GET and POST. Browsers that request a page get GraphiQL. `readOwnDocuments`
 * returns the documents of the service's own pages.
 */
export function graphqlPlugin(
  app: FastifyInstance,
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
  readOwnDocuments: () => readonly string[],
): void {
  const { settings } = environment
  const fetchFromYoga = createFetchFromYoga(environment, schema, subscriptions, app.log, readOwnDocuments)

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(json, { parseAs: 'string' }, (_request, text, done) => done(null, text))
    // Fastify does not parse other bodies, because Yoga reads multipart bodies itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const writes = writesOfRequest(request)
      if (error instanceof RequestTimeoutError && writes.all.length > 0)
        return sendAbandonedMutations(request, writes, error, reply)
      return sendThrownError(request, reply, error)
    })
    const wantsPage = (req: FastifyRequest) => settings.graphiql && wantsGraphiql(req)
    scope.route({
      url: '/graphql',
      // All methods, so that an unsupported method gets a GraphQL error instead of a 404 of Fastify.
      method: ['GET', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'],
      config: {
        hasLanguageRoots: true,
        // Forms cannot send this header, and scripts of other sites only after a CORS preflight, which allows no cookies.
        acceptsSession: ({ method, headers }) => method === 'POST' && headers['x-requested-with'] !== undefined,
        cacheKey: (req) => (wantsPage(req) || unsupportedRequestError(req) ? undefined : cacheKeyOf(req, settings)),
      },
      handler: (req, reply) => {
        addVary(reply, 'Accept, Authorization, GraphQL-Cost')
        if (wantsPage(req)) {
          return sendGraphiql(reply, settings, languageOfRoot(req) ?? settings.defaultLanguage, environment.now())
        }
        const unsupported = unsupportedRequestError(req)
        if (unsupported) return sendGraphqlError(req, reply, unsupported)
        return handleCached(environment, req, reply, {
          source: 'graphql',
          cacheKey: cacheKeyOf(req, settings),
          isShareable: () => isQuery(req),
          async handle(client, recorder) {
            normalizeUrl(req)
            const { accept } = req.headers
            const asEvents = wantsEventStream(req)
            // One media type, because Yoga ignores the weights (`q`) of several.
            req.raw.headers.accept = asEvents ? graphqlType : acceptedGraphqlType(accept)
            const acceptsEvents = req.method !== 'HEAD' && acceptsEventStream(accept)
            const opened: Transport['opened'] = {}
            const response = await fetchFromYoga(reply, { req, client, recorder, acceptsEvents, opened })
            if (opened.stream) return streamResponse(req, reply, opened.stream)
            const result = await toHttpResponse(req, response, client.isPublic())
            return asEvents ? toEventStreamResponse(result) : result
          },
        })
      },
    })
  })
}

/**
 * Returns the cache key: the parts of an anonymous request on which its response depends. Undefined for authenticated requests
 * and long bodies. Mutations get a key, too, but their responses are not cached.
 */
function cacheKeyOf(request: FastifyRequest, settings: Settings): string | undefined {
  const { method, headers, body } = request
  if (headers.authorization !== undefined || sessionOf(request, settings) !== undefined) return undefined
  if (headers[costHeader] !== undefined) return undefined
  if (prefersEventStream(headers.accept)) return undefined
  const type = acceptedGraphqlType(headers.accept)
  if (method === 'GET' || method === 'HEAD') return ['GET', fullUrl(request), type].join('\n')
  if (method !== 'POST' || typeof body !== 'string' || body.length > maxCachedBodyLength) return undefined
  return [headers['content-type'], fullUrl(request), type, body].join('\n')
}

/** Maximum characters of a request body in a cache key. */
const maxCachedBodyLength = 20_000

/** Whether the request is certainly a query, so that simultaneous requests can share its response. */
const isQuery = ({ method, body }: FastifyRequest) =>
  method !== 'POST' || (typeof body === 'string' && body.includes('"query"') && !body.includes('mutation'))

/** Lets Yoga build a URL from the Host header and the request target: the header may be missing, and the target absolute. */
function normalizeUrl({ raw }: FastifyRequest): void {
  raw.headers.host = 'localhost'
  if (/^\/[^/]/.test(raw.url ?? '')) return
  const { pathname, search } = new URL(raw.url ?? '/', 'http://localhost')
  raw.url = pathname + search
}

const json = /^application\/(?:json|graphql|[\w.-]+\+json)(?:;|$)/
