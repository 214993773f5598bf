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

export interface SiteClient {
  readonly hasCredentials: boolean
  /**
   * Resolves with a response of any status. `problemOf` describes what is wrong with a response that a repeated request may
   * correct. Throws if there is no response.
   */
  get(url: URL, problemOf?: (response: SiteResponse) => string | undefined): Promise<SiteResponse>
}

export interface SiteCredentials {
  readonly user: string
  readonly password: string
}

export interface SiteClientOptions {
  readonly credentials?: SiteCredentials | undefined
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

const temporary = [429, 500, 502, 503, 504]
/** Failures that do not pass by waiting. */
const permanent = /^(ENOTFOUND|ERR_TLS|CERT|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_INVALID_URL)/

export function createSiteClient(options: SiteClientOptions = {}): SiteClient {
  const { concurrency = 2, attempts = 5, firstDelay = 500, maxDelay = 120_000 } = options
  const queue = new PQueue({ concurrency })
  let pausedUntil = 0

  const get: SiteClient['get'] = async (url, problemOf = () => undefined) => {
    for (let attempt = 1; ; attempt++) {
      const pause = pausedUntil - Date.now()
      if (pause > 0) await setTimeout(pause)
      const outcome = await sendOnce(url, options)
      const problem = outcome instanceof Failure ? outcome : problemText(url, outcome, problemOf)
      if (problem === undefined && !(outcome instanceof Failure)) return outcome
      if (attempt >= attempts || (problem instanceof Failure && problem.isPermanent)) {
        if (outcome instanceof Failure) throw outcome
        if (temporary.includes(outcome.status)) return outcome
        throw problem
      }
      const delay = delayOf(outcome, firstDelay * 2 ** (attempt - 1))
      if (delay > maxDelay) {
        throw new Error(`${url.origin} asks to wait ${Math.ceil(delay / 1000)} seconds. Run the command again later.`)
      }
      // A site that asks to wait means all requests.
      if (!(outcome instanceof Failure) && outcome.headers.has('retry-after')) pausedUntil = Date.now() + delay
      await setTimeout(delay)
    }
  }
  return {
    hasCredentials: options.credentials !== undefined,
    get: (url, problemOf) => queue.add(() => get(url, problemOf)),
  }
}

class Failure extends Error {
  readonly isPermanent: boolean
  constructor(url: URL, reason: string, isPermanent: boolean) {
    super(`${url.href}: ${reason}`)
    this.isPermanent = isPermanent
  }
}

function problemText(url: URL, response: SiteResponse, problemOf: (response: SiteResponse) => string | undefined) {
  if (temporary.includes(response.status)) return new Failure(url, `responded with status ${response.status}`, false)
  const problem = problemOf(response)
  return problem === undefined ? undefined : new Failure(url, problem, false)
}

async function sendOnce(url: URL, options: SiteClientOptions): Promise<SiteResponse | Failure> {
  const { credentials, timeout = 60_000, maxBytes = 64 * 1024 ** 2 } = options
  const headers = { accept: 'application/json', 'user-agent': 'event-calendar-gateway' }
  const authorization =
    credentials && `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`
  const signal = AbortSignal.timeout(timeout)
  try {
    const response = await fetchUrl(url, { headers, authorization, signal })
    const bytes = await readAll(response.body, maxBytes)
    const text = bytes && decodeBody(bytes, response.headers.get('content-type') ?? '', maxBytes)
    if (text === undefined) return new Failure(url, `the response is larger than ${maxBytes} bytes`, true)
    return { url: new URL(response.url), status: response.status, headers: response.headers, text }
  } catch (error) {
    if (error instanceof RedirectError) return new Failure(url, error.message, true)
    if (signal.aborted) return new Failure(url, `no complete response within ${timeout / 1000} seconds`, false)
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
    const text = cause instanceof Error ? cause.message || code : String(cause)
    const message = code.startsWith('Z_')
      ? `the response is not compressed as its Content-Encoding says: ${text}`
      : text
    return new Failure(url, message, permanent.test(code))
  }
}

/** Retry-After in milliseconds, else the delay with a random part, so that requests do not come back all at once. */
function delayOf(outcome: SiteResponse | Failure, delay: number): number {
  const text = outcome instanceof Failure ? null : outcome.headers.get('retry-after')
  const random = delay * (0.75 + Math.random() / 2)
  if (text === null) return random
  const retryAfter = /^\s*\d+\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(retryAfter) ? random : Math.max(retryAfter, 0)
}
