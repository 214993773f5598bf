// All routes of the legacy contract. They are served, and listed by the index, OPTIONS and /doc.
import { categoryRoutes } from './categories/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { namespaceRoutes } from './namespace.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { languageParam } from './params.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags/routes.ts'
import { venueRoutes } from './venues/routes.ts'

export function restRoutes(languages: readonly string[]): readonly Route[] {
  const translation_language = languageParam(languages)
  const routes: readonly Route[] = [
    ...namespaceRoutes(() => allRoutes),
    ...eventRoutes,
    ...venueRoutes,
    ...organizerRoutes,
    ...categoryRoutes,
    ...tagRoutes,
  ]
  const allRoutes = routes.map((route) => ({ ...route, params: { ...route.params, translation_language } }))
  return allRoutes
}
