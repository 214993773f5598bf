// Starts before the database responds, and stops while connections are open.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, describe, expect, inject, test } from 'vitest'
import { listenForRequests } from '../../src/service/http/http-listener.ts'
import { emptyDatabaseUrl } from '../helpers/db.ts'
import { freePort, type Service, startService } from '../helpers/process.ts'

let service: Service | undefined
const closing: (() => unknown)[] = []

afterEach(async () => {
  service?.child.kill('SIGKILL')
  await service?.ended
  for (const close of closing.splice(0)) await close()
})

async function start(env: Record<string, string>): Promise<Service> {
  service = await startService({ SEED: 'off', ...env })
  return service
}

async function serve(port: number, onConnection: (socket: Socket) => void): Promise<Server> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => {}))
    onConnection(socket)
  }).listen(port, '127.0.0.1')
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server, 'listening')
  return server
}

async function printed({ output }: Service, text: string): Promise<void> {
  while (!output().includes(text)) await new Promise((resolve) => setTimeout(resolve, 50))
}

describe('a database that does not respond at start', () => {
  test('is retried up to STARTUP_TIMEOUT, whether it rejects connections or does not respond', async () => {
    const refusing = await freePort()
    const silent = ((await serve(0, () => {})).address() as AddressInfo).port
    for (const [port, reason] of [
      [refusing, `connect ECONNREFUSED 127.0.0.1:${refusing}`],
      [silent, 'timeout'],
    ] as const) {
      const { output, ended } = await start({
        DATABASE_URL: `postgresql://me:secret@127.0.0.1:${port}/none`,
        STARTUP_TIMEOUT: '1500',
      })
      expect(await ended).toBe(1)
      const lines = output().trim().split('\n')
      expect(lines[0]).toMatch(/^Waiting for the database, \d+ s of 1.5 s: /)
      expect(lines.at(-1)).toMatch(/^The database did not respond within STARTUP_TIMEOUT \(1500 ms\): /)
      for (const line of lines) expect(line).toContain(reason)
      expect(output()).not.toContain('secret')
    }
  })

  test('does not prevent the process from stopping', async () => {
    const waiting = await start({ DATABASE_URL: `postgresql://me@127.0.0.1:${await freePort()}/none` })
    await printed(waiting, 'Waiting for the database')
    waiting.child.kill('SIGTERM')
    expect(await waiting.ended).toBe(0)
  })

  describe.runIf(inject('server'))('on a server', () => {
    test('is used as soon as it responds', async () => {
      const { url, drop } = await emptyDatabaseUrl('')
      const target = new URL(url)
      const port = await freePort()
      const waiting = await start({ DATABASE_URL: url.replace(target.host, `127.0.0.1:${port}`) })
      await printed(waiting, 'ECONNREFUSED')
      // At first it takes connections and says nothing, as one that is stopped by a signal.
      let isSilent = true
      const silent = Promise.withResolvers<void>()
      await serve(port, (socket) => {
        if (isSilent) return silent.resolve()
        const server = connect(Number(target.port || 5432), target.hostname).on('error', () => {})
        socket.pipe(server).pipe(socket)
        socket.on('close', () => server.destroy())
      })
      await silent.promise
      isSilent = false
      await waiting.ready()
      expect(waiting.output()).toContain('The calendar is open')
      waiting.child.kill('SIGKILL')
      await waiting.ended
      await drop()
    })

    test('that rejects permanently is not retried', async () => {
      const { url, drop } = await emptyDatabaseUrl('')
      await drop()
      const { output, ended } = await start({ DATABASE_URL: url })
      expect(await ended).toBe(1)
      expect(output()).toMatch(/^Cannot open the database. Check DATABASE_URL: database ".*" does not exist\n$/)
    })
  })
})

test('an unused connection does not delay a stop', async () => {
  const port = await freePort()
  const front = await listenForRequests({ host: '127.0.0.1', port }, {})
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  // For requests under way it would have an hour.
  await front.close(3_600_000)
  await closed
})
