// Images from elsewhere. Whoever gives a URL decides what this process asks for, so it asks for little (QUIRK-15).
import type { LookupFunction } from 'node:net'
import type { Dispatcher } from 'undici'
import { badInput, DomainError } from '../../errors.ts'
import { type Address, allowedAddresses } from './allowed-addresses.ts'
import { checkImage, type ImageDescription } from './files.ts'

export interface FetchOptions {
  /** Hosts, or hosts with port, that may have any address. */
  readonly privateHosts: readonly string[]
  readonly maxBytes: number
  /** Milliseconds for everything together. */
  readonly timeout: number
}

export interface FetchedImage extends ImageDescription {
  readonly bytes: Buffer
  /** Where it was, after redirects. */
  readonly url: string
}

const maxRedirects = 3

/** Throws badInput, in words that tell nothing about this network. */
export async function fetchImage(url: string, options: FetchOptions): Promise<FetchedImage> {
  const signal = AbortSignal.timeout(options.timeout)
  try {
    let address = checkedUrl(url)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const answer = await ask(address, options, signal)
      if (Buffer.isBuffer(answer)) return described(answer, address)
      address = checkedUrl(answer, address)
    }
    throw refused('The image is behind too many redirects.')
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw refused(signal.aborted ? 'The image took too long to load.' : 'The image could not be loaded.')
  }
}

const refused = (sentence: string) => badInput({ imageUrl: sentence })

function checkedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw refused('The address of an image begins with http:// or https://.')
  }
  if (url.username || url.password) throw refused('The address of an image has no user name or password.')
  return url
}

/** The bytes, or where a redirect leads. */
async function ask(url: URL, options: FetchOptions, signal: AbortSignal): Promise<Buffer | string> {
  const addresses = await beforeAbort(allowedAddresses(url, options.privateHosts), signal)
  if (!addresses) throw refused('The image is on no server with a public address.')
  // Loaded with the first image: it is large.
  const { Agent, request } = await import('undici')
  // The connection goes to what was checked: a second look at the name could give something else.
  const dispatcher = new Agent({ connect: { lookup: fixed(addresses) }, pipelining: 0 })
  try {
    const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'event-calendar-gateway' }
    const response = await request(url, { dispatcher, signal, headers })
    return redirectOf(response) ?? (await readImage(response, options.maxBytes))
  } finally {
    // What else the server has to say stays unread.
    await dispatcher.destroy()
  }
}

async function beforeAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([result, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function fixed(addresses: readonly Address[]): LookupFunction {
  return (_, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, [...addresses])
    else callback(null, first.address, first.family)
  }
}

function redirectOf({ statusCode, headers: { location } }: Dispatcher.ResponseData): string | undefined {
  return [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? location : undefined
}

async function readImage({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (statusCode !== 200) throw refused('There is no image at this address.')
  if (!/^image\//i.test(String(headers['content-type'] ?? ''))) throw refused('What is at this address is no image.')
  if (!/^(identity)?$/i.test(String(headers['content-encoding'] ?? ''))) throw refused('The image comes compressed.')
  const tooLarge = refused(`The image is larger than ${maxBytes} bytes.`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function described(bytes: Buffer, url: URL): FetchedImage {
  const description = checkImage(bytes)
  if (typeof description === 'string') throw refused(description)
  return { bytes, ...description, url: url.href }
}
