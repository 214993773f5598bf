// The routes that describe the API: the index of routes and the OpenAPI document (contract a.2, a.3).
import { z } from 'zod'
import { LegacyError } from './errors.ts'
import { openApi } from './openapi.ts'
import { describeRoutes } from './options.ts'
import { type RestRequest, type RestResult, type Route, route } from './route.ts'

/** `allRoutes` returns every route, including these. */
export const namespaceRoutes = (allRoutes: () => readonly Route[]): readonly Route[] => [
  route({
    action: 'read',
    path: '',
    summary: 'Lists every path of the API with its parameters.',
    params: {
      namespace: z.string('text').optional().describe('The only namespace.'),
      context: z.string('text').default('view').describe('Ignored.'),
    },
    handle: async ({ namespace }, request) => {
      if (namespace !== undefined && namespace !== request.settings.restNamespace) throw unknownNamespace()
      return index(allRoutes(), request)
    },
  }),
  route({
    action: 'read',
    path: '/doc',
    summary: 'Describes the API as an OpenAPI document.',
    params: {},
    handle: async (_params, { urls, settings }) => ({ body: openApi(allRoutes(), urls.link('/'), settings) }),
  }),
]

const unknownNamespace = () => new LegacyError(404, 'rest_invalid_namespace', 'This namespace does not exist.')

function index(routes: readonly Route[], { urls, settings }: RestRequest): RestResult {
  const { restNamespace } = settings
  const entries = [...Map.groupBy(routes, ({ path }) => path)].map(([path, routesOfPath]) => {
    const links = path.includes('{') ? {} : { _links: { self: [{ href: urls.link(path) }] } }
    return [`/${restNamespace}${pattern(path)}`, { ...describeRoutes(routesOfPath, settings), ...links }]
  })
  const up = urls.link('').replace(`/${restNamespace}`, '/')
  return { body: { namespace: restNamespace, routes: Object.fromEntries(entries), _links: { up: [{ href: up }] } } }
}

/** A path as a regular expression with named groups, which the contract requires. */
const pattern = (path: string) => path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')
