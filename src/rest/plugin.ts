// The legacy contract on every root; the only file that knows where in the URL space it lies.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createContext, type Environment } from '../context.ts'
import type { Execute } from '../graphql/execute.ts'
import { operationLanguage } from '../language.ts'
import { identifyViewer } from '../viewer.ts'
import { categoryRoutes } from './categories/routes.ts'
import { errorBody, internalError, noRoute, toLegacyError } from './errors.ts'
import { eventRoutes } from './events/routes.ts'
import { describeRoute } from './options.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { languageParam, readParams, type Shape } from './params.ts'
import type { Answer, Route } from './route.ts'
import { tagRoutes } from './tags/routes.ts'
import { createUrls } from './urls.ts'
import { venueRoutes } from './venues/routes.ts'

const routes: readonly Route[] = [...eventRoutes, ...venueRoutes, ...organizerRoutes, ...categoryRoutes, ...tagRoutes]

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
  for (const root of [undefined, ...languages]) {
    const prefix = `${root ? `/${root}` : ''}${restPrefix}/${restNamespace}`
    app.register(async (scope) => registerRoot(scope, { environment, execute, prefix, root }), { prefix })
  }
}

function registerRoot(scope: FastifyInstance, door: Door): void {
  scope.setNotFoundHandler(async (_request, reply) => send(reply, noRoute().status, errorBody(noRoute())))
  for (const route of routes) {
    const url = route.path.replace('{id}', ':id(^\\d+$)').replace('{slug}', ':slug')
    const errorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const known = toLegacyError(error, route.resource)
      if (!known) request.log.error({ err: error }, 'unexpected error in a REST request')
      const answer = known ?? internalError()
      if (answer.status === 401) reply.header('www-authenticate', 'Basic realm="events", Bearer')
      return send(reply, answer.status, errorBody(answer))
    }
    scope.get(url, { errorHandler }, (request, reply) => handle(route, request, reply, door))
    scope.options(url, async (_request, reply) =>
      send(reply.header('allow', 'GET, HEAD, OPTIONS'), 200, describeRoute(route, door.environment.settings)),
    )
  }
}

async function handle(route: Route, request: FastifyRequest, reply: FastifyReply, door: Door): Promise<FastifyReply> {
  const { environment, execute, prefix, root } = door
  const { settings } = environment
  identifyViewer(request.headers.authorization)
  const shape: Shape = { ...route.params, translation_language: languageParam(settings.languages) }
  const params = readParams(shape, { ...(request.query as object), ...(request.params as object) })
  const asked = params.translation_language as string | undefined
  const password = params.password as string | undefined
  const language = operationLanguage({ parameter: asked, root }, settings)
  const context = await createContext(environment, { language, password })
  const urls = createUrls({ rest: `${settings.publicUrl}${prefix}`, site: settings.pagesUrl, language: asked })
  const answer = await route.answer(params, { context, settings, execute, urls })
  reply.headers({
    'content-language': language,
    vary: 'Authorization',
    'cache-control': password === undefined ? 'no-cache' : 'private, no-store',
    ...totalHeaders(answer, settings.restHeaderPrefix),
  })
  return send(reply, 200, answer.body)
}

const totalHeaders = ({ totals }: Answer, prefix: string) =>
  totals && { [`${prefix}-Total`]: String(totals[0]), [`${prefix}-TotalPages`]: String(totals[1]) }

const send = (reply: FastifyReply, status: number, body: unknown): FastifyReply =>
  reply.code(status).type('application/json; charset=UTF-8').send(JSON.stringify(body))
