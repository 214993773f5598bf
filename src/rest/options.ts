import { z } from 'zod'
import type { Settings } from '../env.ts'
import { languageParam, type Shape } from './params.ts'
import { methods, type Route } from './route.ts'

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
  const { $schema: _, ...schema } = z.toJSONSchema(param, { io: 'output', unrepresentable: 'any' })
  return { required: isRequired || !param.safeParse(undefined).success, ...schema }
}
