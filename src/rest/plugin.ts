// The legacy contract on every root; the only file that knows where in the URL space it lies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Environment } from '../context.ts'
import { DomainError, forbidden } from '../errors.ts'
import type { Execute } from '../graphql/execute.ts'
import { isForgeable } from '../http/csrf.ts'
import { type Caller, handleCached } from '../http/handle-request.ts'
import { addVary } from '../http/vary.ts'
import { toRequestError } from '../http/write-errors.ts'
import { operationLanguage } from '../language.ts'
import type { HttpResponse as Bytes, Recorder } from '../response-cache/response-cache.ts'
import { bodyParams, readBodies, unreadable } from './body.ts'
import { committedBody, errorBody, internalError, invalidParams, noRoute, toLegacyError } from './errors.ts'
import { runIdempotentWrite } from './idempotency.ts'
import { toJson } from './json.ts'
import { allowed, describeRoutes } from './options.ts'
import { type Params, readParams, type Shape, unreachableDates } from './params.ts'
import { type Answer, methods, type RestRequest, type Route } from './route.ts'
import { restRoutes } from './routes.ts'
import { createUrls } from './urls.ts'

interface Door {
  readonly environment: Environment
  readonly execute: Execute
  /** Where this root lies: `/fr/cal/events/v1`. */
  readonly prefix: string
  /** Language of the root; undefined for the one that has none in its path. */
  readonly root: string | undefined
}

export function restPlugin(app: FastifyInstance, environment: Environment, execute: Execute): void {
  const { languages, restPrefix, restNamespace } = environment.settings
  const routes = restRoutes(languages)
  for (const root of [undefined, ...languages]) {
    const prefix = `${root ? `/${root}` : ''}${restPrefix}/${restNamespace}`
    app.register(async (scope) => registerRoot(scope, routes, { environment, execute, prefix, root }), { prefix })
  }
}

function registerRoot(scope: FastifyInstance, routes: readonly Route[], door: Door): void {
  scope.setNotFoundHandler(async (_request, reply) => send(reply, noRoute().status, errorBody(noRoute())))
  // Switched off, it has no routes, and says so as for any other that is unknown (contract c.11).
  if (!door.environment.settings.restEnabled) return
  readBodies(scope)
  const { settings } = door.environment
  for (const [path, those] of Map.groupBy(routes, (route) => route.path)) {
    const url = path.replace('{id}', ':id(^\\d+$)').replace('{slug}', ':slug')
    const allow = [...allowed(those), 'HEAD', 'OPTIONS'].join(', ')
    scope.options(url, async (_request, reply) =>
      send(reply.header('allow', allow), 200, describeRoutes(those, settings)),
    )
    for (const route of those) {
      scope.route({
        url,
        method: [...methods[route.action]],
        errorHandler: (error, request, reply) => refuse(error, route, request, reply, door),
        handler: (request, reply) => handle(route, request, reply, door),
      })
    }
  }
}

function refuse(thrown: unknown, route: Route, request: FastifyRequest, reply: FastifyReply, door: Door): FastifyReply {
  const { resource, action } = route
  const isWrite = action !== 'read'
  const error = toRequestError(thrown, request, isWrite)
  if (error instanceof DomainError && error.code === 'COMMITTED_UNREADABLE') {
    request.log.error({ err: error }, 'a write was committed, but its record could not be read back')
    const status = successOf(route)
    const { publicUrl } = door.environment.settings
    if (status === 201) reply.header('location', `${publicUrl}${door.prefix}/${resource}/${error.data.databaseId}`)
    return send(reply.header('cache-control', 'private, no-store'), status, committedBody(error, status))
  }
  const answer = toLegacyError(error, resource, isWrite) ?? unreadable(error) ?? internalError()
  if (answer.status >= 500) request.log.error({ err: error }, 'a REST request could not be answered')
  if (answer.status === 401) reply.header('www-authenticate', 'Basic realm="events", Bearer')
  if (answer.data.retry_after !== undefined) reply.header('retry-after', String(answer.data.retry_after))
  return send(reply, answer.status, errorBody(answer))
}

const successOf = ({ action }: Route) => (action === 'create' ? 201 : 200)

function handle(route: Route, request: FastifyRequest, reply: FastifyReply, door: Door) {
  const { environment } = door
  addVary(reply, 'Authorization')
  const isRead = route.action === 'read'
  if (!isRead && isForgeable(request, environment.settings)) throw forbidden('Forms of other sites are not taken.')
  return handleCached(environment, request, reply, {
    // All that the answer to a visitor depends on stands in the address.
    cacheKey: isRead && request.headers.authorization === undefined ? request.raw.url : undefined,
    rateLimit: isRead ? 'read' : 'write',
    isShareable: () => true,
    async handle(caller, recorder) {
      const given = await givenParams(route, request)
      const answer = () => answerTo(route, given, caller, recorder, door)
      return isRead ? answer() : runIdempotentWrite(given, request, caller.viewer, environment, answer)
    },
  })
}

async function answerTo(
  route: Route,
  given: Readonly<Record<string, unknown>>,
  caller: Caller,
  recorder: Recorder | undefined,
  { environment, execute, prefix, root }: Door,
): Promise<Bytes> {
  const { settings } = environment
  const { values, wrong } = readParams(route.params, given, route.required)
  const unreachable = unreachableDates(values, environment.now())
  const reachable = Object.entries(values).filter(([name]) => !(name in unreachable))
  const params = Object.fromEntries(reachable) as Params<Shape>
  const errors = { ...route.check?.(params), ...unreachable, ...wrong }
  const isWrong = Object.keys(errors).length > 0
  if (isWrong && !route.named && route.action === 'read') throw invalidParams(errors)
  const asked = params.translation_language as string | undefined
  const password = params.password as string | undefined
  const language = operationLanguage({ parameter: asked, root }, settings)
  const forEditing = route.action !== 'read' || params.context === 'edit'
  const context = await caller.createContext({ language, password, forEditing, recorder, checksOnly: isWrong })
  const urls = createUrls({ rest: `${settings.publicUrl}${prefix}`, site: settings.pagesUrl, language: asked })
  const work: RestRequest = { context, settings, execute, urls }
  if (isWrong) throw invalidParams({ ...(await alsoWrong(route, params, work, errors)), ...errors })
  const answer = await route.answer(params, work)
  if (recorder && answer.until) recorder?.expiresAt(answer.until())
  const isPublic = caller.viewer === undefined && password === undefined && route.action === 'read'
  const headers = {
    'content-type': json,
    'content-language': answer.language ?? language,
    'cache-control': isPublic ? 'no-cache' : 'private, no-store',
    ...totalHeaders(answer, settings.restHeaderPrefix),
  }
  const { bytes, etag } = toJson(answer.body)
  return { status: answer.status ?? 200, headers, body: bytes, etag: route.action === 'read' ? etag : undefined }
}

/**
 * What the graph finds wrong beside what is wrong already, such as records that parameters name and that do not exist.
 * Of a write it tells those who may write, and writes nothing.
 */
async function alsoWrong(
  route: Route,
  params: Params<Shape>,
  work: RestRequest,
  errors: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, string>>> {
  const isRead = route.action === 'read'
  try {
    await (isRead ? route.named?.(params, work) : route.answer(params, work))
  } catch (error) {
    const answer = toLegacyError(error, route.resource, !isRead)
    if (answer?.code === 'rest_invalid_param') {
      const found = Object.entries(answer.data.params as Readonly<Record<string, string>>)
      const unsaid = route.together?.some((name) => name in errors) ? route.together : []
      return Object.fromEntries(found.filter(([name]) => !unsaid.includes(name)))
    }
    // Of a write, what is wrong already goes before permission and all that only its handler finds (contract b.2).
    if (isRead || !answer || answer.status >= 500) throw error
  }
  return {}
}

/** The body goes before the query; the path alone says which record is meant (QUIRK-2). */
async function givenParams(route: Route, request: FastifyRequest): Promise<Record<string, unknown>> {
  const body = route.action === 'read' ? {} : await bodyParams(request)
  const { id, slug } = request.params as { id?: string; slug?: string }
  const path = { ...(id === undefined ? {} : { id }), ...(slug === undefined ? {} : { [pathSlugName(route)]: slug }) }
  return { ...(request.query as object), ...body, ...path }
}

/** An event's body has a slug of its own, which renames; the one in the path goes by another name then. */
const pathSlugName = ({ action }: Route) => (action === 'edit' ? 'current_slug' : 'slug')

const totalHeaders = ({ totals }: Answer, prefix: string) =>
  totals && { [`${prefix}-Total`]: String(totals[0]), [`${prefix}-TotalPages`]: String(totals[1]) }

const json = 'application/json; charset=UTF-8'

const send = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).type(json).send(JSON.stringify(body))
