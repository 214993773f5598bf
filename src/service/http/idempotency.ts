// Handles requests with an Idempotency-Key header in the same way for GraphQL and REST.
import type { FastifyRequest } from 'fastify'
import {
  createIdempotentRequest,
  fingerprintOf,
  type ResponseStorage,
  respondOnce,
} from '../../engine/postgres/idempotency-keys.ts'
import { writesOfRequest } from '../../engine/postgres/write-outcome.ts'
import type { Viewer } from '../auth/permissions.ts'
import type { Environment } from '../context.ts'

export { type ResponseStorage, readIdempotencyKey, replayedHeader } from '../../engine/postgres/idempotency-keys.ts'

interface IdempotentRun<Result> {
  readonly request: FastifyRequest
  readonly viewer: Viewer
  readonly key: string
  /** Values that two requests with the same key must have in common, such as the path and the body. */
  readonly fingerprint: readonly unknown[]
  readonly storage: ResponseStorage<Result>
  run(): Promise<Result>
}

/**
 * Runs a write once per key: a repeated request gets the stored response and writes nothing, and `isReplayed` is then true. Throws
 * idempotencyKeyInProgressError or idempotencyKeyReusedError, and committedUnreadableError when `run` fails although an earlier
 * request with this key was committed.
 */
export async function runOnce<Result>(
  { db, now }: Environment,
  { request, viewer, key, fingerprint, storage, run }: IdempotentRun<Result>,
): Promise<{ result: Result; isReplayed: boolean }> {
  const idempotent = createIdempotentRequest({
    userId: viewer.id,
    key,
    fingerprint: await fingerprintOf(fingerprint),
    now: now(),
  })
  writesOfRequest(request).request = idempotent
  const result = await respondOnce(db, idempotent, storage, run)
  return { result, isReplayed: idempotent.isReplayed }
}
