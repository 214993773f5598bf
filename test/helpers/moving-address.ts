// A TCP address that moves from one server to another, as one that follows the primary of a PostgreSQL cluster.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface MovingAddress {
  /** URL of the database at the address. */
  readonly url: string
  /** Closes all connections, and leads new ones to this server. */
  move(url: string): void
  close(): void
}

export async function startMovingAddress(url: string): Promise<MovingAddress> {
  let target = new URL(url)
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const own = new URL(url)
  own.host = `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  const closeAll = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: own.href,
    move(to) {
      target = new URL(to)
      closeAll()
    },
    close() {
      server.close()
      closeAll()
    },
  }
}
