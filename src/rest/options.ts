import { z } from 'zod'
import type { Settings } from '../env.ts'
import { methods, type Route } from './route.ts'
import { withoutBounds } from './schemas.ts'

/** What the routes of one path say of themselves when asked by OPTIONS (contract a.1), from what reads their parameters. */
export function describeRoutes(routes: readonly Route[], { restNamespace }: Settings) {
  const endpoints = routes.map(({ action, params, required = [] }) => {
    const args = Object.entries(params).map(([name, param]) => [name, describeParam(param, required.includes(name))])
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

type JsonSchema = Readonly<Record<string, unknown>>

const made = new WeakMap<z.ZodType, JsonSchema>()

/** JSON Schema of what a parameter is read as. */
export function schemaOf(param: z.ZodType): JsonSchema {
  const known = made.get(param) ?? jsonSchema(param)
  made.set(param, known)
  return known
}

function jsonSchema(param: z.ZodType): JsonSchema {
  const options = { io: 'output', unrepresentable: 'any', override: withoutBounds } as const
  const { $schema: _, ...schema } = z.toJSONSchema(param, options)
  return schema
}
