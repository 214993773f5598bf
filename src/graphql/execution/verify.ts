// EXECUTION=verify: each query is executed by graphql-js as well. A mutation is executed once, compiled.
import { isDeepStrictEqual } from 'node:util'
import { type ExecutionArgs, type ExecutionResult, execute, getOperationAST, OperationTypeNode } from 'graphql'
import { executeCompiled, type SerializableResult } from './execute-compiled.ts'

/** Writes of others between two executions are no difference of them: both run again, a few times. */
const maxAttempts = 4

/** The compiled result. Throws an error that shows both if that of graphql-js is another one. */
export async function executeVerified(args: ExecutionArgs): Promise<SerializableResult> {
  const isQuery = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.QUERY
  let result = await executeCompiled(args)
  for (let attempt = 1; isQuery; attempt += 1) {
    const expected = await execute(args)
    if (isDeepStrictEqual(comparable(result), comparable(expected))) break
    if (attempt === maxAttempts) throw new ExecutionMismatch(result, expected)
    result = await executeCompiled(args)
  }
  return result
}

export class ExecutionMismatch extends Error {
  constructor(compiled: ExecutionResult, expected: ExecutionResult) {
    super(`Compiled: ${JSON.stringify(comparable(compiled))}\ngraphql-js: ${JSON.stringify(comparable(expected))}`)
  }
}

/** Data with the order of its fields, and the errors, whose order the specification leaves open. */
function comparable({ data, errors = [] }: ExecutionResult) {
  const places = errors.map(({ message, path, locations }) => JSON.stringify({ message, path, locations }))
  return { data: JSON.stringify(data ?? null), errors: places.sort() }
}
