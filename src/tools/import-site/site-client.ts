// Sends requests to a legacy site: few at a time, repeated after failures that may pass, limited in time and size.
import { isUtf8 } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import { constants, gunzipSync } from 'node:zlib'
import PQueue from 'p-queue'
import { fetchUrl, RedirectError, readAll } from '../fetch-url.ts'

export interface SiteResponse {
  /** The URL after redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface SiteClientOptions {
  readonly credentials?: { readonly user: string; readonly password: string } | undefined
  /** Requests at a time. */
  readonly concurrency?: number
  /** Milliseconds for a request and its response. */
  readonly timeout?: number
  /** Bytes of a response, decompressed. */
  readonly maxBytes?: number
  /** How often a request is sent at most. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; doubles with each further one. */
  readonly firstDelay?: number
  /** Milliseconds to wait at most, also if the site asks for more. */
  readonly maxDelay?: number
}

export type SiteClient = ReturnType<typeof createSiteClient>

const temporary = [429, 500, 502, 503, 504]
/** Failures that do not pass by waiting. */
const permanent = /^(ENOTFOUND|ERR_TLS|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID_URL)/

export function createSiteClient(options: SiteClientOptions = {}) {
  const { concurrency = 2, attempts = 5, firstDelay = 500, maxDelay = 120_000 } = options
  const queue = new PQueue({ concurrency })
  let pausedUntil = 0

  const get = async (url: URL, problemOf: (response: SiteResponse) => string | undefined): Promise<SiteResponse> => {
    for (let attempt = 1; ; attempt++) {
      const pause = pausedUntil - Date.now()
      if (pause > 0) await setTimeout(pause)
      const { response, failure, isPermanent } = await send(url, options)
      const isTemporary = response && temporary.includes(response.status)
      const problem =
        failure ?? (isTemporary ? `responded with status ${response.status}` : response && problemOf(response))
      if (response && problem === undefined) return response
      if (attempt >= attempts || isPermanent) {
        if (isTemporary) return response
        throw new Error(`${url.href}: ${problem}`)
      }
      const retryAfter = response?.headers.get('retry-after') ?? null
      const delay = delayOf(retryAfter, firstDelay * 2 ** (attempt - 1))
      if (delay > maxDelay) {
        throw new Error(`${url.origin} asks to wait ${Math.ceil(delay / 1000)} seconds. Run the command again later.`)
      }
      // A site that asks to wait means all requests.
      if (retryAfter !== null) pausedUntil = Date.now() + delay
      await setTimeout(delay)
    }
  }
  return {
    hasCredentials: options.credentials !== undefined,
    /**
     * Resolves with a response of any status. `problemOf` describes what is wrong with a response that a repeated request
     * may correct. Throws if there is no response.
     */
    get: (url: URL, problemOf: Parameters<typeof get>[1] = () => undefined) => queue.add(() => get(url, problemOf)),
  }
}

interface Sent {
  readonly response?: SiteResponse
  readonly failure?: string
  readonly isPermanent?: boolean
}

/** Sends the request once. */
async function send(
  url: URL,
  { credentials, timeout = 60_000, maxBytes = 64 * 1024 ** 2 }: SiteClientOptions,
): Promise<Sent> {
  const headers = { accept: 'application/json', 'user-agent': 'event-calendar-gateway' }
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetchUrl(url, { headers, authorization, signal })
    const bytes = await readAll(response.body, maxBytes)
    const text = bytes && decodeBody(bytes, response.headers.get('content-type') ?? '', maxBytes)
    if (text === undefined) return { failure: `the response is larger than ${maxBytes} bytes`, isPermanent: true }
    return { response: { url: new URL(response.url), status: response.status, headers: response.headers, text } }
  } catch (error) {
    if (error instanceof RedirectError) return { failure: error.message, isPermanent: true }
    if (signal.aborted) return { failure: `no complete response within ${timeout / 1000} seconds`, isPermanent: false }
    const { cause = error } = error as { cause?: unknown }
    const { code = '', message } = cause as NodeJS.ErrnoException
    const damage = /^Z_/.test(code) ? 'the response is not compressed as its Content-Encoding says: ' : ''
    return { failure: damage + (message || code), isPermanent: permanent.test(code) }
  }
}

/** Retry-After in milliseconds, else the delay with a random part, so that requests do not come back all at once. */
function delayOf(retryAfter: string | null, delay: number): number {
  const asked = /^\s*\d+\s*$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '') - Date.now()
  return Number.isNaN(asked) ? delay * (0.75 + Math.random() / 2) : Math.max(asked, 0)
}

/**
 * Decodes a body, also if the headers do not say, or say wrongly, how it is compressed and encoded. Undefined if it has more
 * than `maxBytes` after decompression.
 */
function decodeBody(body: Buffer, contentType: string, maxBytes: number): string | undefined {
  const bytes = decompress(body, maxBytes)
  if (bytes === undefined) return undefined
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const utf8 = new TextDecoder()
  if (isUtf8(bytes)) return utf8.decode(bytes)
  // A notice may have another encoding than the document.
  const other = decoderOf(contentType)
  const lines = bytes.toString('latin1').split('\n')
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => (isUtf8(line) ? utf8 : other).decode(line))
    .join('\n')
}

/** Caches may send what they compressed without the header, or compressed twice. */
function decompress(body: Buffer, maxOutputLength: number): Buffer | undefined {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? undefined : body
  }
}

/** Windows-1252, which includes Latin-1, unless the site names another encoding than UTF-8. */
function decoderOf(contentType: string): TextDecoder {
  const name = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? ''
  try {
    return new TextDecoder(/^utf-?8$/i.test(name) ? 'windows-1252' : name)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
