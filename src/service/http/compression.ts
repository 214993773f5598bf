// With COMPRESSION, the service compresses responses, for sites whose proxy does not. Cached responses are compressed once for
// each encoding, and the result is kept in the response cache.
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Settings } from '../../basics/env.ts'
import { memoize } from '../../basics/memoize.ts'
import type { CachedResponse } from '../../engine/cache/response-cache.ts'
import type { Environment } from '../context.ts'
import { addVary, hasCurrentVersion } from './response-headers.ts'

/** Bytes up to which a response is compressed on the main thread, because passing it to another thread would take longer. */
const syncThreshold = 16_384

/** Compresses the responses of all routes that are registered afterwards. */
export function registerCompression(app: FastifyInstance, settings: Settings): void {
  if (!settings.compression) return
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers.authorization !== undefined) preventCompression(request)
    done()
  })
  app.addHook('onSend', (request, reply, payload, done) => {
    if (isSecret(reply.getHeader('cache-control'))) preventCompression(request)
    const vary = reply.getHeader('vary')
    // In lower case, because @fastify/compress looks for the name in lower case.
    if (request.method !== 'OPTIONS' && !String(vary ?? '').includes('accept-encoding'))
      addVary(reply, 'accept-encoding')
    done(null, payload)
  })
  // Rejects compressed request bodies, because a short body may expand to a very long one.
  app.register(import('@fastify/compress'), {
    encodings: [...encodings],
    globalDecompression: false,
    threshold: compressionThreshold,
    syncThreshold,
    brotliOptions,
  })
}

/**
 * Sends the response uncompressed. If a response contains a secret and text of an attacker, its compressed length reveals how
 * similar the two are (BREACH). Responses to signed-in users, to requests with passwords and to mutations may contain secrets.
 */
export function preventCompression({ headers }: FastifyRequest): void {
  headers['x-no-compression'] = 'on'
}

const isSecret = (cacheControl: unknown) => /\b(?:private|no-store)\b/.test(String(cacheControl ?? ''))

/** Encodings that the service supports, the preferred one first. */
const encodings = ['br', 'gzip'] as const
type Encoding = (typeof encodings)[number]

/** Returns the encoding that the client prefers; undefined if the client accepts only uncompressed bodies. */
export const chooseAcceptedEncoding = memoize({ name: 'acceptedEncodings', max: 200 }, (header: string) => {
  const parts = header.toLowerCase().split(',')
  // Among encodings of equal weight, Negotiator takes the first in the header: put Brotli first.
  const brotliFirst = parts.toSorted((a, b) => Number(isBrotli(b)) - Number(isBrotli(a)))
  const negotiator = new Negotiator({ headers: { 'accept-encoding': brotliFirst.join(',') } })
  const [preferred] = negotiator.encodings([...encodings, 'identity'])
  return encodings.find((encoding) => encoding === preferred)
})

const isBrotli = (part: string) => /^\s*br\b/.test(part)

/** Minimum bytes of a response to compress: shorter responses fit in one packet anyway. */
const compressionThreshold = 1024

/** Quality 5 compresses a list of 48 KB to 6.4 KB. Quality 4 gives 6.8 KB, and 11 gives 5.7 KB in fifty times the time. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const compressByBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressByGzip = promisify<Buffer, Buffer>(gzip)

const compressors: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => compressByBrotli(body, brotliOptions),
  gzip: (body) => compressByGzip(body),
}

/** Maximum of simultaneous compressions: zlib uses libuv's thread pool, which also reads files and hashes passwords. */
const maxRunning = 2
let running = 0

const pending = new WeakMap<CachedResponse, Set<Encoding>>()

/**
 * Returns the cached response in the encoding that the client prefers. If the cache does not have this encoding yet, starts the
 * compression for later requests and returns undefined: the caller has to compress the response while sending it.
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
  const encoding = chooseAcceptedEncoding(accepted)
  if (encoding === undefined) return cached
  const encoded = cached.encoded?.get(encoding)
  // A 304 response has no body, so no encoding is needed.
  if (encoded || hasCurrentVersion(request, cached.etag)) return encoded ?? cached
  const encodingsInWork = pending.get(cached) ?? new Set()
  if (running < maxRunning && !encodingsInWork.has(encoding)) {
    pending.set(cached, encodingsInWork.add(encoding))
    running += 1
    compressors[encoding](cached.body)
      .then((body) => cache.addEncoded(key, cached, encoding, body))
      // Later responses are compressed by @fastify/compress, which reports the error.
      .catch(() => {})
      .finally(() => {
        running -= 1
        encodingsInWork.delete(encoding)
      })
  }
  return undefined
}
