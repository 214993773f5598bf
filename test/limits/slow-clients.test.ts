// Clients that request long responses and do not read them.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openTestApp, serve, type TestApp, unverified } from '../helpers/app.ts'
import { makeEvent } from '../helpers/make.ts'

let app: TestApp
const opened: Socket[] = []
const others: TestApp[] = []

/** More than the kernel takes for a client that does not read, unless its buffers have grown. */
const records = 8
const megabyte = 1_000_000

beforeAll(async () => {
  app = await openTestApp({ CACHE_BYTES: '0', ...unverified })
  for (let n = 0; n < records; n += 1) {
    await makeEvent(app.db, { en: { name: `Long ${n}`, description: 'x'.repeat(megabyte) } })
  }
})
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  for (const { app } of others.splice(0)) await app.close()
})
afterAll(() => app?.close())

async function listen(env: Record<string, string>) {
  const other = await serve(app, { CACHE_BYTES: '0', ...unverified, ...env })
  others.push(other)
  const { hostname, port } = new URL(await other.app.listen({ host: '127.0.0.1', port: 0 }))
  return async (...paths: string[]) => {
    const socket = connect(Number(port), hostname)
    opened.push(socket)
    await once(socket, 'connect')
    socket.pause().on('error', () => {})
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    return socket
  }
}

const long = `/cal/events/v1/events?per_page=${records}`

/** Reads on until the server ends the connection. */
async function rest(socket: Socket): Promise<number> {
  let length = 0
  socket.on('data', (chunk) => (length += chunk.length)).resume()
  await once(socket, 'close')
  return length
}

const openSockets = (service: TestApp) =>
  new Promise<number>((resolve, reject) =>
    service.app.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  )

async function until(is: () => Promise<boolean>): Promise<void> {
  while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Whether all of them begin with a response of status 200. */
async function areSent(sockets: readonly Socket[]): Promise<boolean> {
  for (const socket of sockets) {
    await once(socket, 'readable')
    if (socket.read('HTTP/1.1 200'.length)?.toString() !== 'HTTP/1.1 200') return false
  }
  return true
}

test('a connection that reads nothing for REQUEST_TIMEOUT is closed, and an idle one stays open', async () => {
  // A busy machine may take longer than a limit to create the responses.
  for (let timeout = 2000; timeout < 600_000; timeout *= 2) {
    const open = await listen({ REQUEST_TIMEOUT: String(timeout) })
    const service = others.at(-1) as TestApp
    // Node's own limit for idle connections, which a slow machine exceeds here.
    service.app.server.keepAliveTimeout = 600_000
    const idle = await open('/health/live')
    // The kernel may take a single response.
    const stuck = [await open(long, long), await open(long, long), await open(long, long)]
    if (!(await areSent(stuck))) continue
    await until(async () => (await openSockets(service)) === 1)
    for (const socket of stuck) expect(await rest(socket)).toBeLessThan(2 * records * megabyte)
    idle.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    let text = ''
    for await (const chunk of idle) text += chunk
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
    return
  }
  expect.fail('No response began within the limit.')
})

test('a slow client that keeps reading gets its whole response', async () => {
  const readSlowly = async (timeout: number) => {
    const pause = timeout * 0.03
    const open = await listen({ REQUEST_TIMEOUT: String(timeout) })
    const socket = await open(long)
    socket.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    const parts: Buffer[] = []
    for await (const chunk of socket) {
      parts.push(chunk)
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
    const text = Buffer.concat(parts).toString()
    if (!text.endsWith('{"status":"live"}')) return ''
    // Otherwise it was not slow.
    expect(parts.length * pause).toBeGreaterThan(2 * timeout)
    return text
  }
  let text = ''
  // A busy machine may take longer than a limit to create the response, or to continue reading.
  for (let timeout = 500; timeout < 60_000; timeout *= 2) text ||= await readSlowly(timeout).catch(() => '')
  const list = text.slice(text.indexOf('{'), text.lastIndexOf('HTTP/1.1'))
  expect(JSON.parse(list).events).toHaveLength(records)
  expect(text).toContain('{"status":"live"}')
})

test('above UNSENT_BYTES the connections that wait longest are closed, and no others', async () => {
  const open = await listen({ UNSENT_BYTES: '20MB', REQUEST_TIMEOUT: '600000' })
  const service = others.at(-1) as TestApp
  const ended: number[] = []
  const total = 8
  const sockets: Socket[] = []
  for (let n = 0; n < total; n += 1) {
    const socket = await open(long)
    sockets.push(socket)
    // The next request is sent when this response has begun.
    await once(socket, 'readable')
    // No more are closed than it takes: two responses of eight megabytes always fit.
    if (n > 0) expect(await openSockets(service)).toBeGreaterThan(1)
  }
  await until(async () => (await openSockets(service)) <= 5)
  expect(await openSockets(service)).toBeGreaterThan(1)
  for (const [n, socket] of sockets.slice(0, 3).entries()) {
    const length = await rest(socket)
    if (length < records * megabyte) ended.push(n)
  }
  expect(ended).toEqual([0, 1, 2])
  const last = sockets.at(-1) as Socket
  last.write('GET /health/live HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(await rest(last)).toBeGreaterThan(records * megabyte)
})

test('pipelined responses that wait behind a response that the client does not read count too', async () => {
  const open = await listen({ UNSENT_BYTES: '20MB', REQUEST_TIMEOUT: '600000' })
  const service = others.at(-1) as TestApp
  await open(...Array.from({ length: 8 }, () => long))
  await until(async () => (await openSockets(service)) === 0)
})
