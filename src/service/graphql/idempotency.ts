// Executes mutations with an Idempotency-Key only once.
import type { FastifyRequest } from 'fastify'
import { type ExecutionArgs, type ExecutionResult, print } from 'graphql'
import { DomainError } from '../../basics/errors.ts'
import type { Viewer } from '../auth/permissions.ts'
import type { Environment } from '../context.ts'
import { type ResponseStorage, readIdempotencyKey, replayedHeader, runOnce } from '../http/idempotency.ts'
import { fullUrl } from '../http/language-root.ts'
import { toRequestError } from '../http/write-errors.ts'
import { createRefusalError, refusalStatuses } from './request-errors.ts'

/** How GraphQL stores results. Results with errors are not stored, because a repeated request may read more. */
const storage: ResponseStorage<ExecutionResult> = {
  encode: ({ data, errors, extensions }) =>
    errors || !data ? undefined : { status: 200, headers: {}, body: JSON.stringify({ data, extensions }) },
  decode: ({ body }) => JSON.parse(body) as ExecutionResult,
}

type Args = Pick<ExecutionArgs, 'document' | 'operationName' | 'variableValues'>

/** Runs a mutation. A request that repeats an Idempotency-Key gets the stored result of the first one. */
export async function executeOnce(
  environment: Environment,
  request: FastifyRequest,
  viewer: Viewer | undefined,
  { document, operationName, variableValues }: Args,
  execute: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  // Anonymous requests cannot write, so their key is ignored.
  const header = request.headers['idempotency-key']
  if (header === undefined || !viewer) return execute()
  try {
    const key = readIdempotencyKey(header)
    if (key === undefined) return await execute()
    const fingerprint = [request.method, fullUrl(request), { document: print(document), operationName, variableValues }]
    const run = { request, viewer, key, fingerprint, storage, run: execute }
    const { result, isReplayed } = await runOnce(environment, run)
    if (!isReplayed) return result
    const http = { headers: { [replayedHeader]: 'true' } }
    return { ...result, extensions: { ...result.extensions, http } }
  } catch (error) {
    const requestError = toRequestError(error, request, true)
    if (requestError instanceof DomainError)
      return { errors: [createRefusalError(requestError, refusalStatuses[requestError.code] ?? 400)] }
    throw error
  }
}
