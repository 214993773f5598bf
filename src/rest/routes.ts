// Every route of the legacy contract: what is served, and what the index, OPTIONS and /doc tell.
import { categoryRoutes } from './categories/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { namespaceRoutes } from './namespace.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { languageParam } from './params.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags/routes.ts'
import { venueRoutes } from './venues/routes.ts'

/** The table of the door; every route takes `translation_language`. */
export function restRoutes(languages: readonly string[]): readonly Route[] {
  const translation_language = languageParam(languages)
  const routes: readonly Route[] = [
    ...namespaceRoutes(() => all),
    ...eventRoutes,
    ...venueRoutes,
    ...organizerRoutes,
    ...categoryRoutes,
    ...tagRoutes,
  ]
  const all: readonly Route[] = routes.map((route) => ({ ...route, params: { ...route.params, translation_language } }))
  return all
}
