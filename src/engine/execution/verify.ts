// EXECUTION=verify and EXECUTION=sample: compares the results of compiled queries and subscription events with those of
// graphql-js. Mutations are executed only once, compiled.
import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  type GraphQLError,
  OperationTypeNode,
} from 'graphql'
import { isResponseTooLarge } from '../../basics/errors.ts'
import { operationTypeOf } from './analyze-operation.ts'

/** Number of executions of each document that are compared with EXECUTION=sample. */
const samples = 3

const executions = new WeakMap<DocumentNode, number>()

/** Whether this is one of the first executions of the document in this process. */
export function isAmongFirstExecutions({ document }: ExecutionArgs): boolean {
  const earlier = executions.get(document) ?? 0
  executions.set(document, earlier + 1)
  return earlier < samples
}

/** Maximum number of comparisons: writes between the two executions also cause differences, so both are repeated. */
const maxAttempts = 10

type Execute = (args: ExecutionArgs) => Promise<ExecutionResult>

/**
 * Returns the compiled result. Throws an error that shows both results if the result of graphql-js differs. `repeat` and
 * `executeByLibrary` use separate contexts, because a context caches what its operation has loaded.
 */
export async function executeVerified(
  args: ExecutionArgs,
  executeCompiled: Execute,
  repeat: Execute,
  executeByLibrary: Execute,
): Promise<ExecutionResult> {
  const result = await executeCompiled(args)
  // Only compiled execution limits the texts of a response.
  const isRefused = result.errors?.some(({ originalError }) => isResponseTooLarge(originalError))
  if (isRefused || operationTypeOf(args) === OperationTypeNode.MUTATION) return result
  let compiled = result
  for (let attempt = 1; ; attempt += 1) {
    const expected = await executeByLibrary(args)
    if (isSameResult(compiled, expected)) return result
    if (attempt === maxAttempts) throw new ExecutionMismatch(compiled, expected)
    compiled = await repeat(args)
  }
}

class ExecutionMismatch extends Error {
  constructor(compiled: ExecutionResult, expected: ExecutionResult) {
    super(`Compiled: ${JSON.stringify(compiled)}\ngraphql-js: ${JSON.stringify(expected)}`)
  }
}

type Result = Pick<ExecutionResult, 'data'> & {
  readonly errors?: readonly Pick<GraphQLError, 'message' | 'path'>[] | undefined
}

/**
 * Whether two results are equal. Compares data including the order of fields, and errors in any order, as the specification
 * allows. If several errors propagate to the same null, the specification does not say which are reported: then at least one
 * must be in both results.
 */
export function isSameResult(one: Result, other: Result): boolean {
  if (JSON.stringify(one.data ?? null) !== JSON.stringify(other.data ?? null)) return false
  const [ours, theirs] = [errorsByNull(one), errorsByNull(other)]
  return (
    ours.size === theirs.size &&
    [...ours].every(([place, { isPropagated, errors }]) => {
      const expected = theirs.get(place)?.errors ?? []
      if (isPropagated) return errors.some((error) => expected.includes(error))
      return JSON.stringify(errors.toSorted()) === JSON.stringify(expected.toSorted())
    })
  )
}

interface NullErrors {
  /** Whether errors propagated to this null from fields below it. */
  isPropagated: boolean
  readonly errors: string[]
}

/** Groups the errors by the path of the null that they caused. */
function errorsByNull({ data, errors = [] }: Result): Map<string, NullErrors> {
  const errorsByPath = new Map<string, NullErrors>()
  for (const error of errors) {
    const path = error.path ?? []
    const depth = depthOfNull(data, path)
    const place = JSON.stringify(path.slice(0, depth))
    const ofPlace = errorsByPath.get(place) ?? { isPropagated: false, errors: [] }
    ofPlace.isPropagated ||= depth < path.length
    ofPlace.errors.push(JSON.stringify(error))
    errorsByPath.set(place, ofPlace)
  }
  return errorsByPath
}

/** Returns the number of path segments before the first null. */
function depthOfNull(data: unknown, path: readonly (string | number)[]): number {
  let value = data
  for (const [depth, key] of path.entries()) {
    if (value === null || value === undefined) return depth
    value = (value as Record<string | number, unknown>)[key]
  }
  return path.length
}
