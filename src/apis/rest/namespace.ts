// The routes that describe the API: the index of routes and the OpenAPI document (contract a.2, a.3).
import { z } from 'zod'
import type { Settings } from '../../basics/env.ts'
import { LegacyError } from './errors.ts'
import { createOpenApiDocument } from './openapi.ts'
import { describeRoutes } from './options.ts'
import { defineRoute, type Route } from './route.ts'

/** Returns the routes that describe the API. `allRoutes` returns every route of the API, including the described ones. */
export const createNamespaceRoutes = (allRoutes: () => readonly Route[]): readonly Route[] => [
  createIndexRoute(({ restNamespace }) => restNamespace, allRoutes),
  defineRoute({
    action: 'read',
    path: '/doc',
    summary: 'Describes the API as an OpenAPI document.',
    params: {},
    handle: async (_params, { urls, settings }) => ({
      body: createOpenApiDocument(allRoutes(), urls.link('/'), settings),
    }),
  }),
]

export const createIndexRoute = (
  namespaceOf: (settings: Settings) => string,
  allRoutes: () => readonly Route[],
): Route =>
  defineRoute({
    action: 'read',
    path: '',
    summary: 'Lists every path of the API with its parameters.',
    params: {
      namespace: z.string('text').optional().describe('The only namespace.'),
      context: z.string('text').default('view').describe('Ignored.'),
    },
    async handle({ namespace }, { settings, urls }) {
      const own = namespaceOf(settings)
      if (namespace !== undefined && namespace !== own) throw unknownNamespace()
      const up = urls.link('').replace(`/${own}`, '/')
      const routes = describeNamespace(own, allRoutes(), urls.link, settings)
      return { body: { namespace: own, routes, _links: { up: [{ href: up }] } } }
    },
  })

const unknownNamespace = () => new LegacyError(404, 'rest_invalid_namespace', 'This namespace does not exist.')

/** The routes of a namespace, by their path as a regular expression. `link` returns the URL of a path of the namespace. */
export function describeNamespace(
  namespace: string,
  routes: readonly Route[],
  link: (path: string) => string,
  settings: Settings,
) {
  const entries = [...Map.groupBy(routes, ({ path }) => path)].map(([path, routesOfPath]) => {
    const links = path.includes('{') ? {} : { _links: { self: [{ href: link(path) }] } }
    return [`/${namespace}${pattern(path)}`, { ...describeRoutes(routesOfPath, namespace, settings), ...links }]
  })
  return Object.fromEntries(entries) as Readonly<Record<string, object>>
}

/** A path as a regular expression with named groups, which the contract requires. */
const pattern = (path: string) => path.replace('{id}', '(?P<id>\\d+)').replace('{slug}', '(?P<slug>[^/]+)')
