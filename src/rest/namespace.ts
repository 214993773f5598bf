// What the door says of itself: the index of its routes, and its documentation (contract a.2, a.3).
import { z } from 'zod'
import { LegacyError } from './errors.ts'
import { openApi } from './openapi.ts'
import { describeRoutes } from './options.ts'
import { type Answer, type RestRequest, type Route, route } from './route.ts'

/** `all` are the routes of the door, these among them. */
export const namespaceRoutes = (all: () => readonly Route[]): readonly Route[] => [
  route({
    action: 'read',
    path: '',
    summary: 'Every path of this interface, with its parameters.',
    params: {
      namespace: z.string('text').optional().describe('This namespace; there is no other.'),
      context: z.string('text').default('view').describe('Has no meaning here.'),
    },
    answer: async ({ namespace }, request) => {
      if (namespace !== undefined && namespace !== request.settings.restNamespace) throw unknownNamespace()
      return index(all(), request)
    },
  }),
  route({
    action: 'read',
    path: '/doc',
    summary: 'This interface as an OpenAPI document.',
    params: {},
    answer: async (_params, { urls, settings }) => ({ body: openApi(all(), urls.link('/'), settings) }),
  }),
]

const unknownNamespace = () => new LegacyError(404, 'rest_invalid_namespace', 'There is no such namespace here.')

function index(routes: readonly Route[], { urls, settings }: RestRequest): Answer {
  const { restNamespace } = settings
  const entries = [...Map.groupBy(routes, ({ path }) => path)].map(([path, those]) => {
    const links = path.includes('{') ? {} : { _links: { self: [{ href: urls.link(path) }] } }
    return [`/${restNamespace}${pattern(path)}`, { ...describeRoutes(those, settings), ...links }]
  })
  const up = urls.link('').replace(`/${restNamespace}`, '/')
  return { body: { namespace: restNamespace, routes: Object.fromEntries(entries), _links: { up: [{ href: up }] } } }
}

/** A path as a pattern with named groups, as clients of the contract know it. */
const pattern = (path: string) => path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')
