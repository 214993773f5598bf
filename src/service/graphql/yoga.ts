// Configures GraphQL Yoga, and passes requests that Fastify has received to Yoga.
import type { FastifyBaseLogger, FastifyReply } from 'fastify'
import { type DocumentNode, type GraphQLSchema, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import { LRUCache } from 'lru-cache'
import { memoizeOnce } from '../../basics/memoize.ts'
import type { Environment } from '../context.ts'
import { mediaTypeOf } from '../http/csrf.ts'
import { bodyLimitsOf } from '../http/upload-limits.ts'
import { maskError } from './errors.ts'
import { createExecutionPlugin, type Transport } from './executing.ts'
import { createLimitsPlugin } from './limits/limits.ts'
import {
  createTrustedDocumentPlugins,
  readTrustedDocuments,
  refusePersistedQueriesPlugin,
} from './limits/trusted-documents.ts'
import { requestTooLargeError } from './request-error-response.ts'
import { requestErrorsPlugin } from './request-errors.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'

const graphqlEndpoint = '/graphql'

/** URL of all requests that are passed to Yoga. `Transport` has the language of the original URL. */
const address = `http://localhost${graphqlEndpoint}`

/** Server context of requests that have none. Not an object, because Yoga would copy all its properties with their descriptors. */
const noContext = undefined as unknown as Transport

const addingToContext = (transports: WeakMap<Request, Transport>): Plugin => ({
  onRequest({ request, serverContext }) {
    Object.assign(serverContext, transports.get(request))
  },
})

/** Returns a function that sends a request to Yoga. */
export function createFetchFromYoga(
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
  log: FastifyBaseLogger,
  readOwnDocuments: () => readonly string[],
) {
  const { settings } = environment
  const { bodyLimit, imageBytes } = settings
  const maxUpload = bodyLimit + imageBytes
  const trusted =
    settings.trustedOperations === undefined
      ? undefined
      : readTrustedDocuments(settings.trustedOperations, readOwnDocuments())
  const transports = new WeakMap<Request, Transport>()
  const options = {
    schema,
    graphqlEndpoint,
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(error, log) },
    parserAndValidationCache: documentCache(),
    extraParamNames: ['documentId'],
    plugins: [
      addingToContext(transports),
      createLimitsPlugin(environment, schema),
      createExecutionPlugin(environment, schema, subscriptions),
      requestErrorsPlugin,
      ...(settings.introspection ? [] : [withoutIntrospection]),
    ],
  } satisfies YogaServerOptions<Transport, object>
  /** Yoga is imported at the first request, so that the service starts faster. */
  const load = memoizeOnce(async () => {
    const [{ createYoga }, { createFetch }] = await Promise.all([import('graphql-yoga'), import('@whatwg-node/fetch')])
    const plugins = [
      ...(trusted ? await createTrustedDocumentPlugins(trusted) : [refusePersistedQueriesPlugin]),
      ...options.plugins,
    ]
    // For requests whose body Yoga parses, such as multipart requests: they keep the URL of the client, so every path must match.
    const anyPath = { ...options, plugins, graphqlEndpoint: '*' }
    // For bodies that Fastify has parsed and limited: without these options, Yoga would count their bytes again, which is slow.
    const limited = { maxRequestBodySize: false, multipart: false } as const
    const { handleRequest, fetchAPI } = createYoga<Transport>({ ...options, ...limited, plugins })
    return {
      handleRequest,
      fetchAPI,
      endpoint: new fetchAPI.URL(address),
      streaming: createYoga<Transport>({ ...anyPath, maxRequestBodySize: bodyLimit }),
      uploads: createYoga<Transport>({
        ...anyPath,
        maxRequestBodySize: maxUpload,
        fetchAPI: createFetch({
          formDataLimits: { fieldSize: bodyLimit, fileSize: imageBytes, fields: 20, files: 10 },
        }),
      }),
    }
  })

  return async (reply: FastifyReply, transport: Transport): Promise<Response> => {
    const { req, client } = transport
    const { method, url, body } = req
    const { handleRequest, fetchAPI, endpoint, streaming, uploads } = await load()
    if (typeof body === 'string' || method === 'HEAD') {
      const query = url.indexOf('?')
      const headers = req.headers as HeadersInit
      const init = typeof body === 'string' ? { method, headers, body } : { headers }
      const request = new fetchAPI.Request(query === -1 ? endpoint : address + url.slice(query), init)
      transports.set(request, transport)
      return handleRequest(request, noContext)
    }
    const limits = bodyLimitsOf(client, settings)
    const isUpload = limits.files > 0 && mediaTypeOf(req) === 'multipart/form-data'
    const max = isUpload ? maxUpload : bodyLimit
    if (Number(req.headers['content-length'] ?? 0) > max)
      throw requestTooLargeError(isUpload ? limits : { ...limits, files: 0 })
    return (isUpload ? uploads : streaming).handleNodeRequestAndResponse(req, reply, transport)
  }
}

const withoutIntrospection: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule)
  },
}

const maxDocuments = 500
const maxDocumentLength = 10_000

/**
 * Creates a cache for parsed and validated documents, in Yoga's format. Long and invalid documents are not cached, because
 * clients can send any number of these documents.
 */
function documentCache() {
  const documents = new LRUCache<string, DocumentNode>({ max: maxDocuments })
  return {
    documentCache: {
      get: (text: string) => documents.get(text),
      set(text: string, document: DocumentNode) {
        if (text.length <= maxDocumentLength) documents.set(text, document)
      },
    },
    errorCache: { get: () => undefined, set: () => {} },
    validationCache: false,
  }
}
