// Sends requests to a legacy site: few at a time, repeated after temporary failures, with limits of time and size.
import { isUtf8 } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import { fetchUrl, RedirectError, readBytesUpTo } from '../fetch-url.ts'

export interface SiteResponse {
  /** The URL after redirects. */
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export interface SiteClientOptions {
  readonly credentials?: { readonly user: string; readonly password: string } | undefined
  /** Maximum number of simultaneous requests. */
  readonly concurrency?: number
  /** Milliseconds for a request and its response. */
  readonly timeout?: number
  /** Bytes of a response, decompressed. */
  readonly maxBytes?: number
  /** Maximum number of times that a request is sent. */
  readonly attempts?: number
  /** Milliseconds before the second attempt; doubled before each further attempt. */
  readonly firstDelay?: number
  /** Maximum wait in milliseconds. The import stops if the site asks for a longer one. */
  readonly maxDelay?: number
}

export type SiteClient = ReturnType<typeof createSiteClient>

const temporary = [429, 500, 502, 503, 504]
/** Codes of errors that a repeated request cannot correct. */
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
      // A Retry-After header applies to all requests, not only to this one.
      if (retryAfter !== null) pausedUntil = Date.now() + delay
      await setTimeout(delay)
    }
  }
  return {
    hasCredentials: options.credentials !== undefined,
    /**
     * Returns a response of any status; throws if there is none. `problemOf` returns what is wrong with a response: then
     * the request is repeated.
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
    const bytes = await readBytesUpTo(response.body, maxBytes)
    if (!bytes) return { failure: `the response is larger than ${maxBytes} bytes`, isPermanent: true }
    const text = decodeBody(bytes, response.headers.get('content-type') ?? '')
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

/** Returns Retry-After in milliseconds, or else a delay with a random part, so that requests do not repeat all at once. */
function delayOf(retryAfter: string | null, delay: number): number {
  const asked = /^\s*\d+\s*$/.test(retryAfter ?? '')
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter ?? '') - Date.now()
  return Number.isNaN(asked) ? delay * (0.75 + Math.random() / 2) : Math.max(asked, 0)
}

/** Decodes a response body, even if its header names another encoding than it has. */
function decodeBody(bytes: Buffer, contentType: string): string {
  const utf8 = new TextDecoder()
  if (isUtf8(bytes)) return utf8.decode(bytes)
  // PHP notices before the JSON document may have another encoding than the document: each line is decoded separately.
  const other = decoderOf(contentType)
  const lines = bytes.toString('latin1').split('\n')
  return lines
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => (isUtf8(line) ? utf8 : other).decode(line))
    .join('\n')
}

/** Returns a decoder for text that is not UTF-8: for the charset of the header Content-Type, or else Windows-1252. */
function decoderOf(contentType: string): TextDecoder {
  const name = /charset\s*=\s*["']?([\w:.-]+)/i.exec(contentType)?.[1] ?? ''
  try {
    return new TextDecoder(/^utf-?8$/i.test(name) ? 'windows-1252' : name)
  } catch {
    return new TextDecoder('windows-1252')
  }
}
