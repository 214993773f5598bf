// COMPRESSION=on compresses responses, for sites without a proxy that does.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'

/** Applies to routes that are registered afterwards. */
export function compression(app: FastifyInstance, settings: Settings): void {
  if (!settings.compression) return
  // Responses to signed-in users are not compressed: if one contains a secret and text that an attacker chose, the compressed
  // length reveals how similar they are (BREACH).
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers.authorization !== undefined) headers['x-no-compression'] = 'on'
    done()
  })
  // Compressed request bodies are rejected: a short one may expand to a very long one.
  app.register(import('@fastify/compress'), { encodings: ['br', 'gzip'], globalDecompression: false })
}
