// Writes with an Idempotency-Key.
import type { FastifyRequest } from 'fastify'
import type { Context, Environment } from '../context.ts'
import {
  type AnswerStorage,
  answerOnce,
  committedBefore,
  fingerprintOf,
  idempotentRequest,
  readIdempotencyKey,
  replayedHeader,
} from '../db/idempotency-keys.ts'
import { writesOf } from '../db/write-outcome.ts'
import type { Answer } from '../response-cache/response-cache.ts'

const storage: AnswerStorage<Answer> = {
  encode: ({ status, headers, body }) => ({ status, headers, body: body.toString() }),
  decode: ({ status, headers, body }) => ({ status, headers, body: Buffer.from(body), etag: undefined }),
}

/** Answers a write, or as it was answered before if its request has the key of an earlier one. */
export async function writeOnce(
  params: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  viewer: Context['viewer'],
  { db, now }: Environment,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  // Visitors write nothing.
  if (key === undefined || !viewer) return answer()
  const [path = ''] = request.url.split('?')
  const fingerprint = await fingerprintOf([request.method, path, params])
  const idempotent = idempotentRequest(viewer.id, key, fingerprint, now())
  writesOf(request).request = idempotent
  const answered = await answerOnce(db, idempotent, storage, async () => {
    try {
      return await answer()
    } catch (error) {
      throw committedBefore(idempotent, error) ?? error
    }
  })
  if (!idempotent.isReplayed) return answered
  return { ...answered, headers: { ...answered.headers, [replayedHeader]: 'true' } }
}
