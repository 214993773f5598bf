import { z } from 'zod'
import type { Settings } from '../env.ts'
import { memoizeByObject } from '../memoize.ts'
import { methods, type Route } from './route.ts'
import { withoutBounds } from './schemas.ts'

/** What the routes of one path say of themselves when asked by OPTIONS (contract a.1), from what reads their parameters. */
export function describeRoutes(routes: readonly Route[], settings: Settings) {
  const endpoints = routes.map(({ action, params, required = [] }) => {
    const args = Object.entries(params).map(([name, param]) => {
      const isRequired = required.includes(name) || !param.safeParse(undefined).success
      return [name, { required: isRequired, ...documentedParam(name, param, settings) }] as const
    })
    return { methods: methods[action], args: withPathSlug(new Map(args)) }
  })
  return { namespace: settings.restNamespace, methods: allowed(routes), endpoints }
}

/** Clients know both slugs of an edit by one name: that in the path says which record, that in the body renames it. */
function withPathSlug(args: Map<string, object>): Readonly<Record<string, object>> {
  const { current_slug: inPath, slug: inBody, ...others } = Object.fromEntries(args)
  if (!inPath) return Object.fromEntries(args)
  const description = 'In the path the slug of the record, in any language; in the body the slug that it is to have.'
  return { ...others, slug: inBody ? { ...inPath, description } : inPath }
}

/** HTTP methods of a path's routes. */
export const allowed = (routes: readonly Route[]): string[] => [
  ...new Set(routes.flatMap(({ action }) => methods[action])),
]

type JsonSchema = Readonly<Record<string, unknown>>

/** JSON Schema of what a parameter is read as, with the defaults that the settings of the site say. */
export function documentedParam(name: string, param: z.ZodType, settings: Settings): JsonSchema {
  const defaults = { namespace: settings.restNamespace, per_page: settings.perPageDefault }
  const schema = jsonSchemaOf(param)
  return Object.hasOwn(defaults, name) ? { ...schema, default: defaults[name as keyof typeof defaults] } : schema
}

const jsonSchemaOf = memoizeByObject((param: z.ZodType): JsonSchema => {
  const options = { io: 'output', unrepresentable: 'any', override: withoutBounds } as const
  const { $schema: _, ...schema } = z.toJSONSchema(param, options)
  return schema
})
