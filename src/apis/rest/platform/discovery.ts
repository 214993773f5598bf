// The index of the REST API, in which clients of the legacy platform look up the namespaces that a site has.

import type { Settings } from '../../../basics/env.ts'
import { toWallClock, wallClockToDate } from '../../../basics/time.ts'
import { createIndexRoute, describeNamespace } from '../namespace.ts'
import { describeRoutes } from '../options.ts'
import { defineRoute, type RestApi, type Route } from '../route.ts'
import { withLanguageParams } from '../routes.ts'
import { mediaRoutes } from './media.ts'
import { tagRoutes } from './tags.ts'
import { userRoutes } from './users.ts'

const hour = 3_600_000

const offsetHours = (now: Date, zone: string): number => {
  const [local, utc] = [zone, 'UTC'].map((each) => wallClockToDate(toWallClock(now, each)).getTime())
  return ((local ?? 0) - (utc ?? 0)) / hour
}

/** Returns the API at REST_PREFIX itself, which describes `apis`. */
export function createDiscoveryApi(apis: readonly RestApi[]): RestApi {
  const index: Route = defineRoute({
    action: 'read',
    path: '',
    summary: 'Describes the site and every path of its APIs.',
    params: {},
    async handle(_params, { settings, urls, context }) {
      const { siteName, publicUrl, siteTimeZone } = settings
      const self = { _links: { self: [{ href: urls.link('/') }] } }
      const routes = [
        { '/': { ...describeRoutes([index], '', settings), ...self } },
        ...apis.map((api) =>
          describeNamespace(api.namespace, api.routes, (path) => urls.link(`/${api.namespace}${path}`), settings),
        ),
      ]
      return {
        body: {
          name: siteName,
          description: '',
          url: publicUrl,
          home: urls.link('').slice(0, -settings.restPrefix.length),
          gmt_offset: offsetHours(context.now, siteTimeZone),
          timezone_string: /^[a-z]+\/|^UTC$/i.test(siteTimeZone) ? siteTimeZone : '',
          namespaces: apis.map(({ namespace }) => namespace),
          authentication: [],
          routes: Object.assign({}, ...routes),
          _links: { help: [{ href: `${publicUrl}/docs` }] },
        },
        // The response contains the UTC offset of the site, which can change at a full hour.
        expiresAt: () => Math.ceil((context.now.getTime() + 1) / hour) * hour,
      }
    },
  })
  return { namespace: '', routes: [index], headerPrefix: 'X-WP' }
}

// The API of the legacy platform (a content management system): the few routes that clients of the calendar call.

/** Returns the API of the legacy platform: images, tags and the signed-in user. */
export function createLegacyPlatformApi(settings: Settings): RestApi {
  const routes: readonly Route[] = withLanguageParams(
    [
      createIndexRoute(
        () => platformNamespace,
        () => routes,
      ),
      ...tagRoutes,
      ...mediaRoutes,
      ...userRoutes,
    ],
    settings,
  )
  return { namespace: platformNamespace, routes, headerPrefix: 'X-WP' }
}

const platformNamespace = 'wp/v2'
