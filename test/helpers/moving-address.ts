// A TCP address that moves from one server to another, as one that follows the primary of a PostgreSQL cluster, and that can
// become silent, as one whose server is gone without closing its connections.
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface MovingAddress {
  /** URL of the database at the address. */
  readonly url: string
  /** Closes all connections, and leads new ones to this server. */
  move(url: string): void
  /** Keeps connections open, and accepts new ones, but passes nothing on until the address moves. */
  silence(): void
  close(): void
}

export async function startMovingAddress(url: string): Promise<MovingAddress> {
  let target = new URL(url)
  const open = new Set<Socket>()
  let isSilent = false
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
      if (!isSilent) from.pipe(to)
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
      isSilent = false
      closeAll()
    },
    silence() {
      isSilent = true
      for (const socket of open) socket.unpipe().pause()
    },
    close() {
      server.close()
      closeAll()
    },
  }
}
