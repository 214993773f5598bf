// Sends the GET requests of commands, and follows redirects.
import { allowedAddresses } from '../calendar/image/storage/allowed-addresses.ts'

const maxRedirects = 5

/** The server redirects to an address that is not requested; the message says why. */
export class RedirectError extends Error {}

interface FetchOptions {
  readonly headers: Readonly<Record<string, string>>
  /** The header `Authorization` for `url`. */
  readonly authorization?: string | undefined
  readonly signal: AbortSignal
}

/** Throws a RedirectError instead of following a redirect into a private network. */
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

/** The operator may name a host in a private network, but another server may not refer to one. */
export const isAllowedRedirect = async (first: URL, next: URL): Promise<boolean> =>
  ((await allowedAddresses(next, [first.hostname])) ?? []).length > 0

/** Credentials must not go from https to http. */
const isSameServer = (url: URL, first: URL) =>
  url.origin === first.origin || (url.hostname === first.hostname && url.protocol === 'https:' && url.port === '')

function redirectOf({ status, headers }: Response, url: URL): URL | undefined {
  const location = headers.get('location')
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  const next = URL.parse(location.replace(/^webcals?:/i, 'https:'), url)
  if (next && /^https?:$/.test(next.protocol)) return next
  throw new RedirectError(`${url.host} redirects to an address that is not http or https.`)
}

/** All bytes of a stream; undefined if there are more than `maxBytes`. */
export async function readAll(stream: AsyncIterable<Uint8Array> | null, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}
