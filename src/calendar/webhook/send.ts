// Sends a message to an endpoint. Administrators choose the URL, so that addresses, redirects, size and time are limited.
import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from '../../basics/env.ts'
import { requestPinned } from '../image/storage/pinned-request.ts'
import { readSecrets, signedHeaders } from './secrets.ts'

/** A message with the endpoint that it is for. */
export interface Message {
  readonly messageId: string
  readonly type: 'created' | 'updated' | 'deleted' | 'ping'
  /** Empty for a ping. */
  readonly kind: string
  readonly data: unknown
  readonly createdAt: Date
  readonly url: string
  /** The column `secrets`. */
  readonly secrets: unknown
}

/** What became of a message. */
export interface Outcome {
  readonly status: number | null
  /** Undefined if the endpoint accepted the message. */
  readonly error: string | undefined
  /** Milliseconds that the endpoint asked to wait. */
  readonly retryAfter?: number | undefined
}

/** Milliseconds for the whole request, and the bytes of the response that are read. */
const [timeout, maxResponse] = [15_000, 65_536]

/** Longest wait that an endpoint can ask for. */
const maxRetryAfter = 24 * 60 * 60 * 1000

type SendSettings = Pick<Settings, 'webhookPrivateHosts'>

/** Sends the message. Throws only if `stopping` is aborted. */
export async function sendMessage(
  message: Message,
  { webhookPrivateHosts: privateHosts }: SendSettings,
  stopping?: AbortSignal,
): Promise<Outcome> {
  const limit = AbortSignal.timeout(timeout)
  const signal = stopping ? AbortSignal.any([limit, stopping]) : limit
  const { messageId, type, kind, data, createdAt, secrets } = message
  const now = new Date()
  const body = JSON.stringify({ type: kind === '' ? type : `${kind}.${type}`, timestamp: createdAt, data })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'event-calendar-gateway',
    ...signedHeaders(messageId, body, readSecrets(secrets, now), now),
  }
  try {
    const sent = await requestPinned(
      new URL(message.url),
      { method: 'POST', headers, body, privateHosts, signal },
      async ({ statusCode, headers: { 'retry-after': retryAfter }, body: response }) => {
        // Read so that the endpoint can end its response; a long or slow one is cut off.
        await Promise.race([response.dump({ limit: maxResponse }), delay(1000, undefined, { ref: false })]).catch(
          () => {},
        )
        return { status: statusCode, error: problemOf(statusCode), retryAfter: readRetryAfter(retryAfter, now) }
      },
    )
    if (sent === 'private')
      return { status: null, error: 'The host has a private address. WEBHOOK_PRIVATE_HOSTS can allow it.' }
    if (sent === 'unknown') return { status: null, error: 'The host is unknown. Check its spelling in the URL.' }
    return sent
  } catch (error) {
    stopping?.throwIfAborted()
    const reason = limit.aborted
      ? `It did not respond within ${timeout / 1000} seconds.`
      : `The request failed: ${reasonOf(error)}.`
    return { status: null, error: reason }
  }
}

function problemOf(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `It redirected with status ${status}. Set the URL to the final address.`
  return `It responded with status ${status}.`
}

/** Milliseconds until the time of a Retry-After header: seconds, or a date. */
function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = String(header ?? '')
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now.getTime()
  return wait > 0 ? Math.min(wait, maxRetryAfter) : undefined
}

/** The code or name of an error: its message may quote headers. */
function reasonOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return String(code ?? name ?? 'unknown error')
}
