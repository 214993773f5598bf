import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError, type GraphQLSchema, getOperationAST, NoSchemaIntrospectionCustomRule } from 'graphql'
import type { Plugin, YogaServerOptions } from 'graphql-yoga'
import type { Environment } from '../context.ts'
import { RequestTimeoutError } from '../db/unavailable.ts'
import { type Writes, writesOf } from '../db/write-outcome.ts'
import { mediaType } from '../http/csrf.ts'
import { type Caller, handleCached } from '../http/handle-request.ts'
import { noteOperation, operationOf } from '../http/request-log.ts'
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
import { resultOfAbandoned } from './mutation-outcomes.ts'
import { requestErrors } from './request-errors.ts'
import { unavailableStatuses } from './unavailable.ts'

interface Transport {
  readonly req: FastifyRequest
  readonly client: Caller
  /** Whether the answer is to tell what it cost. */
  readonly includeCost: boolean
  /** Language of the root in the path. */
  readonly root: string | undefined
  readonly recorder: Recorder | undefined
}

/** `/graphql` and `/{language}/graphql`, by GET and POST; a browser that asks for a page gets GraphiQL. */
export function graphqlPlugin(app: FastifyInstance, environment: Environment, schema: GraphQLSchema): void {
  const { settings, shortage } = environment
  const trusted =
    settings.trustedOperations === undefined ? undefined : readTrustedDocuments(settings.trustedOperations)
  const options = {
    schema,
    graphqlEndpoint: '*',
    graphiql: false,
    landingPage: false,
    logging: false,
    cors: false,
    maskedErrors: { maskError: (error) => maskError(error, app.log) },
    parserAndValidationCache: documentCache(),
    extraParamNames: ['documentId'],
    plugins: [
      useCompiledExecution(settings.execution),
      limits(environment, schema),
      inContext(environment, schema, createRun(schema, environment.cache, shortage)),
      unavailableStatuses,
      requestErrors,
      ...(settings.introspection ? [] : [withoutIntrospection]),
    ],
  } satisfies YogaServerOptions<Transport, object>
  /** Loaded for the first request: without it the service starts sooner, for those too who never send GraphQL. */
  const load = memoizeOnce(async () => {
    const { createYoga } = await import('graphql-yoga')
    const plugins = [...(trusted ? await trustedDocumentsOnly(trusted) : []), ...options.plugins]
    return {
      // A body that Fastify has read is short enough: to count its bytes once more takes longer than to read it.
      yoga: createYoga<Transport>({ ...options, plugins, maxRequestBodySize: false }),
      streaming: createYoga<Transport>({ ...options, plugins, maxRequestBodySize: settings.bodyLimit }),
    }
  })

  const fetchFromYoga = async (req: FastifyRequest, reply: FastifyReply, transport: Transport): Promise<Response> => {
    const { method, url, body } = req
    const headers = req.headers as HeadersInit
    const address = `http://localhost${url}`
    const { yoga, streaming } = await load()
    if (typeof body === 'string') return yoga.fetch(address, { method, headers, body }, transport)
    if (method === 'HEAD') return yoga.fetch(address, { headers }, transport)
    return streaming.handleNodeRequestAndResponse(req, reply, transport)
  }

  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(json, { parseAs: 'string' }, (_request, text, done) => done(null, text))
    // Yoga reads other bodies itself.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.setErrorHandler((error, request, reply) => {
      const writes = writesOf(request)
      if (error instanceof RequestTimeoutError && writes.all.length > 0)
        return sendAbandoned(request, writes, error, reply)
      return sendError(request, reply, bodyError(error) ?? maskError(error, app.log))
    })
    for (const root of [undefined, ...settings.languages]) {
      scope.route({
        url: root ? `/${root}/graphql` : '/graphql',
        method: ['GET', 'POST', 'OPTIONS'],
        handler: (req, reply) => {
          addVary(reply, 'Accept, Authorization, GraphQL-Cost')
          if (settings.graphiql && wantsGraphiql(req)) {
            return graphiqlPage(reply, settings, root ?? settings.defaultLanguage, environment.now())
          }
          if (isCrossSiteForm(req) && req.headers['graphql-require-preflight'] === undefined) {
            return sendError(req, reply, unsupportedMediaType())
          }
          return handleCached(environment, req, reply, {
            cacheKey: cacheKeyOf(req),
            isShareable: () => isQuery(req),
            async handle(client, recorder) {
              normalizeUrl(req)
              const tellsCost = req.headers[costHeader] !== undefined
              const response = await fetchFromYoga(req, reply, { req, client, includeCost: tellsCost, root, recorder })
              return toHttpResponse(req, response, client.viewer !== undefined)
            },
          })
        },
      })
    }
  })
}

/** Yoga makes an address of the header Host, which may be none, and of the target, which may be one already. */
function normalizeUrl({ raw }: FastifyRequest): void {
  raw.headers.host = 'localhost'
  if (/^\/[^/]/.test(raw.url ?? '')) return
  const { pathname, search } = new URL(raw.url ?? '/', 'http://localhost')
  raw.url = pathname + search
}

const json = /^application\/(?:json|graphql|[\w.-]+\+json)(?:;|$)/

/**
 * What the answer to a visitor depends on, as it was sent; undefined where it depends on more, or is too long to keep.
 * Whether a query or something else is asked shows only when it is read: nothing else is kept.
 */
function cacheKeyOf({ method, raw, headers, body }: FastifyRequest): string | undefined {
  if (headers.authorization !== undefined || headers[costHeader] !== undefined) return undefined
  if (method === 'GET' || method === 'HEAD') return ['GET', raw.url, headers.accept].join('\n')
  if (method !== 'POST' || typeof body !== 'string' || body.length > maxCachedBodyLength) return undefined
  return [headers['content-type'], raw.url, headers.accept, body].join('\n')
}

/** Characters of a document that is still worth keeping. */
const maxCachedBodyLength = 20_000

/** Whether it is sure enough to be one that it may be run once for several who ask. */
const isQuery = ({ method, body }: FastifyRequest) =>
  method !== 'POST' || (typeof body === 'string' && body.includes('"query"') && !body.includes('mutation'))

/** As any other answer of this service, so that what holds for all holds for it. */
async function toHttpResponse(request: FastifyRequest, response: Response, isPrivate: boolean): Promise<HttpResponse> {
  const headerEntries = [...response.headers].filter(([name]) => name !== 'content-length')
  const headers = {
    ...Object.fromEntries(headerEntries),
    'cache-control': isPrivate ? 'private, no-store' : 'no-cache',
  }
  const body = Buffer.from(await response.arrayBuffer())
  const etag = request.method === 'POST' ? undefined : etagOf(body)
  return { status: response.status, headers, body, etag, operation: operationOf(request) }
}

/** What a page of another site can send with a reader's credentials, unless it has to ask first. */
const isCrossSiteForm = (request: FastifyRequest) => request.method === 'POST' && !json.test(mediaType(request))

/** What is wrong with a body that was not read. */
function bodyError(error: unknown): GraphQLError | undefined {
  const { code, statusCode = 500, message } = error as { code?: unknown; statusCode?: number; message?: string }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return requestError('REQUEST_ENTITY_TOO_LARGE', 'Request body too large')
  if (statusCode === 415) return unsupportedMediaType()
  return statusCode >= 400 && statusCode < 500
    ? requestError('BAD_REQUEST', message ?? 'Unreadable request')
    : undefined
}

const unsupportedMediaType = () =>
  requestError(
    'UNSUPPORTED_MEDIA_TYPE',
    'Send application/json, or a multipart form with the header GraphQL-Require-Preflight.',
  )

const requestError = (code: string, message: string) => new GraphQLError(message, { extensions: { code } })

const statuses: Readonly<Record<string, number>> = {
  BAD_REQUEST: 400,
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  REQUEST_ENTITY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
}

const responseType = 'application/graphql-response+json'

/** An error before any operation: what is wrong with the request as a whole. */
function sendError({ headers }: FastifyRequest, reply: FastifyReply, error: GraphQLError): FastifyReply {
  const { code, retryAfter } = error.extensions
  const status = statuses[String(code)] ?? 500
  if (status === 401) reply.header('www-authenticate', 'Basic realm="events", Bearer')
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendResult(headers, reply, status, { errors: [error] })
}

function sendResult({ accept }: FastifyRequest['headers'], reply: FastifyReply, status: number, result: object) {
  const type = accept?.includes(responseType) ? responseType : 'application/json'
  return reply.code(status).type(`${type}; charset=utf-8`).send(JSON.stringify(result))
}

/** The answer to mutations that took too long: 503 if none was committed, or can be. */
function sendAbandoned({ headers, log }: FastifyRequest, writes: Writes, error: Error, reply: FastifyReply) {
  const { data, errors = [] } = resultOfAbandoned(writes, error)
  const masked = errors.map((each) => maskError(each, log))
  const isSafe = masked.every(({ extensions }) => extensions.committed === false)
  if (isSafe) reply.header('retry-after', '1')
  return sendResult(headers, reply, isSafe ? 503 : 200, { data, errors: masked })
}

/** Builds the context of an operation once it is known which operation runs: its directive has a say in it. */
function inContext(
  environment: Environment,
  schema: GraphQLSchema,
  run: ReturnType<typeof createRun>,
): Plugin<object, Transport> {
  return {
    onExecute({ args, executeFn, setExecuteFn }) {
      setExecuteFn(async (given) => {
        const { req, client, root, recorder } = args.contextValue as unknown as Transport
        const { language, password, forEditing } = readInContext(schema, args)
        const sources = { parameter: languageParameter(req), directive: language, root }
        const running = getOperationAST(args.document, args.operationName)
        noteOperation(req, running?.name?.value)
        const isWriting = running?.operation === 'mutation'
        const contextValue = await client.createContext({
          language: operationLanguage(sources, environment.settings),
          password,
          forEditing: forEditing ?? isWriting,
          recorder,
        })
        const request = { ...given, contextValue }
        const execute = async () => run(request, executeFn as ExecuteOperation)
        return withRateLimitStatus(() =>
          isWriting ? executeOnce(environment, req, client.viewer, args, execute) : execute(),
        )
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
