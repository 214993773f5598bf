// Registers the REST API, also below each language, such as `/fr`.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { DomainError, forbiddenError } from '../../basics/errors.ts'
import { operationLanguage } from '../../basics/language.ts'
import { etagOf, type HttpResponse, type ResponseRecorder } from '../../engine/cache/response-cache.ts'
import type { Context, Environment } from '../../service/context.ts'
import type { Execute } from '../../service/graphql/execute.ts'
import { isForgeable } from '../../service/http/csrf.ts'
import { handleRead, readCacheKey } from '../../service/http/handle-read.ts'
import { type Caller, cacheControlOf, handleCached } from '../../service/http/handle-request.ts'
import { type ResponseStorage, readIdempotencyKey, replayedHeader, runOnce } from '../../service/http/idempotency.ts'
import { fullUrl, languageOfRoot, rootPrefix } from '../../service/http/language-root.ts'
import { queryOf } from '../../service/http/query-of.ts'
import { addVary } from '../../service/http/response-headers.ts'
import { type BodyLimits, bodyLimitsOf } from '../../service/http/upload-limits.ts'
import { toRequestError } from '../../service/http/write-errors.ts'
import { readBodyParams, registerBodyParsers, toBodyError } from './body.ts'
import {
  internalError,
  invalidParamsError,
  jsonContentType,
  noRouteError,
  sendJson,
  sendLegacyError,
  toCommittedWriteBody,
  toLegacyError,
} from './errors.ts'
import { allowedMethodsOf, describeRoutes } from './options.ts'
import { findDateRangeErrors, languageOfParams, type Params, type ParamsShape, readParams } from './params.ts'
import { createDiscoveryApi, createLegacyPlatformApi } from './platform/discovery.ts'
import { httpMethods, type RestApi, type RestRequest, type RestResult, type Route } from './route.ts'
import { createRestRoutes } from './routes.ts'
import { createLinkBuilder } from './urls.ts'

interface RestRoot extends RestApi {
  readonly environment: Environment
  readonly execute: Execute
  /** Path of the API, without a language: `/cal/events/v1`. */
  readonly prefix: string
}

export function restPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  for (const api of apisOf(environment.settings)) {
    const prefix = `${environment.settings.restPrefix}${api.namespace === '' ? '' : `/${api.namespace}`}`
    const root: RestRoot = { ...api, environment, execute, prefix }
    // Reads have a separate Fastify scope: the multipart parser of writes adds hooks to each request of its scope.
    app.register(async (scope) => registerReads(scope, root), { prefix })
    app.register(async (scope) => registerWrites(scope, root), { prefix })
  }
}

function apisOf(settings: Settings): readonly RestApi[] {
  const { restNamespace, restHeaderPrefix, legacyAddresses } = settings
  const contract = { namespace: restNamespace, routes: createRestRoutes(settings), headerPrefix: restHeaderPrefix }
  if (!legacyAddresses) return [contract]
  const described = [contract, createLegacyPlatformApi(settings)]
  return [...described, createDiscoveryApi(described)]
}

function registerReads(scope: FastifyInstance, root: RestRoot): void {
  const { routes, namespace } = root
  const { settings } = root.environment
  if (!settings.restEnabled) return
  for (const [path, routesOfPath] of Map.groupBy(routes, (route) => route.path)) {
    const allow = [...allowedMethodsOf(routesOfPath), 'HEAD', 'OPTIONS'].join(', ')
    scope.options(urlOf(path), { config: { hasLanguageRoots: true } }, async (_request, reply) =>
      sendJson(reply.header('allow', allow), 200, describeRoutes(routesOfPath, namespace, settings)),
    )
  }
  for (const route of routes) if (route.action === 'read') registerRoute(scope, route, root)
}

function registerWrites(scope: FastifyInstance, root: RestRoot): void {
  scope.setNotFoundHandler(async (_request, reply) => sendLegacyError(noRouteError(), reply))
  // If the API is disabled, every path is an unknown route (contract c.11).
  if (!root.environment.settings.restEnabled) return
  registerBodyParsers(scope, { keepOthers: root.routes.some((route) => route.bodyParams) })
  for (const route of root.routes) if (route.action !== 'read') registerRoute(scope, route, root)
}

const urlOf = (path: string) => path.replace('{id}', ':id(^\\d+$)').replace('{slug}', ':slug')

function registerRoute(scope: FastifyInstance, route: Route, root: RestRoot): void {
  scope.route({
    url: urlOf(route.path),
    method: [...httpMethods[route.action]],
    config: { hasLanguageRoots: true, ...(route.action === 'read' && { cacheKey: readCacheKey }) },
    errorHandler: (error, request, reply) => sendError(error, route, request, reply, root),
    handler: (request, reply) => handleRoute(route, request, reply, root),
  })
}

function sendError(thrown: unknown, route: Route, request: FastifyRequest, reply: FastifyReply, root: RestRoot) {
  const { resource, action, path, toError } = route
  const isWrite = action !== 'read'
  const error = toRequestError(thrown, request, isWrite)
  if (error instanceof DomainError && error.code === 'COMMITTED_UNREADABLE') {
    request.log.error({ err: error }, 'a write was committed, but its record could not be read back')
    const status = action === 'create' ? 201 : 200
    const { publicUrl } = root.environment.settings
    if (status === 201)
      reply.header('location', `${publicUrl}${rootPrefix(request)}${root.prefix}${path}/${error.data.databaseId}`)
    return sendJson(reply.header('cache-control', cacheControlOf(false)), status, toCommittedWriteBody(error, status))
  }
  const legacyError = toError?.(error) ?? toLegacyError(error, resource, isWrite) ?? toBodyError(error)
  return sendLegacyError(legacyError ?? internalError(), reply, error)
}

function handleRoute(route: Route, request: FastifyRequest, reply: FastifyReply, root: RestRoot) {
  const { environment } = root
  const run = async (caller: Caller, recorder: ResponseRecorder | undefined) => {
    const params = await rawParams(route, request, bodyLimitsOf(caller, environment.settings))
    const result = () => runRoute(route, params, caller, recorder, request, root)
    return route.action === 'read' ? result() : runIdempotentWrite(params, request, caller.viewer, environment, result)
  }
  if (route.action === 'read') return handleRead(environment, request, reply, 'rest', run)
  addVary(reply, 'Authorization')
  if (isForgeable(request, environment.settings)) throw forbiddenError('Cross-site form submissions are not allowed.')
  return handleCached(environment, request, reply, {
    ...{ source: 'rest', cacheKey: undefined, rateLimit: 'write', isShareable: () => true },
    handle: run,
  })
}

async function runRoute(
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  caller: Caller,
  recorder: ResponseRecorder | undefined,
  request: FastifyRequest,
  { environment, execute, prefix, headerPrefix }: RestRoot,
): Promise<HttpResponse> {
  const { settings } = environment
  const { values, errors: valueErrors } = readParams(route.params, raw, route.required)
  const dateErrors = findDateRangeErrors(values, environment.now())
  const validValues = Object.entries(values).filter(([name]) => !(name in dateErrors))
  const params = Object.fromEntries(validValues) as Params<ParamsShape>
  const errors = { ...route.checkCombination?.(params), ...dateErrors, ...valueErrors }
  const isInvalid = Object.keys(errors).length > 0
  if (isInvalid && !route.checkReferences && route.action === 'read') throw invalidParamsError(errors)
  const languageParam = languageOfParams(params)
  const password = params.password as string | undefined
  const language = operationLanguage({ parameter: languageParam?.value, root: languageOfRoot(request) }, settings)
  const forEditing = route.action !== 'read' || params.context === 'edit'
  const context = await caller.createContext({
    language,
    password,
    forEditing,
    recorder,
    checksOnly: isInvalid,
  })
  const rest = `${settings.publicUrl}${rootPrefix(request)}${prefix}`
  const urls = createLinkBuilder({ rest, site: settings.pagesUrl, language: languageParam })
  const restRequest: RestRequest = { context, settings, execute, urls }
  if (isInvalid)
    throw invalidParamsError({ ...(await graphqlParamErrors(route, params, restRequest, errors)), ...errors })
  const result = await route.handle(params, restRequest)
  if (recorder && result.expiresAt) recorder.expiresAt(result.expiresAt())
  const headers = {
    'content-type': jsonContentType,
    'content-language': result.language ?? language,
    'cache-control': cacheControlOf(caller.isPublic() && route.action === 'read'),
    ...result.headers,
    ...totalHeaders(result, headerPrefix),
  }
  const body = Buffer.isBuffer(result.body) ? result.body : Buffer.from(JSON.stringify(result.body))
  return { status: result.status ?? 200, headers, body, etag: route.action === 'read' ? etagOf(body) : undefined }
}

/** Returns parameter errors that only GraphQL finds, such as IDs of missing records. Mutations only check their input. */
async function graphqlParamErrors(
  route: Route,
  params: Params<ParamsShape>,
  request: RestRequest,
  errors: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const isRead = route.action === 'read'
  try {
    await (isRead ? route.checkReferences?.(params, request) : route.handle(params, request))
  } catch (error) {
    const legacyError = toLegacyError(error, route.resource, !isRead)
    if (legacyError?.code === 'rest_invalid_param') {
      const entries = Object.entries(legacyError.data.params as Readonly<Record<string, string>>)
      const omitted = route.validatedTogether?.some((name) => name in errors) ? route.validatedTogether : []
      return Object.fromEntries(entries.filter(([name]) => !omitted.includes(name)))
    }
    // Invalid parameters of a write take precedence over missing permissions (contract b.2).
    if (isRead || !legacyError || legacyError.status >= 500) throw error
  }
  return {}
}

/** Parameters of the path take precedence over those of the body, and these over those of the query (QUIRK-2). */
async function rawParams(route: Route, request: FastifyRequest, limits: BodyLimits): Promise<Record<string, unknown>> {
  const body = route.action === 'read' ? {} : await (route.bodyParams ?? readBodyParams)(request, limits)
  const { id, slug } = request.params as { id?: string; slug?: string }
  const path = { ...(id === undefined ? {} : { id }), ...(slug === undefined ? {} : { [pathSlugName(route)]: slug }) }
  return { ...queryOf(request), ...body, ...path }
}

/** The body of an edit has its own `slug`, so the slug in the path is called `current_slug`. */
const pathSlugName = ({ action }: Route) => (action === 'edit' ? 'current_slug' : 'slug')

const totalHeaders = ({ totals }: RestResult, prefix: string) =>
  totals && { [`${prefix}-Total`]: String(totals[0]), [`${prefix}-TotalPages`]: String(totals[1]) }

const storage: ResponseStorage<HttpResponse> = {
  encode: ({ status, headers, body }) => ({ status, headers, body: body.toString() }),
  decode: ({ status, headers, body }) => ({ status, headers, body: Buffer.from(body), etag: undefined }),
}

/** Runs a write. A request that repeats an Idempotency-Key gets the stored response of the first one. */
async function runIdempotentWrite(
  params: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  viewer: Context['viewer'],
  environment: Environment,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  // Anonymous requests cannot write, so their Idempotency-Key has no effect.
  if (key === undefined || !viewer) return run()
  const [path = ''] = fullUrl(request).split('?')
  const fingerprint = [request.method, path, params]
  const { result, isReplayed } = await runOnce(environment, { request, viewer, key, fingerprint, storage, run })
  return isReplayed ? { ...result, headers: { ...result.headers, [replayedHeader]: 'true' } } : result
}
