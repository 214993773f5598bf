import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, type GraphQLSchema } from 'graphql'
import { insufficientStorageError, isResponseTooLarge } from '../../basics/errors.ts'
import { type OperationRequest, operationTypeOf } from '../../engine/execution/analyze-operation.ts'
import type { ExecuteOperation } from '../../engine/execution/execution.ts'
import { withResponseLimit } from '../../engine/postgres/response-limit.ts'
import { serverFailureOf } from '../../engine/postgres/unavailable.ts'
import { may } from '../auth/permissions.ts'
import { type Context, type Environment, nothingWithheld } from '../context.ts'
import { domainErrorOf } from './errors.ts'
import { addWriteOutcomes } from './mutation-outcomes.ts'
import { executorsByMode } from './record-resolver.ts'

/** Runs an operation in process, without HTTP. Throws the first error, as a domain error if it is one. */
export type Execute = <Data, Variables extends Record<string, unknown>>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context: Context,
) => Promise<Data>

type ExecutionEnvironment = Pick<Environment, 'settings' | 'shortage'> & Partial<Pick<Environment, 'cache'>>

export function createExecute(schema: GraphQLSchema, environment: ExecutionEnvironment): Execute {
  const run = createOperationRunner(schema, environment)
  return async (document, variables, context) => {
    const result = await run({ document, variableValues: variables, contextValue: context })
    const error = result.errors?.[0]
    if (error) throw domainErrorOf(error) ?? error.originalError ?? error
    return result.data as never
  }
}

/** Replaces a result that is too large by an error, except the result of a mutation that was committed. */
async function executeWithinLimit(
  request: ExecutionArgs & ContextualRequest,
  execute: ExecuteOperation,
): Promise<ExecutionResult> {
  const result = await withResponseLimit(() => execute(request))
  const originalError = result.errors?.map((error) => error.originalError).find(isResponseTooLarge)
  if (!originalError || operationTypeOf(request) === 'mutation') return result
  const { code, message } = originalError
  return { errors: [new GraphQLError(message, { originalError, extensions: { code } })] }
}

/** An operation with the context to run in. */
export interface ContextualRequest extends OperationRequest {
  readonly contextValue: Context
  /** The event of a subscription. */
  readonly rootValue?: unknown
}

/** Executes the operations of all APIs. Records their dependencies, and after a mutation waits for cache invalidation. */
export function createOperationRunner(schema: GraphQLSchema, { settings, cache, shortage }: ExecutionEnvironment) {
  const execute = executorsByMode[settings.execution]
  return async (request: ContextualRequest): Promise<ExecutionResult> => {
    const { contextValue } = request
    const { recorder } = contextValue
    const operationType = operationTypeOf(request)
    const isWriting = operationType === 'mutation'
    const diskShortage = isWriting ? shortage?.() : undefined
    if (diskShortage !== undefined) {
      const originalError = insufficientStorageError(new Error(diskShortage))
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
      return isWriting ? addWriteOutcomes(result, contextValue.writes) : result
    } finally {
      // A refused mutation changed nothing and does not wait, because any client can send many refused mutations.
      const mayHaveCommitted = isWriting && contextValue.writes.all.some(({ progress }) => progress.state !== 'open')
      if (mayHaveCommitted) await cache?.waitForChanges()
    }
  }
}

type Run = (context: Context) => Promise<ExecutionResult>

/**
 * Runs an operation with the password of its request. A query first runs without the password unless its hash is cached. If
 * the query withholds something protected, the password is hashed, and if it is valid, the query runs again.
 */
async function withPassword(context: Context, isWriting: boolean, run: Run): Promise<ExecutionResult> {
  const { password, viewer } = context
  if (!password) return run(context)
  if (isWriting) {
    // A mutation runs only once, so its password is checked before. Users who may not write need no check.
    const isNeeded = may(viewer, 'write')
    const passwordKey = isNeeded ? await password.check(context, { ...nothingWithheld(), byFilter: true }) : undefined
    return run({ ...context, passwordKey })
  }
  const cachedKey = password.cachedKey()
  const withheld = nothingWithheld()
  const result = await run({ ...context, passwordKey: cachedKey, withheld })
  const key = await password.check(context, withheld)
  return key === undefined || key === cachedKey ? result : run({ ...context, passwordKey: key })
}

/**
 * Runs a query on the server that the context chooses for visitors. If that server fails, the query runs once more: after a
 * replica on the primary, and after the primary on a replica.
 */
async function runQuery(context: Context, run: Run): Promise<ExecutionResult> {
  const { chooseSource, recorder } = context
  if (!chooseSource) return run(context)
  const runUncached = (db: Context['db']) => {
    recorder?.preventCaching()
    return run({ ...context, reads: context.reads.on(db), recorder: undefined })
  }
  const { db, isCacheable, reportFailure } = await chooseSource(recorder !== undefined)
  const result = await (isCacheable ? run({ ...context, reads: context.reads.on(db) }) : runUncached(db))
  const failures = failuresOf(result)
  if (failures.length === 0) return result
  // A busy server is still used for later queries, because otherwise the other servers would get its load.
  if (failures.includes('lost')) reportFailure()
  if (db !== context.db) return run(context)
  const other = await chooseSource(false)
  return other.db === context.db ? result : runUncached(other.db)
}

const failuresOf = ({ errors = [] }: ExecutionResult) =>
  errors.flatMap(({ originalError }) => (originalError instanceof Error && serverFailureOf(originalError)) || [])
