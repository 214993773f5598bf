// Sends requests to a legacy site: few at a time, repeated after failures that may pass, limited in time and size.
import { setTimeout } from 'node:timers/promises'
import PQueue from 'p-queue'
import { fetchUrl, RedirectError, readAll } from '../fetch-url.ts'
import { decodeBody } from './decode-body.ts'

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
      const problem = failure ?? (isTemporary ? `responded with status ${response.status}` : problemOf(response))
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

type Sent =
  | { readonly response: SiteResponse; readonly failure?: undefined; readonly isPermanent?: undefined }
  | { readonly response?: undefined; readonly failure: string; readonly isPermanent: boolean }

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
