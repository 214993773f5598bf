import { z } from 'zod'
import type { Settings } from '../env.ts'
import { languageParam, type Shape } from './params.ts'
import { methods, type Route } from './route.ts'
import { withoutBounds } from './schemas.ts'

/** What the routes of one path say of themselves when asked by OPTIONS (contract a.1), from what reads their parameters. */
export function describeRoutes(routes: readonly Route[], { restNamespace, languages }: Settings) {
  const endpoints = routes.map(({ action, params, required = [] }) => {
    const shape: Shape = { ...params, translation_language: languageParam(languages) }
    const args = Object.entries(shape).map(([name, param]) => [name, describeParam(param, required.includes(name))])
    return { methods: methods[action], args: Object.fromEntries(args) }
  })
  return { namespace: restNamespace, methods: allowed(routes), endpoints }
}

/** HTTP methods of a path's routes. */
export const allowed = (routes: readonly Route[]): string[] => [
  ...new Set(routes.flatMap(({ action }) => methods[action])),
]

function describeParam(param: z.ZodType, isRequired: boolean) {
  return { required: isRequired || !param.safeParse(undefined).success, ...schemaOf(param) }
}

/** JSON Schema of what a parameter is read as. */
export function schemaOf(param: z.ZodType): Readonly<Record<string, unknown>> {
  const options = { io: 'output', unrepresentable: 'any', override: withoutBounds } as const
  const { $schema: _, ...schema } = z.toJSONSchema(param, options)
  return schema
}
