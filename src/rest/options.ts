import { z } from 'zod'
import type { Settings } from '../env.ts'
import { languageParam, notYet, type Shape } from './params.ts'
import type { Route } from './route.ts'

/** What a route says of itself when asked by OPTIONS (contract a.1), from the definitions that read its parameters. */
export function describeRoute({ params }: Route, { restNamespace, languages }: Settings) {
  const methods = ['GET']
  const shape: Shape = { ...params, translation_language: languageParam(languages) }
  const args = Object.entries(shape)
    .filter(([, param]) => param !== notYet)
    .map(([name, param]) => [name, describeParam(param)])
  return { namespace: restNamespace, methods, endpoints: [{ methods, args: Object.fromEntries(args) }] }
}

function describeParam(param: z.ZodType) {
  const { $schema: _, ...schema } = z.toJSONSchema(param, { io: 'output', unrepresentable: 'any' })
  return { required: !param.safeParse(undefined).success, ...schema }
}
