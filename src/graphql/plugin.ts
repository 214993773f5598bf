import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  type ExecutionArgs,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  NoSchemaIntrospectionCustomRule,
} from 'graphql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import type { Context, Environment } from '../context.ts'
import { RequestTimeoutError } from '../db/unavailable.ts'
import { writesOf } from '../db/write-outcome.ts'
import {
  acceptedType,
  acceptsEventStream,
  eventStreamType,
  graphqlType,
  prefersEventStream,
} from '../http/accepted-type.ts'
import { mediaType } from '../http/csrf.ts'
import { type Caller, handleCached } from '../http/handle-request.ts'
import { queryOf } from '../http/query-of.ts'
import { operationOf, setLoggedOperation } from '../http/request-log.ts'
import { bodyLimitsOf } from '../http/upload-limits.ts'
import { addVary } from '../http/vary.ts'
import { operationLanguage } from '../language.ts'
import { memoizeOnce } from '../memoize.ts'
import { etagOf, type HttpResponse, type Recorder } from '../response-cache/response-cache.ts'
import { maskError } from './errors.ts'
import { createRun } from './execute.ts'
import { type ExecuteOperation, useCompiledExecution } from './execution/execution.ts'
import { graphiqlPage, wantsGraphiql } from './graphiql/graphiql.ts'
import { executeOnce } from './idempotency.ts'
import { readInContext } from './in-context.ts'
import { costHeader, documentCache, limits, withRateLimitStatus } from './limits/limits.ts'
import { readTrustedDocuments, trustedDocumentsOnly } from './limits/trusted-documents.ts'
import { requestTooLarge, sendAbandoned, sendError, sendThrown, unsupportedRequest } from './request-error-response.ts'
import { requestErrors } from './request-errors.ts'
import { EventStream, singleResult } from './subscriptions/event-stream.ts'
import type { Subscriptions } from './subscriptions/subscriptions.ts'
import { unavailableStatuses } from './unavailable.ts'

interface Transport {
  readonly req: FastifyRequest
  readonly client: Caller
  /** Whether to include the cost in the response. */
  readonly includeCost: boolean
  /** Language in the path, as in `/fr/graphql`. */
  readonly root: string | undefined
  readonly recorder: Recorder | undefined
  /** Whether the client accepts a stream of events. */
  readonly acceptsEvents: boolean
  readonly opened: OpenedStream
}

const graphqlEndpoint = '/graphql'

/** The root is in `Transport`. With the path of its endpoint, Yoga needs not match a pattern. */
const address = `http://localhost${graphqlEndpoint}`

/** Yoga would copy a context of ours property by property, with their descriptors. */
const noContext = undefined as unknown as Transport

const addingToContext = (transports: WeakMap<Request, Transport>): Plugin => ({
  onRequest({ request, serverContext }) {
    Object.assign(serverContext, transports.get(request))
  },
})

/** Takes the stream of a subscription past Yoga, which would copy each event. */
interface OpenedStream {
  stream?: EventStream
}

/** Serves `/graphql` and `/{language}/graphql` by GET and POST. Browsers that request a page get GraphiQL. */
export function graphqlPlugin(
  app: FastifyInstance,
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
): void {
  const { settings, shortage } = environment
  const { bodyLimit, imageBytes } = settings
  const maxUpload = bodyLimit + imageBytes
  const trusted =
    settings.trustedOperations === undefined ? undefined : readTrustedDocuments(settings.trustedOperations)
  const transports = new WeakMap<Request, Transport>()
  const options = {
    schema,
    graphqlEndpoint,
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(error, app.log) },
    parserAndValidationCache: documentCache(),
    extraParamNames: ['documentId'],
    plugins: [
      addingToContext(transports),
      useCompiledExecution(settings.execution),
      limits(environment, schema),
      inContext(environment, schema, createRun(schema, environment.cache, shortage)),
      subscribing(environment, schema, subscriptions),
      unavailableStatuses,
      requestErrors,
      ...(settings.introspection ? [] : [withoutIntrospection]),
    ],
  } satisfies YogaServerOptions<Transport, object>
  /** Yoga is imported at the first request, so that the service starts faster. */
  const load = memoizeOnce(async () => {
    const [{ createYoga }, { createFetch }] = await Promise.all([import('graphql-yoga'), import('@whatwg-node/fetch')])
    const plugins = [...(trusted ? await trustedDocumentsOnly(trusted) : []), ...options.plugins]
    // Requests that Yoga reads itself have the path of the client.
    const anyPath = { ...options, plugins, graphqlEndpoint: '*' }
    // Fastify has already limited the bodies that it reads; counting their bytes again is slow.
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

  const fetchFromYoga = async (req: FastifyRequest, reply: FastifyReply, transport: Transport): Promise<Response> => {
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
    const limits = bodyLimitsOf(transport.client, settings)
    const isUpload = limits.files > 0 && mediaType(req) === 'multipart/form-data'
    const max = isUpload ? maxUpload : bodyLimit
    if (Number(req.headers['content-length'] ?? 0) > max)
      throw requestTooLarge(isUpload ? limits : { ...limits, files: 0 })
    return (isUpload ? uploads : streaming).handleNodeRequestAndResponse(req, reply, transport)
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(json, { parseAs: 'string' }, (_request, text, done) => done(null, text))
    // Yoga reads multipart bodies itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const writes = writesOf(request)
      if (error instanceof RequestTimeoutError && writes.all.length > 0)
        return sendAbandoned(request, writes, error, reply)
      return sendThrown(request, reply, error)
    })
    const wantsPage = (req: FastifyRequest) => settings.graphiql && wantsGraphiql(req)
    for (const root of [undefined, ...settings.languages]) {
      scope.route({
        url: root ? `/${root}/graphql` : '/graphql',
        // Methods that are not supported get an error of GraphQL.
        method: ['GET', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'],
        config: { cacheKey: (req) => (wantsPage(req) || unsupportedRequest(req) ? undefined : cacheKeyOf(req)) },
        handler: (req, reply) => {
          addVary(reply, 'Accept, Authorization, GraphQL-Cost')
          if (wantsPage(req)) {
            return graphiqlPage(reply, settings, root ?? settings.defaultLanguage, environment.now())
          }
          const unsupported = unsupportedRequest(req)
          if (unsupported) return sendError(req, reply, unsupported)
          return handleCached(environment, req, reply, {
            cacheKey: cacheKeyOf(req),
            isShareable: () => isQuery(req),
            async handle(client, recorder) {
              normalizeUrl(req)
              const { accept } = req.headers
              const asEvents = wantsEvents(req)
              // Yoga ignores the weights of media types.
              req.raw.headers.accept = asEvents ? graphqlType : acceptedType(accept)
              const includeCost = req.headers[costHeader] !== undefined
              const acceptsEvents = req.method !== 'HEAD' && acceptsEventStream(accept)
              const opened: OpenedStream = {}
              const transport = { req, client, includeCost, root, recorder, acceptsEvents, opened }
              const response = await fetchFromYoga(req, reply, transport)
              if (opened.stream) return streamResponse(req, reply, opened.stream)
              const result = await toHttpResponse(req, response, client.viewer !== undefined)
              return asEvents ? asEventStream(result) : result
            },
          })
        },
      })
    }
  })
}

/** Yoga builds a URL from the Host header, which may be missing, and the request target, which may be absolute. */
function normalizeUrl({ raw }: FastifyRequest): void {
  raw.headers.host = 'localhost'
  if (/^\/[^/]/.test(raw.url ?? '')) return
  const { pathname, search } = new URL(raw.url ?? '/', 'http://localhost')
  raw.url = pathname + search
}

const json = /^application\/(?:json|graphql|[\w.-]+\+json)(?:;|$)/

/**
 * The cache key: the parts of an anonymous request that its response depends on. Undefined for authenticated requests and
 * long bodies. Mutations get a key, too, but their responses are not cached.
 */
function cacheKeyOf({ method, raw, headers, body }: FastifyRequest): string | undefined {
  if (headers.authorization !== undefined || headers[costHeader] !== undefined) return undefined
  if (prefersEventStream(headers.accept)) return undefined
  const type = acceptedType(headers.accept)
  if (method === 'GET' || method === 'HEAD') return ['GET', raw.url, type].join('\n')
  if (method !== 'POST' || typeof body !== 'string' || body.length > maxCachedBodyLength) return undefined
  return [headers['content-type'], raw.url, type, body].join('\n')
}

/** Characters. */
const maxCachedBodyLength = 20_000

/** Whether the request is certainly a query, so that simultaneous requests can share its response. */
const isQuery = ({ method, body }: FastifyRequest) =>
  method !== 'POST' || (typeof body === 'string' && body.includes('"query"') && !body.includes('mutation'))

/** Converts Yoga's response, so that it is cached and sent like those of the other APIs. */
async function toHttpResponse(request: FastifyRequest, response: Response, isPrivate: boolean): Promise<HttpResponse> {
  const headers: Record<string, string> = {}
  for (const [name, value] of response.headers) if (name !== 'content-length') headers[name] = value
  headers['cache-control'] = isPrivate ? 'private, no-store' : 'no-cache'
  const { buffer, byteOffset, byteLength } = await response.bytes()
  const body = Buffer.from(buffer, byteOffset, byteLength)
  const etag = request.method === 'POST' ? undefined : etagOf(body)
  return { status: response.status, headers, body, etag, operation: operationOf(request) }
}

/** Whether the client wants the result of any operation as a stream of events. */
const wantsEvents = ({ method, headers }: FastifyRequest) => method !== 'HEAD' && prefersEventStream(headers.accept)

/** Statuses that a client has to see even if it accepts only event streams. All other errors are events. */
const streamedErrorStatuses: ReadonlySet<number> = new Set([401, 429, 503, 507])

const eventStreamHeaders = {
  'content-type': `${eventStreamType}; charset=utf-8`,
  'cache-control': 'no-store, no-transform',
  // Otherwise nginx collects events before it sends them.
  'x-accel-buffering': 'no',
}

/** The result of an operation as a stream with one event. */
function asEventStream({ status, headers, body, operation }: HttpResponse): HttpResponse {
  return {
    status: streamedErrorStatuses.has(status) ? status : 200,
    headers: { ...headers, ...eventStreamHeaders },
    body: Buffer.from(singleResult(String(body))),
    etag: undefined,
    operation,
  }
}

function streamResponse(request: FastifyRequest, reply: FastifyReply, stream: EventStream): HttpResponse {
  // The client is gone, or got an error because opening took too long: nothing will read the stream.
  if (reply.sent || reply.raw.destroyed) stream.destroy()
  return {
    status: 200,
    // A connection that became idle while the service stops would delay its end.
    headers: { ...eventStreamHeaders, connection: 'close' },
    body: stream,
    etag: undefined,
    operation: operationOf(request),
  }
}

/** Builds the context of an operation before it executes, because the context depends on the directive @inContext. */
function inContext(
  environment: Environment,
  schema: GraphQLSchema,
  run: ReturnType<typeof createRun>,
): Plugin<object, Transport> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(async (executionArgs) => {
        const { req, client } = args.contextValue as unknown as Transport
        const contextValue = await operationContext(environment, schema, args)
        const request = { ...executionArgs, contextValue }
        const execute = async () => run(request, executeFn as ExecuteOperation)
        return withRateLimitStatus(() =>
          isMutation(args) ? executeOnce(environment, req, client.viewer, args, execute) : execute(),
        )
      })
    },
  }
}

interface OperationArgs extends Pick<ExecutionArgs, 'document' | 'operationName' | 'variableValues'> {
  readonly contextValue?: unknown
}

const isMutation = ({ document, operationName }: OperationArgs) =>
  getOperationAST(document, operationName)?.operation === 'mutation'

function operationContext(environment: Environment, schema: GraphQLSchema, args: OperationArgs): Promise<Context> {
  const { req, client, root, recorder } = args.contextValue as Transport
  const { language, password, forEditing } = readInContext(schema, args)
  const sources = { parameter: queryOf(req).translation_language, directive: language, root }
  setLoggedOperation(req, getOperationAST(args.document, args.operationName)?.name?.value)
  return client.createContext({
    language: operationLanguage(sources, environment.settings),
    password,
    forEditing: forEditing ?? isMutation(args),
    recorder,
  })
}

/** Opens subscriptions. */
function subscribing(
  environment: Environment,
  schema: GraphQLSchema,
  subscriptions: Subscriptions,
): Plugin<object, Transport> {
  return {
    onSubscribe({ args, setSubscribeFn }) {
      setSubscribeFn(async () => {
        const { client, acceptsEvents, opened, recorder } = args.contextValue as unknown as Transport
        recorder?.preventCaching()
        if (!acceptsEvents) throw streamNotAccepted()
        const { document, operationName, variableValues } = args
        const context = await operationContext(environment, schema, args)
        const result = await withRateLimitStatus(() =>
          subscriptions.subscribe({ document, operationName, variableValues }, client, {
            ...context,
            recorder: undefined,
            // Notifications come from the primary, before replicas have the changes.
            chooseSource: undefined,
          }),
        )
        if (!(result instanceof EventStream)) return result
        opened.stream = result
        return { data: null }
      })
    },
  }
}

const streamNotAccepted = () =>
  new GraphQLError(`A subscription is a stream of events: accept ${eventStreamType}.`, {
    extensions: { code: 'NOT_ACCEPTABLE', http: { status: 406 } },
  })

const withoutIntrospection: Plugin = {
  onValidate({ addValidationRule }) {
    addValidationRule(NoSchemaIntrospectionCustomRule)
  },
}
