// Every route of the legacy contract: what is served, and what the index, OPTIONS and /doc tell.
import { categoryRoutes } from './categories/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { namespaceRoutes } from './namespace.ts'
import { organizerRoutes } from './organizers/routes.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags/routes.ts'
import { venueRoutes } from './venues/routes.ts'

export const restRoutes: readonly Route[] = [
  ...namespaceRoutes(() => restRoutes),
  ...eventRoutes,
  ...venueRoutes,
  ...organizerRoutes,
  ...categoryRoutes,
  ...tagRoutes,
]
