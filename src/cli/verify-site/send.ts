// Sends requests to the sites.
import type { Send } from './request.ts'

export interface Credentials {
  readonly user: string
  readonly password: string
}

/** There is no response, or it is not that of an API with events. */
export class Unreachable extends Error {}

interface SendOptions {
  readonly credentials?: Credentials | undefined
  /** Milliseconds for a request and its response. */
  readonly timeout?: number
}

export function createSend({ credentials, timeout = 60_000 }: SendOptions): Send {
  const headers: Record<string, string> = { accept: 'application/json', 'user-agent': 'event-calendar-gateway' }
  if (credentials) {
    const { user, password } = credentials
    headers.authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  }
  return async (url) => {
    try {
      const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeout) })
      const text = await response.text()
      return { url, status: response.status, headers: new Map(response.headers), body: parse(text) }
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
      throw new Unreachable(`${url} does not respond: ${cause instanceof Error ? cause.message : cause}`)
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
