// The public interface of compiled execution, a faster replacement for `execute` of graphql-js.
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError, OperationTypeNode } from 'graphql'
import { analyzeOperation, coerceVariables } from './analyze-operation.ts'
import { compileOperation } from './compile-operation.ts'
import { executeFields, executeFieldsSerially } from './execute-fields.ts'
import type { GetResolverReader } from './record-resolvers.ts'
import { RecordCache, ResponseSize } from './result-cache.ts'
import type { Execution } from './types.ts'
import { executeVerified, isAmongFirstExecutions } from './verify.ts'

/** How operations run. `verify` compares each compiled result with that of graphql-js, `sample` only a few per document. */
export type ExecutionMode = 'compiled' | 'sample' | 'verify' | 'graphql-js'

export type ExecuteOperation = (args: ExecutionArgs) => Promise<ExecutionResult>

/** Returns a function for each mode that executes operations. `apart` runs a second execution with a separate context. */
export function createExecutors<Context>(
  readerOf: GetResolverReader<Context>,
  apart: (context: Context, run: (context: Context) => Promise<ExecutionResult>) => Promise<ExecutionResult>,
): Readonly<Record<ExecutionMode, ExecuteOperation>> {
  const compiled = (args: ExecutionArgs) => executeCompiled(args, readerOf)
  const byLibrary = async (args: ExecutionArgs) => execute(args)
  const inContext = (execute: ExecuteOperation) => (args: ExecutionArgs) =>
    apart(args.contextValue as Context, (contextValue) => execute({ ...args, contextValue }))
  const verify = (args: ExecutionArgs) => executeVerified(args, compiled, inContext(compiled), inContext(byLibrary))
  return {
    compiled,
    sample: (args) => (isAmongFirstExecutions(args) ? verify(args) : compiled(args)),
    verify,
    'graphql-js': byLibrary,
  }
}

/** Executes an operation like `execute` of graphql-js, but compiles each operation only once. */
async function executeCompiled<Context>(
  args: ExecutionArgs,
  readerOf: GetResolverReader<Context>,
): Promise<ExecutionResult> {
  const { schema, rootValue, contextValue: context } = args
  const analyzed = analyzeOperation(schema, args)
  const variableValues = analyzed && coerceVariables(analyzed, args.variableValues).variableValues
  // For invalid variables and unknown operations, graphql-js produces the errors.
  const operation = variableValues && compileOperation(analyzed, variableValues)
  if (!operation) return execute(args)
  const errors: GraphQLError[] = []
  const size = new ResponseSize()
  const reader = readerOf(context as Context)
  const records = reader && new RecordCache(reader, size)
  const execution: Execution = { operation, context, variableValues, rootValue, errors, size, records }
  const isMutation = operation.operation.operation === OperationTypeNode.MUTATION
  try {
    const data = isMutation
      ? await executeFieldsSerially(execution, operation.root, rootValue)
      : await executeFields(execution, operation.root, rootValue, undefined)
    return { ...(errors.length > 0 && { errors }), data: data as Record<string, unknown> }
  } catch (error) {
    return { errors: [...errors, error as GraphQLError], data: null }
  }
}
