// COMPRESSION=on compresses responses, for sites without a proxy that does.
import type { FastifyInstance } from 'fastify'
import type { Settings } from '../env.ts'

/** For routes that are registered after it. */
export function compression(app: FastifyInstance, settings: Settings): void {
  if (!settings.compression) return
  // A response to a signed-in user may hold a secret beside text that somebody else chose, and the length of the compressed
  // response would tell how alike they are (BREACH).
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    if (headers.authorization !== undefined) headers['x-no-compression'] = 'on'
    done()
  })
  // Compressed request bodies are not read: a short one may become long.
  app.register(import('@fastify/compress'), { encodings: ['br', 'gzip'], globalDecompression: false })
}
