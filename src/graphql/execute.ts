import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql'
import type { Cache } from '../cache/answers.ts'
import { dependencyReader } from '../cache/dependencies.ts'
import type { Context, Environment } from '../context.ts'
import { DomainError, insufficientStorage } from '../errors.ts'
import { answerTooLarge } from '../limits/text-budget.ts'
import { unavailability } from '../unavailable.ts'
import { resultWithOutcomes } from './mutations.ts'
import { run } from './run.ts'
import { withPassword } from './with-password.ts'

/** Runs an operation in process, without HTTP. Throws the domain error that it meets, or whatever else went wrong. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Context,
) => Promise<Data>

export function createExecute(schema: GraphQLSchema, cache: Cache, shortage?: Environment['shortage']): Execute {
  const execute = createRun(schema, cache, shortage)
  return async (document, variables, context) => {
    const result = await execute({ document, variableValues: variables, contextValue: context })
    const error = result.errors?.[0]
    if (error) throw domainErrorOf(error) ?? error.originalError ?? error
    return result.data as never
  }
}

/** Of an answer that became too large nothing is kept: it would be as if there were no more. */
async function runWithinBudget(asked: ExecutionArgs & Asked): Promise<ExecutionResult> {
  const { texts } = asked.contextValue
  texts.start()
  const result = await run(asked)
  if (!texts.isSpent) return result
  const originalError = answerTooLarge()
  const { code, message } = originalError
  const isWriting = getOperationAST(asked.document, asked.operationName)?.operation === 'mutation'
  // What a mutation wrote is told nevertheless.
  if (isWriting) return result
  return { errors: [new GraphQLError(message, { originalError, extensions: { code } })] }
}

interface Asked {
  readonly document: DocumentNode
  readonly operationName?: string | null | undefined
  readonly variableValues?: Readonly<Record<string, unknown>> | null | undefined
  readonly contextValue: Context
}

/** Executes operations of either door: says what they read, and what they wrote shows when they are answered. */
export function createRun(schema: GraphQLSchema, cache: Cache, shortage?: Environment['shortage']) {
  const readOf = dependencyReader(schema)
  return async (asked: Asked): Promise<ExecutionResult> => {
    const { document, operationName, variableValues, contextValue } = asked
    const { recorder } = contextValue
    const isWriting = getOperationAST(document, operationName)?.operation === 'mutation'
    const lack = isWriting ? shortage?.() : undefined
    if (lack !== undefined) return { data: null, errors: [refusal(lack)] }
    try {
      const result = await withPassword(contextValue, isWriting, (context) =>
        runWithinBudget({ ...asked, schema, contextValue: context }),
      )
      const operation = { document, operationName, variables: variableValues ?? {} }
      const read = recorder && result.data && !result.errors ? readOf(operation, result.data) : undefined
      if (read) recorder?.note(read)
      else recorder?.forget()
      return isWriting ? resultWithOutcomes(result, contextValue.writes) : result
    } finally {
      if (isWriting) await cache.settled()
    }
  }
}

function refusal(lack: string): GraphQLError {
  const originalError = insufficientStorage(new Error(lack))
  return new GraphQLError(originalError.message, { originalError })
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
