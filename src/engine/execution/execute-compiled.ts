// Compiled execution: does what `execute` of graphql-js does, but prepares each operation only once.
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError, OperationTypeNode } from 'graphql'
import type { Context } from '../../service/context.ts'
import { analyzeOperation, coerceVariables } from '../../service/graphql/analyze-operation.ts'
import { compileOperation } from './compile-operation.ts'
import { executeFields, executeFieldsSerially } from './execute-fields.ts'
import type { ReaderCache } from './result-cache.ts'
import { serialize } from './serialize.ts'
import type { Execution } from './types.ts'

/** Yoga calls `stringify` for the body of the response. */
export interface SerializableResult extends ExecutionResult {
  readonly stringify?: ((result: ExecutionResult) => Buffer) | undefined
}

export async function executeCompiled(args: ExecutionArgs): Promise<SerializableResult> {
  const { schema, rootValue, contextValue } = args
  const analyzed = analyzeOperation(schema, args)
  const variableValues = analyzed && coerceVariables(analyzed, args.variableValues).variableValues
  // For invalid variables and unknown operations, graphql-js produces the errors.
  const operation = variableValues && compileOperation(analyzed, variableValues)
  if (!operation) return execute(args)
  const errors: GraphQLError[] = []
  const context = contextValue as Context
  const execution: Execution = { operation, context, variableValues, rootValue, errors, readerCache: undefined }
  try {
    const data = await executeRoot(execution)
    const stringify = execution.readerCache && resultBytes(execution.readerCache)
    return errors.length > 0 ? { errors, data, stringify } : { data, stringify }
  } catch (error) {
    return { errors: [...errors, error as GraphQLError], data: null }
  }
}

async function executeRoot(execution: Execution): Promise<Record<string, unknown>> {
  const { operation, root } = execution.operation
  const isMutation = operation.operation === OperationTypeNode.MUTATION
  const data = isMutation
    ? await executeFieldsSerially(execution, root, execution.rootValue)
    : await executeFields(execution, root, execution.rootValue, undefined)
  return data as Record<string, unknown>
}

const resultBytes =
  (readerCache: ReaderCache) =>
  ({ errors, data, extensions }: ExecutionResult) =>
    serialize({ errors, data, extensions }, readerCache)
