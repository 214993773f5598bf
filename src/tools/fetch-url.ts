// Sends GET requests for commands, and follows redirects.
import { findAllowedAddresses } from '../calendar/image/storage/allowed-addresses.ts'

const maxRedirects = 5

/** A redirect that must not be followed, such as to a private network. The message says why. */
export class RedirectError extends Error {}

interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>
  /** The header Authorization. It is not sent to another server after a redirect. */
  readonly authorization?: string | undefined
  readonly signal: AbortSignal
}

/** Returns the response after redirects. Throws RedirectError for a redirect into a private network. */
export async function fetchUrl(url: URL, { headers, authorization, signal }: FetchOptions): Promise<Response> {
  let current = url
  for (let redirects = 0; redirects <= maxRedirects; redirects++) {
    const mayAuthorize = authorization !== undefined && isSameServer(current, url)
    const response = await fetch(current, {
      signal,
      redirect: 'manual',
      headers: { ...headers, ...(mayAuthorize && { authorization }) },
    })
    const next = redirectOf(response, current)
    if (!next) return response
    await response.body?.cancel()
    if (!(await isAllowedRedirect(url, next))) {
      throw new RedirectError(`${url.host} redirects to ${next.host}, which is not a server with a public address.`)
    }
    current = next
  }
  throw new RedirectError(`${url.host} redirects more than ${maxRedirects} times.`)
}

/** Whether `next` has a public address, or the host of `first`: only the operator may name a private network. */
export const isAllowedRedirect = async (first: URL, next: URL): Promise<boolean> =>
  ((await findAllowedAddresses(next, [first.hostname])) ?? []).length > 0

/** Whether credentials may be sent: to the same origin, or from http to https on the same host. */
const isSameServer = (url: URL, first: URL) =>
  url.origin === first.origin || (url.hostname === first.hostname && url.protocol === 'https:' && url.port === '')

function redirectOf({ status, headers }: Response, url: URL): URL | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  const next = URL.parse(location.replace(/^webcals?:/i, 'https:'), url)
  if (next && /^https?:$/.test(next.protocol)) return next
  throw new RedirectError(`${url.host} redirects to an address that is not http or https.`)
}

/** Returns all bytes of a stream; undefined if there are more than `maxBytes`. */
export async function readBytesUpTo(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
