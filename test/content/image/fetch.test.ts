import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { type DownloadOptions, downloadImage } from '../../../src/calendar/image/storage/download.ts'
import { eventually } from '../../helpers/eventually.ts'

// Minimal images of 3 × 2 pixels of each type.
const avif = Buffer.from(
  'AAAAGGZ0eXBhdmlmAAAAAGF2aWZtaWYxAAAAMG1ldGEAAAAAAAAAJGlwcnAAAAAcaXBjbwAAABRpc3BlAAAAAAAAAAMAAAAC',
  'base64',
)
const gif = Buffer.from('R0lGODlhAwACAAAAADs=', 'base64')
const jpg = Buffer.from('/9j/4AAQSkZJRgABAQAAAQABAAD/wAALCAACAAMBAREA/9k=', 'base64')
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVQImWNQckmDIAY4CwAuTATJnqlZXQAAAABJRU5ErkJggg==',
  'base64',
)
const webp = Buffer.from('UklGRhYAAABXRUJQVlA4WAoAAAAAAAAAAgAAAQAA', 'base64')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"></svg>')

// Other test files of this process have loaded what imports it by now.
// It has many forms; this one is used.
const lookup: MockInstance<(host: string) => Promise<LookupAddress[]>> = vi.spyOn(dns, 'lookup') as never
syncBuiltinESMExports()
afterAll(() => {
  lookup.mockRestore()
  syncBuiltinESMExports()
})

const samples: Readonly<Record<string, readonly [string, Buffer]>> = {
  '/a.png': ['image/png', png],
  '/a.gif': ['image/gif', gif],
  '/a.jpg': ['image/jpeg', jpg],
  '/a.webp': ['image/webp', webp],
  '/a.avif': ['IMAGE/AVIF', avif],
  '/lies': ['image/jpeg; charset=x', png],
  '/html': ['image/png', Buffer.from('<script>alert(1)</script>')],
  '/svg': ['image/svg+xml', svg],
  '/text': ['text/html', png],
  '/large': ['image/png', Buffer.concat([png, Buffer.alloc(20_000)])],
}

let open = 0
const actual: RequestListener = (request, response) => {
  const { pathname: path, searchParams } = new URL(request.url ?? '/', 'http://x')
  const sample = samples[path]
  if (sample) return response.writeHead(200, { 'content-type': sample[0] }).end(sample[1])
  if (path === '/to') return response.writeHead(302, { location: searchParams.get('url') ?? '' }).end()
  if (path === '/loop') return response.writeHead(307, { location: '/loop' }).end()
  if (path.startsWith('/hop')) {
    const left = Number(path.slice(4))
    return response.writeHead(301, { location: left > 1 ? `/hop${left - 1}` : '/a.png' }).end()
  }
  if (path === '/lost') return response.writeHead(302).end()
  if (path === '/silent') return undefined
  if (path === '/broken') return request.socket.destroy()
  if (path === '/short') {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': 1000 }).write(png)
    return setTimeout(() => response.destroy(), 20)
  }
  if (path === '/claims') {
    return response.writeHead(200, { 'content-type': 'image/png', 'content-length': 10 ** 9 }).write(png)
  }
  if (path === '/packed') {
    return response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(png)
  }
  if (path === '/endless' || path === '/slow') {
    response.writeHead(200, { 'content-type': 'image/png' }).write(png)
    const timer = setInterval(() => response.write(Buffer.alloc(path === '/slow' ? 1 : 5000)), 20)
    return response.on('close', () => clearInterval(timer))
  }
  if (path === '/echo') {
    const seen = `${request.headers.host} ${request.headers['accept-encoding']} ${request.headers.cookie}`
    return response
      .writeHead(200, { 'content-type': 'image/png', 'x-seen': seen })
      .end(Buffer.concat([png, Buffer.from(seen)]))
  }
  return response.writeHead(404, { 'content-type': 'image/png' }).end(png)
}

let server: Server
let base = ''
let options: DownloadOptions

beforeAll(async () => {
  server = createServer(actual).on('connection', (socket) => {
    open++
    socket.on('close', () => open--)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  base = `http://127.0.0.1:${port}`
  options = { privateHosts: [`127.0.0.1:${port}`, `rebind.test:${port}`], maxBytes: 10_000, timeout: 60_000 }
})

afterAll(() => server.close())
beforeEach(() => void lookup.mockClear())

const errorMessage = async (url: string, changes: Partial<DownloadOptions> = {}) => {
  const error = await downloadImage(url, { ...options, ...changes }).catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'BAD_INPUT', data: { fields: { imageUrl: expect.any(String) } } })
  return (error as Error).message
}

describe('an image is downloaded', () => {
  it.each([
    ['/a.png', 'image/png', 'png', png],
    ['/a.gif', 'image/gif', 'gif', gif],
    ['/a.jpg', 'image/jpeg', 'jpg', jpg],
    ['/a.webp', 'image/webp', 'webp', webp],
    ['/a.avif', 'image/avif', 'avif', avif],
    ['/lies', 'image/png', 'png', png],
    ['/hop3', 'image/png', 'png', png],
  ])('%s is %s', async (path, mimeType, extension, bytes) => {
    const url = path.startsWith('/hop') ? `${base}/a.png` : base + path
    expect(await downloadImage(base + path, options)).toEqual({ bytes, mimeType, extension, width: 3, height: 2, url })
  })

  it('without compression or cookies', async () => {
    const { bytes } = await downloadImage(`${base}/echo`, options)
    expect(bytes.toString('latin1')).toContain(`${base.slice(7)} identity undefined`)
  })

  it('closes the connection', async () => {
    await downloadImage(`${base}/a.png`, options)
    await errorMessage(`${base}/endless`)
    await eventually(() => expect(open).toBe(0))
  })
})

describe('an image is rejected by the response of the server', () => {
  it.each([
    ['/html', 'The image must be a JPEG, PNG, GIF, WebP or AVIF file.'],
    ['/svg', 'The image must be a JPEG, PNG, GIF, WebP or AVIF file.'],
    ['/text', 'The URL does not lead to an image. Send the URL of an image file.'],
    ['/missing', 'The server of the image did not respond with status 200. Check the URL of the image.'],
    ['/lost', 'The server of the image did not respond with status 200. Check the URL of the image.'],
    ['/large', 'The image is larger than 10000 bytes.'],
    ['/claims', 'The image is larger than 10000 bytes.'],
    ['/endless', 'The image is larger than 10000 bytes.'],
    ['/packed', 'The server of the image must send it without a Content-Encoding header.'],
    ['/loop', 'The URL of the image redirects too often. Send the URL of the file itself.'],
    ['/hop4', 'The URL of the image redirects too often. Send the URL of the file itself.'],
    ['/broken', 'The image could not be downloaded. Check its URL, or upload the file.'],
    ['/short', 'The image could not be downloaded. Check its URL, or upload the file.'],
  ])('%s', async (path, sentence) => {
    expect(await errorMessage(base + path)).toBe(sentence)
  })

  it.each(['/slow', '/silent'])('%s, which never ends', async (path) => {
    expect(await errorMessage(base + path, { timeout: 300 })).toBe(
      'Downloading the image took too long. Retry later, or upload the file.',
    )
  })

  it('with a timeout if the name server does not respond', async () => {
    lookup.mockImplementationOnce(() => new Promise(() => {}))
    expect(await errorMessage('http://silent.invalid/', { timeout: 300 })).toBe(
      'Downloading the image took too long. Retry later, or upload the file.',
    )
  })
})

const notPublic = 'The image must be on a server with a public address. Upload the file instead.'
const notWeb = 'The URL of an image must begin with http:// or https://.'

describe('an image is rejected by its URL', () => {
  it.each([
    ...[
      'http://127.0.0.1/',
      'http://127.0.0.1:1/',
      'http://[::1]/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://localhost/',
    ],
    ...[
      'http://0.0.0.0/',
      'http://169.254.169.254/latest/meta-data/',
      'https://10.0.0.1/',
      'http://[::ffff:127.0.0.1]/',
    ],
    ...['http://[64:ff9b::127.0.0.1]/', 'http://[fd00::1]/'],
  ])('%s', async (url) => {
    expect(await errorMessage(url)).toBe(notPublic)
    expect(await errorMessage(`${base}/to?url=${encodeURIComponent(url)}`)).toBe(notPublic)
  })

  it.each([
    'file:///etc/passwd',
    'ftp://example.org/a.png',
    'data:image/png;base64,AAAA',
    'javascript:1',
    'mailto:a@b.c',
  ])('%s', async (url) => {
    expect(await errorMessage(url)).toBe(notWeb)
    expect(await errorMessage(`${base}/to?url=${encodeURIComponent(url)}`)).toBe(notWeb)
  })

  it.each(['', 'foo', '/a.png', '//example.org/a.png', 'http://', 'http://a b/', 'http://x:99999/'])(
    '%j',
    async (url) => {
      expect(await errorMessage(url)).toBe(notWeb)
    },
  )

  it('a URL with a user name', async () => {
    const sentence = 'The URL of an image must not contain a user name or password.'
    const url = base.replace('//', '//me:secret@')
    expect(await errorMessage(`${url}/a.png`)).toBe(sentence)
    expect(await errorMessage(`${base}/to?url=${encodeURIComponent(`${url}/a.png`)}`)).toBe(sentence)
  })

  it('an exempt host with another port', async () => {
    expect(await errorMessage(`${base}/a.png`, { privateHosts: ['127.0.0.1:1'] })).toBe(notPublic)
  })

  it('an unknown host', async () => {
    const sentence = 'The host in the URL of the image is unknown. Check its spelling.'
    const url = 'http://nowhere.invalid/'
    expect(await errorMessage(url)).toBe(sentence)
    expect(await errorMessage(`${base}/to?url=${encodeURIComponent(url)}`)).toBe(sentence)
  })

  it('a host with one private address', async () => {
    lookup.mockResolvedValueOnce([
      { address: '93.184.216.34', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ])
    expect(await errorMessage('http://mixed.invalid/')).toBe(notPublic)
  })
})

it('the host is looked up once, and the connection goes to the checked address', async () => {
  lookup.mockResolvedValueOnce([{ address: '127.0.0.1', family: 4 }])
  const { bytes } = await downloadImage(`${base.replace('127.0.0.1', 'rebind.test')}/echo`, options)
  expect(bytes.toString('latin1')).toContain('rebind.test')
  expect(lookup).toHaveBeenCalledTimes(1)
})
