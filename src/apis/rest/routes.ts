// All routes of the legacy contract. They are served, and listed by the index, OPTIONS and /doc.
import type { Settings } from '../../basics/env.ts'
import { categoryRoutes } from './categories/routes.ts'
import { eventRoutes } from './events/routes.ts'
import { namespaceRoutes } from './namespace.ts'
import { organizerRoutes } from './organizers/routes.ts'
import { languageParam, languageSpellings } from './params.ts'
import type { Route } from './route.ts'
import { tagRoutes } from './tags/routes.ts'
import { venueRoutes } from './venues/routes.ts'

interface Options extends Pick<Settings, 'legacyAddresses'> {
  readonly languages: readonly string[]
}

export function restRoutes(options: Options): readonly Route[] {
  const ownRoutes: readonly Route[] = [
    ...namespaceRoutes(() => allRoutes),
    ...eventRoutes,
    ...venueRoutes,
    ...organizerRoutes,
    ...categoryRoutes,
    ...tagRoutes,
  ]
  const allRoutes = withLanguageParams(ownRoutes, options)
  return allRoutes
}

/** Adds the parameters for the language to each route. */
export function withLanguageParams(
  routes: readonly Route[],
  { languages, legacyAddresses }: Options,
): readonly Route[] {
  const params = {
    translation_language: languageParam(languages),
    ...(legacyAddresses ? languageSpellings(languages) : {}),
  }
  return routes.map((route) => ({ ...route, params: { ...route.params, ...params } }))
}
