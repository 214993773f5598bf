import { z } from 'zod'
import type { Settings } from '../../basics/env.ts'
import { memoizeByObject } from '../../basics/memoize.ts'
import { httpMethods, type Route } from './route.ts'
import { removeIntegerBounds } from './schemas.ts'

/** The response to OPTIONS for the routes of one path (contract a.1). */
export function describeRoutes(routes: readonly Route[], namespace: string, { perPageDefault }: Settings) {
  const defaults = { restNamespace: namespace, perPageDefault }
  const endpoints = routes.map(({ action, params, required = [] }) => {
    const args = Object.entries(params).map(([name, param]) => {
      const isRequired = required.includes(name) || !param.safeParse(undefined).success
      return [name, { required: isRequired, ...describeParam(name, param, defaults) }] as const
    })
    return { methods: httpMethods[action], args: withPathSlug(new Map(args)) }
  })
  return { namespace, methods: allowedMethodsOf(routes), endpoints }
}

/** An edit has two parameters that clients call `slug`: the one in the path selects the record, the one in the body renames it. */
function withPathSlug(args: Map<string, object>): Readonly<Record<string, object>> {
  const { current_slug: inPath, slug: inBody, ...others } = Object.fromEntries(args)
  if (!inPath) return Object.fromEntries(args)
  const description = 'In the path: slug of the record, in any language. In the body: new slug.'
  return { ...others, slug: inBody ? { ...inPath, description } : inPath }
}

export const allowedMethodsOf = (routes: readonly Route[]): string[] => [
  ...new Set(routes.flatMap(({ action }) => httpMethods[action])),
]

type JsonSchema = Readonly<Record<string, unknown>>

/** JSON Schema of a parameter, with defaults from the settings. */
export function describeParam(
  name: string,
  param: z.ZodType,
  { restNamespace, perPageDefault }: Pick<Settings, 'restNamespace' | 'perPageDefault'>,
): JsonSchema {
  const defaults = { namespace: restNamespace, per_page: perPageDefault }
  const schema = jsonSchemaOf(param)
  return Object.hasOwn(defaults, name) ? { ...schema, default: defaults[name as keyof typeof defaults] } : schema
}

const jsonSchemaOf = memoizeByObject((param: z.ZodType): JsonSchema => {
  const options = { io: 'output', unrepresentable: 'any', override: removeIntegerBounds } as const
  const { $schema: _, ...schema } = z.toJSONSchema(param, options)
  return schema
})
