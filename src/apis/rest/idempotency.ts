import type { FastifyRequest } from 'fastify'
import type { HttpResponse } from '../../engine/cache/response-cache.ts'
import type { Context, Environment } from '../../service/context.ts'
import { type ResponseStorage, readIdempotencyKey, replayedHeader, runOnce } from '../../service/http/idempotency.ts'
import { fullUrl } from '../../service/http/language-root.ts'

const storage: ResponseStorage<HttpResponse> = {
  encode: ({ status, headers, body }) => ({ status, headers, body: body.toString() }),
  decode: ({ status, headers, body }) => ({ status, headers, body: Buffer.from(body), etag: undefined }),
}

/** Runs a write. A request that repeats an Idempotency-Key gets the stored response of the first one. */
export async function runIdempotentWrite(
  params: Readonly<Record<string, unknown>>,
  request: FastifyRequest,
  viewer: Context['viewer'],
  environment: Environment,
  run: () => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const key = readIdempotencyKey(request.headers['idempotency-key'])
  // Anonymous requests cannot write, so there is nothing to repeat.
  if (key === undefined || !viewer) return run()
  const [path = ''] = fullUrl(request).split('?')
  const fingerprint = [request.method, path, params]
  const { result, isReplayed } = await runOnce(environment, { request, viewer, key, fingerprint, storage, run })
  return isReplayed ? { ...result, headers: { ...result.headers, [replayedHeader]: 'true' } } : result
}
