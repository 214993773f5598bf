import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { insufficientStorage, isTooLarge } from '../../basics/errors.ts'
import type { ResponseCache } from '../../engine/cache/response-cache.ts'
import { type OperationRequest, operationTypeOf } from '../../engine/execution/analyze-operation.ts'
import type { ExecuteOperation, ExecutionMode } from '../../engine/execution/execution.ts'
import { withinLimit } from '../../engine/postgres/response-limit.ts'
import type { Context, Environment } from '../context.ts'
import { domainErrorOf } from './errors.ts'
import { resultWithOutcomes } from './mutation-outcomes.ts'
import { withPassword } from './password-retry.ts'
import { executions } from './record-resolver.ts'
import { runQuery } from './replica-reads.ts'

/** Runs an operation in process, without HTTP. Throws the first error, as a domain error if it is one. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Context,
) => Promise<Data>

export function createExecute(
  schema: GraphQLSchema,
  cache: ResponseCache,
  mode: ExecutionMode,
  shortage?: Environment['shortage'],
): Execute {
  const run = createRun(schema, cache, shortage)
  const execute = executions[mode]
  return async (document, variables, context) => {
    const result = await run({ document, variableValues: variables, contextValue: context }, execute)
    const error = result.errors?.[0]
    if (error) throw domainErrorOf(error) ?? error.originalError ?? error
    return result.data as never
  }
}

/** Replaces a result that is too large by an error, except that of a mutation, which was committed. */
async function executeWithinLimit(
  request: ExecutionArgs & ContextualRequest,
  execute: ExecuteOperation,
): Promise<ExecutionResult> {
  const result = await withinLimit(() => execute(request))
  const originalError = result.errors?.map((error) => error.originalError).find(isTooLarge)
  if (!originalError || operationTypeOf(request) === 'mutation') return result
  const { code, message } = originalError
  return { errors: [new GraphQLError(message, { originalError, extensions: { code } })] }
}

export interface ContextualRequest extends OperationRequest {
  readonly contextValue: Context
  /** The event of a subscription. */
  readonly rootValue?: unknown
}

/** Executes the operations of all APIs. Records their dependencies, and after a mutation waits for cache invalidation. */
export function createRun(schema: GraphQLSchema, cache: ResponseCache, shortage?: Environment['shortage']) {
  return async (request: ContextualRequest, execute: ExecuteOperation): Promise<ExecutionResult> => {
    const { contextValue } = request
    const { recorder } = contextValue
    const operationType = operationTypeOf(request)
    const isWriting = operationType === 'mutation'
    const diskShortage = isWriting ? shortage?.() : undefined
    if (diskShortage !== undefined) {
      const originalError = insufficientStorage(new Error(diskShortage))
      return { data: null, errors: [new GraphQLError(originalError.message, { originalError })] }
    }
    try {
      let { reads } = contextValue
      const runOn = (chosen: Context) => {
        reads = chosen.reads
        return withPassword(chosen, isWriting, (context) =>
          executeWithinLimit({ ...request, schema, contextValue: context }, execute),
        )
      }
      const result = await (isWriting ? runOn(contextValue) : runQuery(contextValue, runOn))
      if (result.data && !result.errors && operationType === 'query') recorder?.add(reads.record)
      else recorder?.preventCaching()
      return isWriting ? resultWithOutcomes(result, contextValue.writes) : result
    } finally {
      // A refused mutation changed nothing, so it does not wait: any client can send many of them.
      const mayHaveCommitted = isWriting && contextValue.writes.all.some(({ progress }) => progress.state !== 'open')
      if (mayHaveCommitted) await cache.waitForChanges()
    }
  }
}
