// The CDNs of CDN_PURGE, behind one interface.
import type { Settings } from '../../../basics/env.ts'

export interface PurgeTarget {
  /** Name of the target in CDN_PURGE. Contains no secret. */
  readonly name: string
  /** Maximum number of keys in one call. */
  readonly maxKeys: number
  /** Maximum delay between two calls while they fail, in milliseconds. */
  readonly maxDelay: number
  /** Removes all responses with one of the surrogate keys from the CDN. Throws PurgeError. */
  purge(keys: readonly string[]): Promise<void>
}

/** Error of a CDN that did not confirm a purge. The message contains neither a token nor the body of the response. */
export class PurgeError extends Error {
  /** Milliseconds to wait before the next call, if the CDN sent Retry-After. */
  readonly retryAfter: number | undefined

  constructor(message: string, retryAfter?: number) {
    super(message)
    this.name = 'PurgeError'
    this.retryAfter = retryAfter
  }
}

type PurgeSettings = Pick<
  Settings,
  'cdnPurge' | 'cdnFastlyToken' | 'cdnFastlyUrl' | 'cdnCloudflareToken' | 'cdnCloudflareUrl'
>

export const purgeTargets = (settings: PurgeSettings): readonly PurgeTarget[] =>
  settings.cdnPurge.map((name) => {
    const [, provider = '', address = ''] = /^(.*?):(.*)$/.exec(name) ?? []
    return { name, ...(providers[provider] ?? cloudflare)(address, settings) }
  })

type Provider = (address: string, settings: PurgeSettings) => Omit<PurgeTarget, 'name'>

/** Sends keys in the header that docs/deployment/varnish.vcl reads. Varnish limits a header to 8 KB by default. */
const varnish: Provider = (url) => ({
  maxKeys: 100,
  // Short, because a restarted Varnish caches responses again at once.
  maxDelay: 500,
  purge: (keys) => send(`${url}/`, 'PURGE', { 'xkey-purge': keys.join(' ') }),
})

const fastly: Provider = (service, { cdnFastlyUrl, cdnFastlyToken = '' }) => ({
  maxKeys: 256,
  maxDelay: 60_000,
  purge(keys) {
    const headers = { 'fastly-key': cdnFastlyToken, 'surrogate-key': keys.join(' '), accept: 'application/json' }
    return send(`${cdnFastlyUrl}/service/${service}/purge`, 'POST', headers)
  },
})

const cloudflare: Provider = (zone, { cdnCloudflareUrl, cdnCloudflareToken = '' }) => ({
  maxKeys: 30,
  maxDelay: 60_000,
  purge(keys) {
    const headers = { authorization: `Bearer ${cdnCloudflareToken}`, 'content-type': 'application/json' }
    return send(`${cdnCloudflareUrl}/zones/${zone}/purge_cache`, 'POST', headers, JSON.stringify({ tags: keys }))
  },
})

const providers: Readonly<Record<string, Provider>> = { varnish, fastly, cloudflare }

/** Milliseconds after which a call to a CDN fails. */
const timeout = 5000

/** Longer values of the Retry-After header are reduced to this number of seconds. */
const maxRetryAfter = 300

async function send(url: string, method: string, headers: Record<string, string>, body?: string): Promise<void> {
  let response: Response
  let text: string
  try {
    const signal = AbortSignal.timeout(timeout)
    response = await fetch(url, { method, headers, redirect: 'error', signal, ...(body !== undefined && { body }) })
    text = await response.text()
  } catch (error) {
    throw new PurgeError(`The CDN did not respond: ${reasonOf(error)}`)
  }
  const { ok, status } = response
  if (!ok)
    throw new PurgeError(`The CDN responded with status ${status}${hintOf(status)}`, retryAfterOf(response.headers))
  // Cloudflare may respond with status 200 and `"success": false` in the body.
  if (/"success"\s*:\s*false/.test(text)) throw new PurgeError('The CDN responded that the purge failed')
}

const hintOf = (status: number): string => {
  if (status === 401 || status === 403) return ': the token, or the address of this service, is not accepted'
  return status === 404 ? ': the ID of the service or zone is unknown' : ''
}

/** Returns the code or name of an error. Not the message, which may quote headers that contain a token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error'
  const { cause } = error as { cause?: { code?: unknown } }
  return typeof cause?.code === 'string' ? cause.code : error.name
}

function retryAfterOf(headers: Headers): number | undefined {
  const value = headers.get('retry-after')
  const seconds = value !== null && /^\d{1,9}$/.test(value) ? Number(value) : undefined
  return seconds === undefined ? undefined : Math.min(seconds, maxRetryAfter) * 1000
}
