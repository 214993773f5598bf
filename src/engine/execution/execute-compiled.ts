// Compiled execution: does what `execute` of graphql-js does, but prepares each operation only once.
import { type ExecutionArgs, type ExecutionResult, execute, type GraphQLError, OperationTypeNode } from 'graphql'
import { analyzeOperation, coerceVariables } from './analyze-operation.ts'
import { compileOperation } from './compile-operation.ts'
import { executeFields, executeFieldsSerially } from './execute-fields.ts'
import type { ReaderOf } from './record-resolvers.ts'
import { ResponseSize } from './response-size.ts'
import { RecordCache } from './result-cache.ts'
import type { Execution } from './types.ts'

export async function executeCompiled<Context>(
  args: ExecutionArgs,
  readerOf: ReaderOf<Context>,
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
  try {
    const data = await executeRoot({ operation, context, variableValues, rootValue, errors, size, records })
    return errors.length > 0 ? { errors, data } : { data }
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
