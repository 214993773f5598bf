// A TCP proxy to a PostgreSQL server that can close, block or delay the connection that listens for notifications.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface ListenerProxy {
  /** URL of the database through the proxy. */
  readonly url: string
  /** Closes or blocks the listening connection. */
  cut(how: 'closed' | 'silent'): void
  /** Delays what the server sends on the listening connection by this many milliseconds. */
  delay(milliseconds: number): void
  close(): void
}

export async function startListenerProxy(url: string): Promise<ListenerProxy> {
  const target = new URL(url)
  const all = new Set<Socket>()
  let delayed = 0
  let listening: { readonly client: Socket; readonly server: Socket } | undefined
  const proxy = createServer((client) => {
    const server = connect(Number(target.port), target.hostname)
    for (const socket of [client, server]) {
      all.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        all.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (data) => {
      if (data.includes('LISTEN calendar_changes')) listening = { client, server }
      server.write(data)
    })
    server.on('data', (data) => {
      if (delayed > 0 && listening?.server === server) setTimeout(() => client.write(data), delayed)
      else client.write(data)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const address = proxy.address()
  const own = new URL(url)
  own.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  return {
    url: own.href,
    cut(how) {
      if (how === 'closed') listening?.client.destroy()
      else for (const socket of [listening?.client, listening?.server]) socket?.removeAllListeners('data').pause()
    },
    delay(milliseconds) {
      delayed = milliseconds
    },
    close() {
      proxy.close()
      for (const socket of all) socket.destroy()
    },
  }
}
