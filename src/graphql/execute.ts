import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { GraphQLError, type GraphQLSchema } from 'graphql'
import type { Context } from '../context.ts'
import { DomainError } from '../errors.ts'
import { unavailability } from '../unavailable.ts'
import { run } from './run.ts'

/** Runs an operation in process, without HTTP. Throws the domain error that it meets, or whatever else went wrong. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Context,
) => Promise<Data>

export const createExecute =
  (schema: GraphQLSchema): Execute =>
  async (document, variables, context) => {
    const result = await run({ schema, document, variableValues: variables, contextValue: context })
    const error = result.errors?.[0]
    if (error) throw domainErrorOf(error) ?? error.originalError ?? error
    return result.data as never
  }

/**
 * The domain error behind an error of execution, which may be that the database is away; graphql wraps what resolvers
 * throw, more than once at times.
 */
export function domainErrorOf(error: unknown): DomainError | undefined {
  if (error instanceof DomainError) return error
  if (error instanceof GraphQLError && error.originalError) return domainErrorOf(error.originalError)
  return unavailability(error)
}
