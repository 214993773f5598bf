// The namespace of the platform: the few of its calls that clients of the calendar make.
import type { Settings } from '../../../basics/env.ts'
import { indexRoute } from '../namespace.ts'
import type { RestApi, Route } from '../route.ts'
import { withLanguageParams } from '../routes.ts'
import { mediaRoutes } from './media.ts'
import { tagRoutes } from './tags.ts'
import { userRoutes } from './users.ts'

export function platformApi(settings: Settings): RestApi {
  const routes: readonly Route[] = withLanguageParams(
    [
      indexRoute(
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
