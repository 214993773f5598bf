// Downloads images by URL (QUIRK-15). Clients choose the URL, so that addresses, redirects, size and time are limited.
import type { Dispatcher } from 'undici'
import { badInputError, DomainError } from '../../../basics/errors.ts'
import { checkImage } from './files.ts'
import { requestPinned } from './pinned-request.ts'

export interface DownloadOptions {
  /** Hosts, with or without port, that may have private addresses. */
  readonly privateHosts: readonly string[]
  readonly maxBytes: number
  /** Milliseconds for the whole download. */
  readonly timeout: number
}

const maxRedirects = 3

/** Problems of a server that are likely for all images on that server. */
const serverProblems = {
  notPublic: 'The image must be on a server with a public address. Upload the file instead.',
  unknownHost: 'The host in the URL of the image is unknown. Check its spelling.',
  unreachable: 'The image could not be downloaded. Check its URL, or upload the file.',
  slow: 'Downloading the image took too long. Retry later, or upload the file.',
}

export const isServerProblem = (message: string): boolean => Object.values(serverProblems).includes(message)

/** The image, and its final URL after redirects. Throws badInputError, whose messages reveal nothing about the network of this server. */
export async function downloadImage(url: string, options: DownloadOptions) {
  const signal = AbortSignal.timeout(options.timeout)
  try {
    let address = checkedUrl(url)
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await requestImage(address, options, signal)
      if ('image' in response) return checkedImage(response.image, address)
      address = checkedUrl(response.location, address)
    }
    throw imageError('The URL of the image redirects too often. Send the URL of the file itself.')
  } catch (error) {
    if (error instanceof DomainError) throw error
    throw imageError(signal.aborted ? serverProblems.slow : serverProblems.unreachable)
  }
}

/** Whether the host is outside private networks: errors must not reveal which private hosts exist. */
const isPublicName = (host: string): boolean =>
  /\.(?!(?:corp|home|internal|intranet|lan|local|localdomain|private)$)[a-z][a-z\d-]+$/i.test(host)

const imageError = (sentence: string) => badInputError({ imageUrl: sentence })

function checkedUrl(text: string, base?: URL): URL {
  const url = URL.parse(text, base)
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw imageError('The URL of an image must begin with http:// or https://.')
  }
  if (url.username || url.password) throw imageError('The URL of an image must not contain a user name or password.')
  return url
}

async function requestImage(
  url: URL,
  options: DownloadOptions,
  signal: AbortSignal,
): Promise<{ image: Buffer } | { location: string }> {
  const { privateHosts, maxBytes } = options
  const headers = { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'event-calendar-gateway' }
  const found = await requestPinned(
    url,
    { method: 'GET', headers, privateHosts, signal },
    async (response) => redirectLocation(response) ?? { image: await readImage(response, maxBytes) },
  )
  if (found === 'private') throw imageError(serverProblems.notPublic)
  if (found === 'unknown') throw imageError(serverProblems[isPublicName(url.hostname) ? 'unknownHost' : 'notPublic'])
  return found
}

const redirectLocation = ({ statusCode, headers: { location } }: Dispatcher.ResponseData) =>
  [301, 302, 303, 307, 308].includes(statusCode) && typeof location === 'string' ? { location } : undefined

async function readImage({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Buffer> {
  if (statusCode !== 200)
    throw imageError('The server of the image did not respond with status 200. Check the URL of the image.')
  if (!/^image\//i.test(String(headers['content-type'] ?? '')))
    throw imageError('The URL does not lead to an image. Send the URL of an image file.')
  if (!/^(identity)?$/i.test(String(headers['content-encoding'] ?? '')))
    throw imageError('The server of the image must send it without a Content-Encoding header.')
  const tooLarge = imageError(`The image is larger than ${maxBytes} bytes.`)
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

function checkedImage(bytes: Buffer, url: URL) {
  const description = checkImage(bytes)
  if (typeof description === 'string') throw imageError(description)
  return { bytes, ...description, url: url.href }
}
