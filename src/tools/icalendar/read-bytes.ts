// Reads an iCalendar file from a path, from stdin or from a URL, within limits.
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import querystring from 'node:querystring'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { fetchUrl, RedirectError, readBytesUpTo } from '../fetch-url.ts'

/** Maximum number of bytes of a file, before and after decompression. */
const maxFileBytes = 50 * 1024 ** 2

/** Reads a file, stdin for `-`, or an http, https or webcal URL. Decompresses gzip. */
export async function readCalendarFile(source: string, timeoutMs = 60_000): Promise<Buffer> {
  const name = nameOf(source)
  const tooLarge = () => new Error(`${name} is larger than ${maxFileBytes} bytes. Split it into smaller files.`)
  const bytes = await readSource(source, name, timeoutMs)
  if (!bytes) throw tooLarge()
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) {
    throw new Error(`${name} is a ZIP archive. Unpack it, and import each .ics file in it.`)
  }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  return promisify(gunzip)(bytes, { maxOutputLength: maxFileBytes }).catch((cause: unknown) => {
    throw cause instanceof RangeError ? tooLarge() : new Error(`${name} is a damaged gzip file.`, { cause })
  })
}

/** Returns the bytes of the source; undefined if there are more than `maxFileBytes`. */
async function readSource(source: string, name: string, timeoutMs: number): Promise<Buffer | undefined> {
  if (source === '-') return readBytesUpTo(process.stdin, maxFileBytes)
  if (/^(https?|webcals?):\/\//i.test(source)) return download(source, name, timeoutMs)
  const stats = await stat(source).catch(() => undefined)
  if (!stats) throw new Error(`The file ${source} does not exist.`)
  if (stats.isDirectory()) throw new Error(`${source} is a folder. Give an .ics file.`)
  return readBytesUpTo(createReadStream(source), maxFileBytes)
}

/** Returns a name of the source for messages. Of a URL only the host: URLs of private calendars contain a secret. */
function nameOf(source: string): string {
  const url = /^[a-z]+:\/\//i.test(source) ? URL.parse(source) : null
  if (url) return `The calendar of ${url.host}`
  return source === '-' ? 'stdin' : source
}

const headers = { accept: 'text/calendar, */*;q=0.5', 'user-agent': 'event-calendar-gateway' }

async function download(source: string, name: string, timeoutMs: number): Promise<Buffer | undefined> {
  const signal = AbortSignal.timeout(timeoutMs)
  const url = URL.parse(source.replace(/^webcals?:/i, 'https:'))
  // The message does not quote the URL, which can contain a password.
  if (!url) throw new Error('The address of the calendar is not a valid URL. Check its host and port.')
  const authorization = takeCredentials(url)
  let status: number
  try {
    const response = await fetchUrl(url, { headers, authorization, signal })
    status = response.status
    if (status === 200) return await readBytesUpTo(response.body, maxFileBytes)
    await response.body?.cancel()
  } catch (error) {
    if (error instanceof RedirectError) throw error
    const reason = signal.aborted
      ? `was not received within ${timeoutMs / 1000} seconds`
      : `cannot be read: ${causeOf(error as Error)}`
    throw new Error(`${name} ${reason}.`, { cause: error })
  }
  throw new Error(`${name} cannot be read: the server responded with status ${status}.`)
}

const causeOf = ({ cause, message }: Error): string => (cause instanceof Error ? cause.message : message)

/** Removes user name and password from the URL, because fetch rejects such URLs. Returns the Authorization header with them. */
function takeCredentials(url: URL): string | undefined {
  // Unlike decodeURIComponent, querystring.unescape accepts a percent sign without two hex digits.
  const [username, password] = [url.username, url.password].map((text) => querystring.unescape(text))
  url.username = ''
  url.password = ''
  return username ? `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` : undefined
}
