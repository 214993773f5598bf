// COMPRESSION compresses responses, for sites without a proxy that does. Cached ones
// are compressed once for each encoding, and kept in the response cache.
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Settings } from '../../basics/env.ts'
import { memoize } from '../../basics/memoize.ts'
import type { CachedResponse } from '../../engine/cache/response-cache.ts'
import type { Environment } from '../context.ts'
import { addVary, hasCurrentVersion } from './response-headers.ts'

/** Bytes up to which a response is compressed at once, on the main thread: handing it over would take longer. */
const syncThreshold = 16_384

/** Applies to routes that are registered afterwards. */
export function registerCompression(app: FastifyInstance, settings: Settings): void {
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

/** In the order of preference of the service. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** Returns the encoding that the client prefers; undefined if the client accepts only uncompressed bodies. */
export const acceptedEncoding = memoize({ name: 'acceptedEncodings', max: 200 }, (header: string) => {
  const parts = header.toLowerCase().split(',')
  // Of encodings that a client likes equally, Negotiator takes the first in the header.
  const brotliFirst = parts.toSorted((a, b) => Number(isBrotli(b)) - Number(isBrotli(a)))
  const negotiator = new Negotiator({ headers: { 'accept-encoding': brotliFirst.join(',') } })
  const [preferred] = negotiator.encodings([...encodings, 'identity'])
  return encodings.find((encoding) => encoding === preferred)
})

const isBrotli = (part: string) => /^\s*br\b/.test(part)

/** Bytes: shorter responses fit in one packet anyway. */
const compressionThreshold = 1024

/** A list of 48 KB takes 6.4 KB with 5, 6.8 KB with 4 and 5.7 KB with 11, which takes fifty times as long. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const compressByBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressByGzip = promisify<Buffer, Buffer>(gzip)

const compressors: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => compressByBrotli(body, brotliOptions),
  gzip: (body) => compressByGzip(body),
}

/** zlib runs in libuv's thread pool, which also reads files and hashes passwords. */
const maxRunning = 2
let running = 0

const pending = new WeakMap<CachedResponse, Set<Encoding>>()

/**
 * Returns the cached response in the encoding that the client prefers. Undefined if it is not compressed in this encoding yet: then
 * the compression begins, and the response has to be compressed while it is sent.
 */
export function findEncodedResponse(
  { cache, settings }: Environment,
  request: FastifyRequest,
  key: string,
  cached: CachedResponse,
): CachedResponse | undefined {
  if (!settings.compression || cached.body.length < compressionThreshold) return cached
  const accepted = request.headers['accept-encoding']
  if (accepted === undefined || request.headers['x-no-compression'] !== undefined) return cached
  const encoding = acceptedEncoding(accepted)
  if (encoding === undefined) return cached
  const encoded = cached.encoded?.get(encoding)
  // A 304 is the same in all encodings.
  if (encoded || hasCurrentVersion(request, cached.etag)) return encoded ?? cached
  const encodingsInWork = pending.get(cached) ?? new Set()
  if (running < maxRunning && !encodingsInWork.has(encoding)) {
    pending.set(cached, encodingsInWork.add(encoding))
    running += 1
    compressors[encoding](cached.body)
      .then((body) => cache.addEncoded(key, cached, encoding, body))
      // The plugin compresses the response each time, and reports the error.
      .catch(() => {})
      .finally(() => {
        running -= 1
        encodingsInWork.delete(encoding)
      })
  }
  return undefined
}
