// Sends requests to URLs that users chose, only to public addresses.
import { once } from 'node:events'
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { findAllowedAddresses, type ResolvedAddress } from './allowed-addresses.ts'

interface PinnedRequest extends Omit<Dispatcher.RequestOptions, 'origin' | 'path'> {
  /** Hosts, with or without port, that may have private addresses. */
  readonly privateHosts: readonly string[]
  readonly signal: AbortSignal
}

/**
 * Sends a request, without following redirects, and returns what `read` makes of the response. Returns `private` for a host
 * with a private address, and `unknown` for a host without address.
 */
export async function requestPinned<Result>(
  url: URL,
  { privateHosts, signal, ...options }: PinnedRequest,
  read: (response: Dispatcher.ResponseData) => Result | Promise<Result>,
): Promise<Result | 'private' | 'unknown'> {
  signal.throwIfAborted()
  const addresses = await Promise.race([findAllowedAddresses(url, privateHosts), abortOf(signal)])
  if (!addresses) return 'private'
  if (addresses.length === 0) return 'unknown'
  // Loaded with the first request: the library is large.
  const { Agent, request } = await import('undici')
  // Connects to the checked addresses: a second DNS lookup could return others.
  const dispatcher = new Agent({ connect: { lookup: fixedLookup(addresses) }, pipelining: 0 })
  try {
    return await read(await request(url, { ...options, dispatcher, signal }))
  } finally {
    // Closes the connection without reading the rest of the response.
    await dispatcher.destroy()
  }
}

/** Rejects when the signal is aborted, because a DNS lookup accepts no signal. */
async function abortOf(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort')
  throw signal.reason
}

function fixedLookup(addresses: readonly ResolvedAddress[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}
