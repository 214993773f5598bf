// Compresses cached responses once for each encoding, and keeps them compressed in the response cache.
import { promisify } from 'node:util'
import { type BrotliOptions, brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import type { CachedResponse } from '../../engine/cache/response-cache.ts'
import type { Environment } from '../context.ts'
import { acceptedEncoding, type Encoding } from './accepted-encoding.ts'
import { hasVersion } from './response-headers.ts'

/** Bytes: shorter responses fit in one packet anyway. */
export const compressionThreshold = 1024

/** A list of 48 KB takes 6.4 KB with 5, 6.8 KB with 4 and 5.7 KB with 11, which takes fifty times as long. */
export const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

const compressByBrotli = promisify<Buffer, BrotliOptions, Buffer>(brotliCompress)
const compressByGzip = promisify<Buffer, Buffer>(gzip)

const compressors: Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>> = {
  br: (body) => compressByBrotli(body, brotliOptions),
  gzip: (body) => compressByGzip(body),
}

/** The threads of zlib also read files and check passwords. */
const maxRunning = 2
let running = 0

const pending = new WeakMap<CachedResponse, Set<Encoding>>()

/**
 * The cached response in the encoding that the client prefers. Undefined if it is not compressed in this encoding yet: then
 * that begins, and the response has to be compressed while it is sent.
 */
export function inAcceptedEncoding(
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
  if (encoded || hasVersion(request, cached.etag)) return encoded ?? cached
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
