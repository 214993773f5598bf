// Mutations with an Idempotency-Key.
import type { FastifyRequest } from 'fastify'
import { type ExecutionArgs, type ExecutionResult, GraphQLError, print } from 'graphql'
import type { Viewer } from '../auth/permissions.ts'
import type { Environment } from '../context.ts'
import {
  type AnswerStorage,
  answerOnce,
  fingerprintOf,
  idempotentRequest,
  readIdempotencyKey,
  replayedHeader,
} from '../db/idempotency-keys.ts'
import { withOutcome, writesOf } from '../db/write-outcome.ts'
import { DomainError } from '../errors.ts'
import { refusalStatuses } from './unavailable.ts'

/** Results with errors are not stored: what could not be read may be there the next time. */
const storage: AnswerStorage<ExecutionResult> = {
  encode: ({ data, errors, extensions }) =>
    errors || !data ? undefined : { status: 200, headers: {}, body: JSON.stringify({ data, extensions }) },
  decode: ({ body }) => JSON.parse(body) as ExecutionResult,
}

type Args = Pick<ExecutionArgs, 'document' | 'operationName' | 'variableValues'>

/** Runs a mutation, or answers as it was answered before if its request has the key of an earlier one. */
export async function executeOnce(
  { db, now }: Environment,
  request: FastifyRequest,
  viewer: Viewer | undefined,
  { document, operationName, variableValues }: Args,
  execute: () => Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  const header = request.headers['idempotency-key']
  // Visitors write nothing.
  if (header === undefined || !viewer) return execute()
  const writes = writesOf(request)
  try {
    const key = readIdempotencyKey(header)
    if (key === undefined) return await execute()
    const operation = { document: print(document), operationName, variableValues }
    const fingerprint = await fingerprintOf([request.method, request.url, operation])
    const idempotent = idempotentRequest(viewer.id, key, fingerprint, now())
    writes.request = idempotent
    const result = await answerOnce(db, idempotent, storage, execute)
    if (!idempotent.isReplayed) return result
    const http = { headers: { [replayedHeader]: 'true' } }
    return { ...result, extensions: { ...result.extensions, http } }
  } catch (error) {
    const refused = withOutcome(error, writes.current())
    if (refused instanceof DomainError) return { errors: [refusal(refused)] }
    throw error
  }
}

/** The error of a request that was not run. */
function refusal({ code, message, data }: DomainError): GraphQLError {
  const headers: Record<string, string> =
    data.retryAfter === undefined ? {} : { 'retry-after': String(data.retryAfter) }
  const http = { status: refusalStatuses[code] ?? 400, headers }
  return new GraphQLError(message, { extensions: { code, ...data, http } })
}
