// COMPRESSION compresses responses, for sites without a proxy that does. compress-cached.ts keeps cached ones compressed.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Settings } from '../../basics/env.ts'
import { encodings } from './accepted-encoding.ts'
import { brotliOptions, compressionThreshold } from './compress-cached.ts'
import { addVary } from './vary.ts'

/** Bytes up to which a response is compressed at once, on the main thread: handing it over would take longer. */
const syncThreshold = 16_384

/** Applies to routes that are registered afterwards. */
export function compression(app: FastifyInstance, settings: Settings): void {
  if (!settings.compression) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization !== undefined) preventCompression(request)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isSecret(reply.getHeader('cache-control'))) preventCompression(request)
    const vary = reply.getHeader('vary')
    // In lower case, as the plugin looks for it.
    if (request.method !== 'OPTIONS' && !String(vary ?? '').includes('accept-encoding'))
      addVary(reply, 'accept-encoding')
    done(null, payload)
  })
  // Compressed request bodies are rejected: a short one may expand to a very long one.
  app.register(import('@fastify/compress'), {
    encodings: [...encodings],
    globalDecompression: false,
    threshold: compressionThreshold,
    syncThreshold,
    brotliOptions,
  })
}

/**
 * If a response contains a secret and text that an attacker chose, the length when compressed reveals how similar they are
 * (BREACH). Responses to signed-in users, to requests with passwords and to mutations may contain secrets.
 */
export function preventCompression({ headers }: FastifyRequest): void {
  headers['x-no-compression'] = 'on'
}

const isSecret = (cacheControl: unknown) => /\b(?:private|no-store)\b/.test(String(cacheControl ?? ''))
