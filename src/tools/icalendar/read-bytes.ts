// Reads an iCalendar file from a path, from stdin or from a URL, within limits.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fetchUrl, RedirectError, readAll } from '../fetch-url.ts'

/** Bytes of a file, also after decompression. */
const maxFileBytes = 50 * 1024 ** 2

export interface DownloadOptions {
  /** Milliseconds for the whole download. */
  readonly timeout: number
}

/** The bytes of a file, of stdin for `-`, or of an http, https or webcal URL. Unpacks gzip. */
export async function readBytes(source: string, options: DownloadOptions = { timeout: 60_000 }): Promise<Buffer> {
  const bytes = await readSource(source, options)
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw new SourceError(`${nameOf(source)} is a ZIP archive. Unpack it, and import each .ics file in it.`)
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: maxFileBytes }).catch((cause: unknown) => {
    const isTooLarge = cause instanceof RangeError
    throw isTooLarge ? tooLarge(source) : new SourceError(`${nameOf(source)} is a damaged gzip file.`, { cause })
  })
}

async function readSource(source: string, options: DownloadOptions): Promise<Buffer> {
  if (source === '-') return collect(process.stdin, source)
  if (/^(https?|webcals?):\/\//i.test(source)) return download(source, options)
  const stats = await stat(source).catch(() => undefined)
  if (!stats) throw new SourceError(`The file ${source} does not exist.`)
  if (stats.isDirectory()) throw new SourceError(`${source} is a folder. Give an .ics file.`)
  return collect(createReadStream(source), source)
}

const nameOf = (source: string) => (source === '-' ? 'stdin' : withoutSecrets(source))

/** Addresses of private calendars have a secret in the path or query, which does not belong in logs. */
function withoutSecrets(source: string): string {
  const url = /^[a-z]+:\/\//i.test(source) ? URL.parse(source) : null
  return url ? `The calendar of ${url.host}` : source
}

const tooLarge = (source: string) =>
  new SourceError(`${nameOf(source)} is larger than ${maxFileBytes} bytes. Split it into smaller files.`)

async function collect(stream: AsyncIterable<Uint8Array> | null, source: string): Promise<Buffer> {
  const bytes = await readAll(stream, maxFileBytes)
  if (!bytes) throw tooLarge(source)
  return bytes
}

async function download(source: string, { timeout }: DownloadOptions): Promise<Buffer> {
  const signal = AbortSignal.timeout(timeout)
  const url = URL.parse(source.replace(/^webcals?:/i, 'https:'))
  // Without the text, which can contain a password.
  if (!url) throw new SourceError('The address of the calendar is not a valid URL. Check its host and port.')
  const authorization = takeCredentials(url)
  try {
    return await bodyOf(await fetchUrl(url, { headers: requestHeaders, authorization, signal }), source)
  } catch (error) {
    if (error instanceof SourceError || error instanceof RedirectError) throw error
    const reason = signal.aborted
      ? `did not arrive within ${timeout / 1000} seconds`
      : `cannot be read: ${causeOf(error)}`
    throw new SourceError(`${nameOf(source)} ${reason}.`, { cause: error })
  }
}

const requestHeaders = { accept: 'text/calendar, */*;q=0.5', 'user-agent': 'event-calendar-gateway' }

/** The calendar cannot be read; the message says why. */
class SourceError extends Error {}

const causeOf = (error: unknown): string => {
  const { cause } = error as Error
  return cause instanceof Error ? cause.message : (error as Error).message
}

/** Removes the user name and password from the URL, because fetch does not accept them there. */
function takeCredentials(url: URL): string | undefined {
  const { username, password } = url
  url.username = ''
  url.password = ''
  if (username === '') return undefined
  return `Basic ${Buffer.from(`${decode(username)}:${decode(password)}`).toString('base64')}`
}

/** A URL may contain a percent sign that encodes nothing. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function bodyOf(response: Response, source: string): Promise<Buffer> {
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new SourceError(`${nameOf(source)} cannot be read: the server responded with status ${response.status}.`)
  }
  return collect(response.body, source)
}
