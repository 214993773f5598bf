// What an endpoint sees: its filter, and the context in which the log of changes is read for it.
import { coerceInputValue, type GraphQLInputType, type GraphQLSchema, isInputType, validateInputValue } from 'graphql'
import type { Role } from '../../generated/prisma/enums.ts'
import { type Context, createContext, type Environment } from '../../service/context.ts'

/** The columns of an endpoint that say what it sees. */
interface Endpoint {
  readonly language: string
  readonly user: { readonly id: number; readonly role: Role } | null
}

type ContextSource = Pick<Environment, 'db' | 'settings' | 'site' | 'now'>

/** Creates a context with the rights that the user has now, or without a user for what visitors see. */
export const contextOf = ({ user, language }: Endpoint, source: ContextSource): Promise<Context> =>
  createContext(source, { viewer: user ?? undefined, language, origin: { source: 'job' } })

function filterType(schema: GraphQLSchema): GraphQLInputType {
  const type = schema.getType('ChangeFilter')
  if (!type || !isInputType(type)) throw new Error('The schema has no input ChangeFilter.')
  return type
}

/** Returns why a filter is invalid; undefined for a valid one. */
export function findFilterProblem(filter: unknown, schema: GraphQLSchema): string | undefined {
  const problems: string[] = []
  validateInputValue(filter, filterType(schema), (error, path) => problems.push([...path, error.message].join(': ')))
  return problems[0]
}

/** Returns the filter with the values that enums and scalars have inside of the service; undefined for an invalid one. */
export const readFilter = (filter: unknown, schema: GraphQLSchema): object | undefined =>
  coerceInputValue(filter, filterType(schema)) as object | undefined
